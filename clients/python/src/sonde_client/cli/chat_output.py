"""Prints the events and the reply of a chat."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from .. import ChatEvent, ChatReply, RecordedError, ToolCall
from .._internal.record import BadRecord
from .._internal.tool_calling import RESEARCH_FAILED
from .research import active_run
from .run import SondeRun
from .terminal.output import as_json


class ChatOutput:
    """Prints each item of a chat once.

    ``on_record``: the chat is stored and continues without this process.
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
            # A malformed call is printed with the reply.
            with suppress(BadRecord):
                self._on_tool_call(ToolCall.read(event.data))
        if event.type == "tool_result" and not self._on_record:
            self._run.interrupt.untrack()
        if event.type == "tool_progress" and event.data.get("type") == "progress":
            self._run.output.progress(event.data.get("data"))

    def delta(self, delta: Any) -> None:
        """Prints a piece of the answer. Each turn of the model is a separate part."""
        parts = delta.get("contents") if isinstance(delta, dict) else None
        for part in parts or []:
            if part.get("type") != "text" or not part.get("text"):
                continue
            if part.get("index") != self._index:
                self._start_part()
            self._index = part.get("index")
            self._part += part["text"]
            self._run.output.write(part["text"])

    def record(self, reply: ChatReply) -> None:
        if self._recorded or reply.chat_id is None:
            return
        self._recorded = True
        self._run.output.field("chat_id", reply.chat_id)
        self._run.output.field("invocation_token", reply.invocation_token)

    def reply(self, reply: ChatReply) -> None:
        called = [call for call in reply.tool_calls if call.invocation_id is not None]
        for call in called:
            self._tool(call.tool_name)
        self._run.output.field("response_id", reply.response_id)
        self.record(reply)
        for call in called:
            self._call(call)

    def end(self, reply: ChatReply) -> int:
        """Prints what the stream did not contain, reports failures and returns the exit code."""
        flags, output = self._run.flags, self._run.output
        if flags.json:
            if not flags.stream:
                output.write_json(reply.raw)
        elif reply.content and reply.content != self._part:
            self._start_part()
            output.write(reply.content)
        for call in reply.tool_calls:
            if call.error is not None:
                output.log(f"sonde: {_failure_of_call(call, call.error)}")
        if reply.status == "requires_action":
            action = reply.required_action
            for approval in action.approvals if action else []:
                arguments = as_json(approval.arguments)
                output.log(f"approval required: {approval.tool_name} {arguments}")
            for question in action.questions if action else []:
                output.log(f"answer required: {question.question}")
            return 5
        failure = _failure_of(reply)
        # Older services complete a chat whose research failed.
        is_old = failure is None and reply.content == RESEARCH_FAILED
        if failure is None and not is_old:
            return 0
        if is_old:
            output.log("sonde: the research failed")
        elif not _is_of_tool(reply):
            output.log(f"sonde: the chat {failure}")
        return 1

    def _on_tool_call(self, call: ToolCall) -> None:
        """A chat that is not stored stops with this process; only its tool runs continue."""
        self._call(call)
        if not self._on_record and call.invocation_id is not None:
            self._run.interrupt.track(active_run(self._run, call))

    def _call(self, call: ToolCall) -> None:
        if call.invocation_id is None or call.call_id in self._calls:
            return
        self._calls.add(call.call_id)
        self._tool(call.tool_name)
        self._run.output.field("invocation_id", call.invocation_id)
        self._run.output.field("invocation_token", call.invocation_token)

    def _tool(self, name: str) -> None:
        if name not in self._tools:
            self._tools.add(name)
            self._run.output.log(f"[{name} was called automatically]")

    def _start_part(self) -> None:
        if self._run.output.text:
            self._run.output.write("\n\n")
        self._part = ""


def _failure_of_call(call: ToolCall, error: RecordedError) -> str:
    tool = "the research" if call.tool_name == "deep_research" else call.tool_name
    if call.status == "incomplete":
        return f"{tool} ended early: {error.code}"
    return f"{tool} failed: {error.message}"


def _is_of_tool(reply: ChatReply) -> bool:
    """Whether a tool that failed is why the chat has."""
    codes = [call.error.code for call in reply.tool_calls if call.error]
    return reply.status == "failed" and reply.error is not None and reply.error.code in codes


def _failure_of(reply: ChatReply) -> str | None:
    if reply.status == "cancelled":
        return "was cancelled"
    if reply.guardrail is not None:
        return f"was refused: {reply.guardrail.name}"
    if reply.status == "completed":
        return f"ended early: {reply.error.code}" if reply.error else None
    return f"failed: {(reply.error.message if reply.error else None) or reply.status}"
