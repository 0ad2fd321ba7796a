"""Comparison rule of the contract: the actual value contains the expected one."""

from __future__ import annotations

from base64 import b64encode
from keyword import iskeyword
from typing import Any


def difference(expected: object, got: Any, place: str = "result") -> str | None:
    """A description of the difference, or None; a field expected to be null may be absent."""
    if isinstance(expected, dict):
        for name, value in expected.items():
            fault = difference(value, field_of(got, name), f"{place}.{name}")
            if fault is not None:
                return fault
        return None
    if isinstance(expected, list):
        if not isinstance(got, (list, tuple)) or len(got) != len(expected):
            return f"{place}: expected {len(expected)} entries, got {got!r}"
        faults = (
            difference(each, value, f"{place}.{index}")
            for index, (each, value) in enumerate(zip(expected, got, strict=True))
        )
        return next((fault for fault in faults if fault is not None), None)
    if isinstance(got, bytes):
        got = b64encode(got).decode()
    return None if expected == got else f"{place}: expected {expected!r}, got {got!r}"


def field_of(value: Any, name: str) -> Any:
    if isinstance(value, dict):
        return value.get(name)
    return getattr(value, f"{name}_" if iskeyword(name) else name, None)
