"""Operations of the Sonde service."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import replace
from time import monotonic
from typing import Any
from urllib.parse import urlencode

from ..errors import SondeTimeoutError
from ..estimates import RunEstimate, RunEstimateList
from ..evidence import Evidence, ReadSource, ReadSourceList
from ..key_usage import KeyUsage
from ..records import (
    ChatEvent,
    ChatList,
    ChatReply,
    Invocation,
    InvocationEvent,
    InvocationList,
    ToolList,
)
from ..report_file import ReportFile
from ..sharing import CreatedShare, ShareList
from .address import checked_idempotency_key, checked_key, path_segment, sonde_base_url
from .calls import Retry, call
from .event_streams import stream_once
from .function_chat import LIMIT_REACHED, FunctionChat, failure
from .record import R
from .sse import Frame
from .stored_records import STREAM, Records, read_record
from .wire import Emit, Endpoint, Operation, Run

LONG_TIMEOUT = 600.0
"""Default time limit of calls that return when the work is done, in seconds."""
WAIT = 3600.0
IDLE = 45.0
GIVE_UP_AFTER = 300.0
MAX_ROUNDS = 10
"""How often the functions that a model calls are run, by default."""
FUNCTION_TIMEOUT = 60.0

_INVOCATIONS = "/api/v1/tool-invocations"
_CHAT = "/api/v1/chat"


FINAL = frozenset({"completed", "incomplete", "failed", "cancelled"})
"""Statuses of an invocation that can no longer change."""
SETTLED = FINAL | {"requires_action"}
"""Statuses of an invocation that do not change by themselves."""


class SondeOperations:
    def __init__(
        self, base_url: str, api_key: str | None, timeout: float, max_retries: int
    ) -> None:
        url, key = sonde_base_url(base_url), checked_key(api_key)
        self.endpoint = Endpoint("Sonde", url, key, timeout, max_retries)
        self.invocations = Records(
            self.endpoint,
            _INVOCATIONS,
            "the invocation",
            "invocation_id",
            Invocation,
            SETTLED,
            _invocation_event,
        )
        self.chats = Records(
            self.endpoint,
            _CHAT,
            "the chat",
            "chat_id",
            ChatReply,
            frozenset({"completed", "requires_action", "failed", "cancelled"}),
            _chat_event,
        )

    def chat(
        self,
        message: str | None,
        options: Mapping[str, Any],
        idempotency_key: str | None,
        wait_seconds: int | None,
        timeout: float,
        limits: tuple[int, float],
    ) -> Operation[ChatReply]:
        """``limits``: rounds of functions, and seconds of each call of one."""
        deadline = monotonic() + timeout
        chat = FunctionChat(_chat_body(message, options), *limits)
        headers = {"Prefer": _prefer(wait_seconds)}
        retry = Retry.IF_REFUSED
        if idempotency_key is not None:
            headers["Idempotency-Key"] = checked_idempotency_key(idempotency_key)
            retry = Retry.REPEATABLE
        while True:
            request = self.endpoint.request("POST", _CHAT, chat.body, headers)
            left = deadline - monotonic() if chat.is_continued else timeout
            reply = yield from call(self.endpoint, request, retry, left)
            data = chat.whole(reply.json_object(self.endpoint))
            record = read_record(self.endpoint, reply, ChatReply, data)
            if not (yield from _gone_on(chat, data, deadline)):
                return record
            if idempotency_key is not None:
                # The key is of the first request: a later one is another body.
                headers["Idempotency-Key"] = str(uuid.uuid4())

    def chat_stream(
        self,
        message: str | None,
        options: Mapping[str, Any],
        timeout: float,
        limits: tuple[int, float],
    ) -> Operation[None]:
        chat = FunctionChat(_chat_body(message, options), *limits)

        def read_event(frame: Frame, data: Any) -> ChatEvent:
            return _chat_event(frame, chat.counted(data) if frame.type == "delta" else data)

        while True:
            body = {**chat.body, "stream": True}
            request = self.endpoint.request("POST", _CHAT, body, STREAM)
            last: Any = yield from stream_once(self.endpoint, request, read_event, timeout)
            if last.type == "completed" and isinstance(last.data, dict):
                last = replace(last, data=chat.whole(last.data))
                if (yield from _gone_on(chat, last.data, None)):
                    continue
            yield Emit(last)
            return

    def submit(
        self,
        tool_name: str,
        arguments: Mapping[str, Any],
        *,
        mode: str | None = None,
        idempotency_key: str | None = None,
        wait_seconds: int | None = None,
        strict: bool = False,
        priority: str | None = None,
        webhook: Mapping[str, Any] | None = None,
        metadata: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> Operation[Invocation]:
        """``mode``: None (foreground), "background" or "stream"."""
        body: dict[str, Any] = {
            "tool_name": tool_name,
            "arguments": {**arguments, mode: True} if mode else dict(arguments),
        }
        if priority is not None:
            body["priority"] = priority
        if webhook is not None:
            body["webhook"] = dict(webhook)
        if metadata is not None:
            body["metadata"] = dict(metadata)
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        headers = {
            "Idempotency-Key": checked_idempotency_key(key),
            "Prefer": _prefer(wait_seconds, strict),
        }
        request = self.endpoint.request("POST", _INVOCATIONS, body, headers)
        reply = yield from call(self.endpoint, request, Retry.REPEATABLE, timeout)
        return read_record(self.endpoint, reply, Invocation)

    def decide_plan(
        self, ref: object, decision: Mapping[str, Any], token: str | None, timeout: float | None
    ) -> Operation[Invocation]:
        return self.invocations.act(ref, token, "/plan", dict(decision), timeout)

    def continue_run(
        self,
        ref: object,
        budget: Mapping[str, Any],
        token: str | None,
        idempotency_key: str | None,
        timeout: float | None,
    ) -> Operation[Invocation]:
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        headers = {"Idempotency-Key": checked_idempotency_key(key)}
        body = {"budget": dict(budget)}
        return self.invocations.create(ref, token, "/continue", body, headers, timeout)

    def sources(
        self, ref: object, token: str | None, timeout: float | None
    ) -> Operation[ReadSourceList]:
        return self.invocations.read(ref, token, "/sources", ReadSourceList, timeout)

    def source(
        self, ref: object, number: int, token: str | None, timeout: float | None
    ) -> Operation[ReadSource]:
        return self.invocations.read(ref, token, f"/sources/{int(number)}", ReadSource, timeout)

    def evidence(
        self, ref: object, token: str | None, timeout: float | None
    ) -> Operation[Evidence]:
        return self.invocations.read(ref, token, "/evidence", Evidence, timeout)

    def report(
        self, ref: object, format: str, token: str | None, timeout: float | None
    ) -> Operation[ReportFile]:
        below = f"/report?{urlencode({'format': format})}"
        reply = yield from self.invocations.file(ref, token, below, timeout)
        return ReportFile(reply.head.headers.get("content-type", ""), reply.body)

    def share(
        self, ref: object, seconds: int | None, token: str | None, timeout: float | None
    ) -> Operation[CreatedShare]:
        body = None if seconds is None else {"expires_in_seconds": int(seconds)}
        return self.invocations.add(ref, token, "/share", body, CreatedShare, timeout)

    def shares(self, ref: object, token: str | None, timeout: float | None) -> Operation[ShareList]:
        return self.invocations.read(ref, token, "/share", ShareList, timeout)

    def unshare(
        self, ref: object, share_id: str, token: str | None, timeout: float | None
    ) -> Operation[None]:
        below = f"/share/{path_segment(share_id, 'share_id')}"
        return self.invocations.delete(ref, token, timeout, below)

    def estimate(
        self, tool_name: str, arguments: Mapping[str, Any], timeout: float | None
    ) -> Operation[RunEstimate]:
        body = {"tool_name": tool_name, "arguments": dict(arguments)}
        request = self.endpoint.request("POST", f"{_INVOCATIONS}/estimate", body)
        reply = yield from call(self.endpoint, request, Retry.REPEATABLE, timeout)
        return read_record(self.endpoint, reply, RunEstimate)

    def estimates(self, timeout: float | None) -> Operation[RunEstimateList]:
        return self._get(f"{_INVOCATIONS}/estimate", RunEstimateList, timeout)

    def list(self, query: Mapping[str, Any], timeout: float | None) -> Operation[InvocationList]:
        return self._get(_INVOCATIONS + _search(query), InvocationList, timeout)

    def list_chats(self, query: Mapping[str, Any], timeout: float | None) -> Operation[ChatList]:
        return self._get(_CHAT + _search(query), ChatList, timeout)

    def usage(self, query: Mapping[str, Any], timeout: float | None) -> Operation[KeyUsage]:
        return self._get("/api/v1/usage" + _search(query), KeyUsage, timeout)

    def tools(self, timeout: float | None) -> Operation[ToolList]:
        return self._get("/api/v1/tools", ToolList, timeout)

    def _get(self, path: str, kind: type[R], timeout: float | None) -> Operation[R]:
        request = self.endpoint.request("GET", path)
        reply = yield from call(self.endpoint, request, Retry.REPEATABLE, timeout)
        return read_record(self.endpoint, reply, kind)


def _gone_on(chat: FunctionChat, reply: dict[str, Any], deadline: float | None) -> Operation[bool]:
    """Runs the functions that the reply calls, and sets the next request; False if there is none.

    Raises ``SondeTimeoutError`` if they have not ended at the deadline.
    """
    calls = chat.calls_of(reply)
    if not calls:
        return False
    if chat.is_at_limit:
        chat.go_on(reply, [failure(*LIMIT_REACHED)] * len(calls))
        return True
    limit = chat.function_timeout
    left = limit if deadline is None else deadline - monotonic()
    told: list[str | None] = yield Run(calls, min(limit, left))
    if left < limit and None in told:
        raise SondeTimeoutError("the functions of the chat have not ended within its time limit")
    late = failure("FUNCTION_TIMEOUT", f"It did not end within {limit:g} s.")
    chat.go_on(reply, [late if each is None else each for each in told])
    return True


def _search(query: Mapping[str, Any]) -> str:
    """The query of a URL; empty if no field is set."""
    fields: dict[str, Any] = {}
    for name, value in query.items():
        if isinstance(value, Mapping):
            fields |= {f"{name}[{key}]": each for key, each in value.items()}
        elif value is not None:
            fields[name] = value
    text = urlencode(fields)
    return f"?{text}" if text else ""


def _prefer(wait_seconds: int | None, strict: bool = False) -> str | None:
    wait = [] if wait_seconds is None else [f"wait={int(wait_seconds)}"]
    return ", ".join(wait + ["handling=strict"] * strict) or None


def _chat_body(message: str | None, options: Mapping[str, Any]) -> dict[str, Any]:
    return dict(options) if message is None else {"message": message, **options}


def _invocation_event(frame: Frame, data: Any) -> InvocationEvent:
    # A gap event has no envelope.
    if not isinstance(data, dict) or "data" not in data:
        return InvocationEvent(frame.id or None, frame.type, None, None, data)
    return InvocationEvent(
        frame.id or None,
        frame.type,
        data.get("invocation_id"),
        data.get("status"),
        data["data"],
    )


def _chat_event(frame: Frame, data: Any) -> ChatEvent:
    return ChatEvent(frame.id or None, frame.type, data)
