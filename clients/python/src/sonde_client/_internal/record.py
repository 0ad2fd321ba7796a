"""Parses JSON objects to frozen dataclasses; unknown fields are ignored for forward
compatibility.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, TypeVar

R = TypeVar("R", bound="Record")


class BadRecord(ValueError):
    """The value is not a JSON object, or a required field is missing."""


@dataclass(frozen=True, kw_only=True)
class Record:
    """``raw`` is the unmodified JSON object, including fields unknown to this version."""

    raw: dict[str, Any] = field(repr=False, compare=False)

    @classmethod
    def read(cls: type[R], data: object) -> R:
        if not isinstance(data, Mapping):
            raise BadRecord(f"{cls.__name__}: not an object")
        values: dict[str, Any] = {"raw": dict(data)}
        for each in fields(cls):
            if each.name == "raw":
                continue
            # A field whose name is a keyword of Python has an underscore at its end.
            value = data.get(each.name.rstrip("_"))
            if value is not None:
                values[each.name] = each.metadata.get("read", _as_it_is)(value)
            elif each.default is MISSING and each.default_factory is MISSING:
                raise BadRecord(f"{cls.__name__}: without {each.name}")
        return cls(**values)


def one(kind: type[Record]) -> Any:
    """A field that is a record or None."""
    return field(default=None, metadata={"read": kind.read})


def many(kind: type[Record]) -> Any:
    """A field that is a list of records or None."""
    return field(default=None, metadata={"read": _list_of(kind)})


def listed(kind: type[Record]) -> Any:
    """A field that is a list of records, empty if there is none."""
    return field(default_factory=list, metadata={"read": _list_of(kind)})


def _list_of(kind: type[R]) -> Any:
    def read(value: object) -> list[R]:
        if not isinstance(value, list):
            raise BadRecord(f"{kind.__name__}: not a list")
        return [kind.read(each) for each in value]

    return read


def _as_it_is(value: Any) -> Any:
    return value
