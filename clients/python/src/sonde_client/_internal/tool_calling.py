"""Client-side tool calling: the model decides, Sonde runs the research, the model answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

from ..errors import SondeApiError, SondeError, SondeUsageError
from ..records import Invocation, ModelResponse, ResearchError, ToolCallingResult
from .model import ModelOperations, items_of, with_context
from .sonde import LONG_TIMEOUT, SondeOperations
from .wire import Operation, Via

DEEP_RESEARCH_TOOL: dict[str, Any] = {
    "type": "function",
    "name": "deep_research",
    "description": (
        "Researches a question on the web for minutes and returns a cited report. Use it when the "
        "user asks for an in-depth, detailed, historical, comparative or current investigation "
        "that needs sources; not for greetings or simple questions."
    ),
    "strict": True,
    "parameters": {
        "type": "object",
        "properties": {
            "research_question": {
                "type": "string",
                "description": "The question to research, complete in itself.",
            },
            "context": {
                "type": ["array", "null"],
                "items": {"type": "string"},
                "description": "Facts that the answer should start from.",
            },
            "constraints": {
                "type": ["array", "null"],
                "items": {"type": "string"},
                "description": "Limits that the research must keep to.",
            },
            "deliverable_format": {
                "type": ["string", "null"],
                "enum": ["markdown_brief", "markdown_report", "json_outline", None],
                "description": "The form of the result.",
            },
        },
        "required": ["research_question", "context", "constraints", "deliverable_format"],
        "additionalProperties": False,
    },
}
RESEARCH_FAILED = "deep_research failed. Please retry later."
_INVALID_ARGUMENTS = '{"code":"INVALID_ARGUMENTS"}'


def create_response_with_tool_calling(
    model: ModelOperations,
    sonde: SondeOperations,
    sonde_driver: Any,
    prompt: str,
    *,
    system_prompt: str | None,
    context: Sequence[str] | None,
    deliverable_format: str | None,
    on_invocation: Callable[[Invocation], object] | None,
    timeout: float,
) -> Operation[ToolCallingResult]:
    deadline = monotonic() + timeout

    def turn(fields: dict[str, Any]) -> Operation[ModelResponse]:
        return model.respond(fields, min(LONG_TIMEOUT, deadline - monotonic()))

    first = yield from turn(
        {
            "input": with_context(prompt, context),
            "tools": [DEEP_RESEARCH_TOOL],
            "parallel_tool_calls": False,
        }
    )
    calls = [
        call
        for call in items_of(first.response, "function_call")
        if call.get("name") == DEEP_RESEARCH_TOOL["name"]
    ]
    if not calls:
        return ToolCallingResult(first.output_text, tool_called=False, response_id=first.id)

    call_id = calls[0].get("call_id")
    arguments = _arguments(calls[0].get("arguments"))
    record: Invocation | None = None
    error: ResearchError | None = None
    summary = _INVALID_ARGUMENTS
    if arguments is not None:
        # The format chosen by the model takes precedence over the caller's; the model sets no
        # instructions.
        asked = {
            "deliverable_format": deliverable_format,
            **_without_nulls(arguments),
            "system_prompt": system_prompt,
        }
        asked = _without_nulls(asked)
        ended = yield from _research(sonde, sonde_driver, asked, on_invocation, deadline)
        if isinstance(ended, ResearchError):
            error = ended
        else:
            record = ended
            error = None if _is_usable(record) else _cause(record)
        summary = (record.output_text if record and not error else None) or RESEARCH_FAILED

    output = {"type": "function_call_output", "call_id": call_id, "output": summary}
    last: ModelResponse | None = None
    try:
        answer = yield from turn({"previous_response_id": first.id, "input": [output]})
        last = answer if answer.output_text.strip() else None
    except SondeError:
        # If only the last turn fails, the report is returned: the research is already paid for.
        pass
    return ToolCallingResult(
        final_text=last.output_text if last else summary,
        tool_called=True,
        response_id=last.id if last else None,
        previous_response_id=first.id,
        tool_call_id=call_id,
        invocation_id=record.invocation_id if record else None,
        invocation_token=record.invocation_token if record else None,
        upstream_response_id=record.upstream_response_id if record else None,
        research_summary=summary,
        error=error,
    )


def _research(
    sonde: SondeOperations,
    driver: Any,
    arguments: dict[str, Any],
    on_invocation: Callable[[Invocation], object] | None,
    deadline: float,
) -> Operation[Invocation | ResearchError]:
    """Returns the final record, or why the arguments or the submission were rejected."""
    submission = sonde.submit(
        "deep_research",
        arguments,
        mode="background",
        timeout=min(sonde.endpoint.timeout, deadline - monotonic()),
    )
    try:
        record: Invocation = yield Via(driver, submission)
    except (SondeApiError, SondeUsageError) as refusal:
        return _refusal(refusal)
    if on_invocation is not None:
        on_invocation(record)
    ended: Invocation = yield Via(
        driver, sonde.invocations.wait(record, None, deadline - monotonic())
    )
    return ended


def _is_usable(record: Invocation) -> bool:
    return record.status in ("completed", "incomplete") and bool(record.output_text)


def _cause(record: Invocation) -> ResearchError:
    error = record.error
    return ResearchError(
        code=error.code if error else record.status,
        message=record.error_message or f"The research has the status {record.status}.",
        retryable=error.retryable if error else False,
    )


def _refusal(refusal: SondeApiError | SondeUsageError) -> ResearchError:
    if isinstance(refusal, SondeUsageError):
        return ResearchError("invalid_arguments", str(refusal), retryable=False)
    retryable = refusal.status in (408, 429) or refusal.status >= 500
    return ResearchError(refusal.code, refusal.message, retryable)


def _arguments(text: object) -> dict[str, Any] | None:
    try:
        data = json.loads(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return data if isinstance(data, dict) else None


def _without_nulls(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
