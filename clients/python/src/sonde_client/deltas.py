"""Merges the deltas of a stream, as JSON objects; absent fields are missing keys."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from .errors import SondeError

Delta = Mapping[str, Any]
_Join = Callable[[Any, Any], Any]


class IncompleteMessage(SondeError):
    """Names the invalid field and never includes message content."""

    def __init__(self, fault: str) -> None:
        super().__init__(f"The message is incomplete: {fault}.")


def accumulate(a: Delta, b: Delta) -> dict[str, Any]:
    """Merges ``a`` and then ``b``; changes neither.

    Associative, with the empty delta as its identity. Texts, Base64 data and arguments are
    concatenated; of labels the first value is used.
    """
    joined: dict[str, Any] = _join_message(a, b)
    return joined


def finish(delta: Delta) -> dict[str, Any]:
    """Converts merged deltas to a message; raises ``IncompleteMessage``."""
    if "role" not in delta:
        raise IncompleteMessage("it has no role")
    if delta["role"] == "tool" and "tool_call_id" not in delta:
        raise IncompleteMessage("it does not say which call it answers")
    labels = {name: value for name, value in delta.items() if name in _LABELS}
    parts = _in_order(_join_parts(delta.get("contents", []), []))
    message = {**labels, "contents": [_finished_part(part) for part in parts]}
    if "tool_calls" in delta:
        calls = _in_order(_join_calls(delta["tool_calls"], []))
        message["tool_calls"] = [_finished_call(call) for call in calls]
    return message


def _first(a: Any, _: Any) -> Any:
    return a


def _concat(a: str, b: str) -> str:
    return a + b


def _fieldwise(joins: Mapping[str, _Join]) -> _Join:
    """A field that only one side has is taken unchanged."""

    def join(a: Delta, b: Delta) -> dict[str, Any]:
        joined = dict(a)
        for name, how in joins.items():
            if name in b:
                joined[name] = how(a[name], b[name]) if name in a else b[name]
        return joined

    return join


def _by_index(join: _Join) -> _Join:
    """Joins entries of the same index, at the position of the first."""

    def joined(a: list[Any], b: list[Any]) -> list[Any]:
        entries: dict[Any, Any] = {}
        for entry in [*a, *b]:
            index = entry["index"]
            entries[index] = join(entries[index], entry) if index in entries else entry
        return list(entries.values())

    return joined


_called = {"name": _first, "arguments": _concat}
_join_parts = _by_index(
    _fieldwise(
        {
            "type": _first,
            "text": _concat,
            "image": _fieldwise({"url": _first, "data": _concat, "mime_type": _first}),
            "function": _fieldwise({"id": _first, **_called}),
            "value": _first,
        }
    )
)
_join_calls = _by_index(_fieldwise({"type": _first, "id": _first, "function": _fieldwise(_called)}))
_LABELS = ("id", "role", "thinking", "tool_call_id", "name")
_join_message = _fieldwise(
    {
        **dict.fromkeys(_LABELS, _first),
        "thinking": _concat,
        "contents": _join_parts,
        "tool_calls": _join_calls,
    }
)


def _in_order(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(entries, key=lambda entry: entry["index"])


_KINDS = ("text", "image", "function", "value")


def _finished_part(part: dict[str, Any]) -> dict[str, Any]:
    kind, path = part.get("type"), f"contents.{part['index']}"
    if kind is None:
        raise IncompleteMessage(f"{path} has no type")
    if any(other in part for other in _KINDS if other != kind):
        raise IncompleteMessage(f"{path} is of several types")
    if kind not in part:
        raise IncompleteMessage(f"{path} is a {kind} that never began")
    value = part[kind]
    if kind == "image" and "url" not in value and "data" not in value:
        raise IncompleteMessage(f"{path} is an image without url or data")
    if kind == "function":
        if not value.get("name"):
            raise IncompleteMessage(f"{path} is a call without a name")
        value = {"arguments": "", **value}
    return {"type": kind, kind: value}


def _finished_call(call: dict[str, Any]) -> dict[str, Any]:
    called, path = call.get("function", {}), f"tool_calls.{call['index']}"
    if not called.get("name"):
        raise IncompleteMessage(f"{path} has no name")
    try:
        # Some models send an empty string for empty arguments.
        arguments = json.loads(called.get("arguments", "").strip() or "{}")
    except (ValueError, RecursionError):
        arguments = None
    if not isinstance(arguments, dict):
        raise IncompleteMessage(f"{path} has arguments that are no JSON object")
    label = {"id": call["id"]} if "id" in call else {}
    return {
        "type": "function",
        **label,
        "function": {"name": called["name"], "arguments": arguments},
    }
