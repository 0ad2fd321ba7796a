"""A chat whose functions this client runs: what is sent next, and what the turns have brought."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..functions import Function
from .combined_reply import combined

_MAX_RESULT = 100_000
"""Characters of one result."""
_MAX_MESSAGE = 500
LIMIT_REACHED = ("LIMIT_REACHED", "No more calls: answer from what is known.")


@dataclass(frozen=True)
class FunctionCall:
    """One call of a function; neither method raises what the function raises."""

    function: Function
    arguments: Mapping[str, Any]

    @property
    def is_async(self) -> bool:
        return inspect.iscoroutinefunction(self.function.run)

    def told(self) -> str:
        """What the model is told."""
        try:
            value = self.function.run(**self.arguments)
            return _text(asyncio.run(value) if inspect.iscoroutine(value) else value)
        # Also what would end the process.
        except BaseException as error:
            return failure("FUNCTION_FAILED", str(error))

    async def told_async(self) -> str:
        try:
            return _text(await self.function.run(**self.arguments))
        except (Exception, SystemExit) as error:
            return failure("FUNCTION_FAILED", str(error))


class FunctionChat:
    def __init__(self, body: dict[str, Any], max_rounds: int, function_timeout: float) -> None:
        given = body.get("functions")
        known = [_known(each) for each in given] if isinstance(given, (list, tuple)) else []
        described = [each.described() if isinstance(each, Function) else each for each in known]
        self.body = {**body, "functions": described} if known else body
        self._functions = {
            name["name"]: each
            for name, each in zip(described, known, strict=True)
            if isinstance(each, Function)
        }
        self._max_rounds = max_rounds
        self.function_timeout = function_timeout
        self._rounds = 0
        self._earlier: dict[str, Any] | None = None
        self._parts = 0
        self._parts_before = 0

    @property
    def is_continued(self) -> bool:
        return self._earlier is not None

    @property
    def is_at_limit(self) -> bool:
        """Whether calls are not run any more."""
        return self._rounds == self._max_rounds

    def whole(self, reply: dict[str, Any]) -> dict[str, Any]:
        """The reply with what the turns before it have brought."""
        return reply if self._earlier is None else combined(self._earlier, reply)

    def counted(self, data: Any) -> Any:
        """The delta, in which the parts of all turns are counted."""
        contents = data.get("contents") if isinstance(data, dict) else None
        if not isinstance(contents, list):
            return data
        parts = [{**part, "index": part["index"] + self._parts_before} for part in contents]
        self._parts = max([self._parts, *(part["index"] + 1 for part in parts)])
        return {**data, "contents": parts}

    def calls_of(self, reply: Mapping[str, Any]) -> list[FunctionCall]:
        """The calls that this client is to answer; empty if the chat goes on with no request."""
        calls = _calls(reply)
        names = [call["function"]["name"] for call in calls]
        is_ours = all(name in self._functions for name in names)
        if not reply.get("continuation") or not is_ours or self._rounds > self._max_rounds:
            return []
        return [
            FunctionCall(self._functions[name], call["function"]["arguments"])
            for name, call in zip(names, calls, strict=True)
        ]

    def go_on(self, reply: dict[str, Any], told: list[str]) -> None:
        """Sets the next request."""
        self._rounds += 1
        self._earlier = reply
        self._parts_before = self._parts
        messages = list(self.body.get("messages") or [])
        if isinstance(message := self.body.get("message"), str):
            messages.append({"role": "user", "contents": _contents(message)})
        messages.extend(reply["continuation"])
        for call, text in zip(_calls(reply), told, strict=True):
            answered = {"tool_call_id": call["id"]} if call.get("id") else {}
            name = call["function"]["name"]
            messages.append({"role": "tool", "contents": _contents(text), **answered, "name": name})
        # The choice is for the first turn of the model, which has been.
        gone = ("message", "tool_choice", "messages")
        rest = {name: value for name, value in self.body.items() if name not in gone}
        self.body = {**rest, "messages": messages}


def failure(code: str, message: str) -> str:
    return _json({"code": code, "message": message[:_MAX_MESSAGE]})


def _known(given: Any) -> Any:
    return Function(given) if callable(given) else given


def _calls(reply: Mapping[str, Any]) -> list[dict[str, Any]]:
    return (reply.get("message") or {}).get("tool_calls") or []


def _text(value: object) -> str:
    if value is None:
        return "Done."
    try:
        text = value if isinstance(value, str) else _json(value)
    except (TypeError, ValueError, RecursionError):
        return failure("FUNCTION_FAILED", "The result is not JSON.")
    if len(text) <= _MAX_RESULT:
        return text
    return failure("RESULT_TOO_LARGE", f"It has {len(text)} characters.")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _contents(text: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": text}]
