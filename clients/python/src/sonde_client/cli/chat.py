"""A chat with Sonde, in which the model decides whether to research."""

from __future__ import annotations

import uuid
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from typing import Any

from .. import (
    ChatEvent,
    ChatReply,
    ChatRequest,
    SondeConnectionError,
    SondeProtocolError,
    ToolCall,
)
from .._record import BadRecord
from .._tool_calling import RESEARCH_FAILED
from .interrupt import CANCEL_SECONDS
from .output import as_json
from .run import ANY_TIME, SondeRun, held_seconds


async def chat(run: SondeRun) -> int:
    told = _Told(run)
    if run.flags.stream:
        reply = await _streamed(run, told)
    elif run.flags.background:
        reply = await _followed(run, told)
    else:
        reply = await _awaited(run, told)
    told.reply(reply)
    return told.end(reply)


async def _awaited(run: SondeRun, told: _Told) -> ChatReply:
    key = str(uuid.uuid4())
    say = partial(run.sonde.chat, run.prompt, idempotency_key=key, **_request(run))

    async def cancel() -> None:
        # Its id is not known before it has ended; the same again, without waiting, tells it.
        begun = await say(wait_seconds=0, timeout=CANCEL_SECONDS)
        await run.sonde.chats.cancel(begun, timeout=CANCEL_SECONDS)

    run.interrupt.cancel = cancel
    reply = await say(wait_seconds=held_seconds(run.flags), timeout=ANY_TIME)
    if reply.status not in ("queued", "running"):
        return reply
    run.interrupt.cancel = partial(run.sonde.chats.cancel, reply, timeout=CANCEL_SECONDS)
    told.record(reply)
    return await run.sonde.chats.wait(reply, timeout=ANY_TIME)


async def _followed(run: SondeRun, told: _Told) -> ChatReply:
    key = str(uuid.uuid4())
    request: ChatRequest = {**_request(run), "background": True}
    say = partial(run.sonde.chat, run.prompt, idempotency_key=key, **request)

    async def cancel() -> None:
        begun = await say(timeout=CANCEL_SECONDS)
        await run.sonde.chats.cancel(begun, timeout=CANCEL_SECONDS)

    run.interrupt.cancel = cancel
    begun = await say(timeout=ANY_TIME)
    run.interrupt.cancel = partial(run.sonde.chats.cancel, begun, timeout=CANCEL_SECONDS)
    told.record(begun)
    async for event in run.sonde.chats.events(begun):
        told.event(event)
        if event.type == "requires_action":
            break
    # Settled already, but after a gap.
    return await run.sonde.chats.wait(begun, timeout=ANY_TIME)


async def _streamed(run: SondeRun, told: _Told) -> ChatReply:
    async for event in run.sonde.chat_stream(run.prompt, timeout=ANY_TIME, **_request(run)):
        told.event(event)
        if run.flags.json:
            run.output.write_json(asdict(event))
        elif event.type == "delta":
            told.delta(event.data)
        if event.type == "completed":
            return _reply(event.data)
        if event.type == "error":
            # What the model had said is all there is.
            return _reply({"status": "failed", "error": event.data})
    raise SondeConnectionError("the stream ended before the answer did")


def _reply(data: object) -> ChatReply:
    try:
        return ChatReply.read(data)
    except BadRecord:
        raise SondeProtocolError("Sonde sent an event that cannot be read") from None


def _request(run: SondeRun) -> ChatRequest:
    request: ChatRequest = {}
    if run.flags.context:
        request["context"] = run.flags.context
    if run.flags.system_prompt is not None:
        request["system_prompt"] = run.flags.system_prompt
    if run.flags.deliverable_format is not None:
        request["deliverable_format"] = run.flags.deliverable_format
    return request


class _Told:
    """What was told of a chat so far; nothing is told twice."""

    def __init__(self, run: SondeRun) -> None:
        self._run = run
        self._tools: set[str] = set()
        self._calls: set[str] = set()
        self._recorded = False
        self._index: int | None = None
        self._part = ""

    def event(self, event: ChatEvent) -> None:
        if not isinstance(event.data, dict):
            return
        if event.type == "tool_call":
            # One of another form is told of with the reply.
            with suppress(BadRecord):
                self._call(ToolCall.read(event.data))
        told = event.data.get("data")
        progress = told if isinstance(told, dict) else {}
        if event.type == "tool_progress" and progress.get("type") == "progress":
            self._run.output.live.progress(progress.get("data"))

    def delta(self, delta: Any) -> None:
        """A piece of the answer; each turn of the model is a part of its own."""
        parts = delta.get("contents") if isinstance(delta, dict) else None
        for part in parts or []:
            if part.get("type") != "text" or not part.get("text"):
                continue
            if part.get("index") != self._index:
                self._begin()
            self._index = part.get("index")
            self._part += part["text"]
            self._run.output.write(part["text"])

    def record(self, reply: ChatReply) -> None:
        if self._recorded or reply.chat_id is None:
            return
        self._recorded = True
        self._run.output.note("chat_id", reply.chat_id)
        self._run.output.note("invocation_token", reply.invocation_token)

    def reply(self, reply: ChatReply) -> None:
        called = [call for call in reply.tool_calls if call.invocation_id is not None]
        for call in called:
            self._tool(call.tool_name)
        self._run.output.note("response_id", reply.response_id)
        self.record(reply)
        for call in called:
            self._call(call)

    def end(self, reply: ChatReply) -> int:
        """Prints what the stream has not brought, says what is wrong, gives the exit code."""
        flags, output = self._run.flags, self._run.output
        if flags.json:
            if not flags.stream:
                output.write_json(reply.raw)
        elif reply.content and reply.content != self._part:
            self._begin()
            output.write(reply.content)
        if reply.status == "requires_action":
            waits = reply.required_action
            for approval in waits.approvals if waits else []:
                arguments = as_json(approval.arguments)
                output.say(f"waits for approval: {approval.tool_name} {arguments}")
            for question in waits.questions if waits else []:
                output.say(f"waits for an answer: {question.question}")
            return 5
        fault = _fault_of(reply)
        if fault is not None:
            output.say(f"sonde: the chat {fault}")
        elif reply.content == RESEARCH_FAILED:
            output.say("sonde: the research failed")
        else:
            return 0
        return 1

    def _call(self, call: ToolCall) -> None:
        if call.invocation_id is None or call.call_id in self._calls:
            return
        self._calls.add(call.call_id)
        self._tool(call.tool_name)
        self._run.output.note("invocation_id", call.invocation_id)
        self._run.output.note("invocation_token", call.invocation_token)

    def _tool(self, name: str) -> None:
        if name not in self._tools:
            self._tools.add(name)
            self._run.output.say(f"[{name} was called automatically]")

    def _begin(self) -> None:
        if self._run.output.text:
            self._run.output.write("\n\n")
        self._part = ""


def _fault_of(reply: ChatReply) -> str | None:
    if reply.status == "cancelled":
        return "was cancelled"
    if reply.guardrail is not None:
        return f"was refused: {reply.guardrail.name}"
    if reply.status == "completed":
        return f"ended early: {reply.error.code}" if reply.error else None
    return f"failed: {(reply.error.message if reply.error else None) or reply.status}"
