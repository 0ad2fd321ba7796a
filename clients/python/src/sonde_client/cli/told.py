"""What a chat shows while it happens, and at its end."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from .. import ChatEvent, ChatReply, ToolCall
from .._record import BadRecord
from .._tool_calling import RESEARCH_FAILED
from .output import as_json
from .research import under_way
from .run import SondeRun


class Told:
    """What was shown of a chat so far; nothing is shown twice.

    ``on_record``: the chat goes on without its caller.
    """

    def __init__(self, run: SondeRun, *, on_record: bool) -> None:
        self._run = run
        self._on_record = on_record
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
                self._begun(ToolCall.read(event.data))
        if event.type == "tool_result" and not self._on_record:
            self._run.interrupt.forget()
        if event.type == "tool_progress" and event.data.get("type") == "progress":
            self._run.output.progress(event.data.get("data"))

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
                output.say(f"approval required: {approval.tool_name} {arguments}")
            for question in waits.questions if waits else []:
                output.say(f"answer required: {question.question}")
            return 5
        fault = _fault_of(reply)
        if fault is not None:
            output.say(f"sonde: the chat {fault}")
        elif reply.content == RESEARCH_FAILED:
            output.say("sonde: the research failed")
        else:
            return 0
        return 1

    def _begun(self, call: ToolCall) -> None:
        """What a chat that is on no record leaves behind are the runs of its tools."""
        self._call(call)
        if not self._on_record and call.invocation_id is not None:
            self._run.interrupt.knows(under_way(self._run, call))

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
