"""Runs against the model endpoint."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Any

from .. import Invocation, ModelResponse
from .._tool_calling import RESEARCH_FAILED
from .interrupt import CANCEL_SECONDS, UnderWay
from .research import under_way
from .run import ANY_TIME, ModelRun, SondeRun

_CALLED = "[deep_research was called automatically]"


async def completion(run: ModelRun) -> int:
    """`/v1/chat/completions`."""
    flags, output = run.flags, run.output
    reply = await run.model.create_chat_completion(
        run.prompt,
        system_prompt=flags.system_prompt,
        context=flags.context,
        timeout=ANY_TIME,
    )
    output.note("completion_id", reply.id)
    if flags.json:
        output.write_json(reply.completion)
    else:
        output.write(reply.content)
    reason = reply.completion["choices"][0].get("finish_reason")
    if reason not in ("length", "content_filter"):
        return 0
    output.say(f"sonde: the response ended early: {reason}")
    return 1


async def response(run: ModelRun) -> int:
    """`/v1/responses`."""
    flags, output = run.flags, run.output
    reply = await run.model.create_response(
        run.prompt,
        background=flags.background,
        web_search=flags.web_search,
        instructions=flags.system_prompt,
        context=flags.context,
        timeout=ANY_TIME,
    )
    output.note("response_id", reply.id)
    # An endpoint that knows no background has answered already, and keeps nothing.
    if reply.status in ("queued", "in_progress"):
        cancel = partial(run.model.cancel_response, reply.id, timeout=CANCEL_SECONDS)
        run.interrupt.knows(UnderWay(reply.id, cancel))
        reply = await run.model.wait_for_response(reply.id, timeout=ANY_TIME)
    if flags.json:
        output.write_json(reply.response)
    else:
        output.write(reply.output_text)
    fault = _fault_of(reply)
    if fault is None:
        return 0
    output.say(f"sonde: the response {fault}")
    return 1


async def tool_calling(run: ModelRun, sonde: SondeRun) -> int:
    """The model decides, and Sonde researches."""
    flags, output = run.flags, run.output

    def began(record: Invocation) -> None:
        run.interrupt.knows(under_way(sonde, record))
        output.say(_CALLED)
        output.note("invocation_id", record.invocation_id)
        output.note("invocation_token", record.invocation_token)

    result = await run.model.create_response_with_tool_calling(
        run.prompt,
        sonde=sonde.sonde,
        system_prompt=flags.system_prompt,
        context=flags.context,
        deliverable_format=flags.deliverable_format,
        on_invocation=began,
        # What is there when the time is over is the answer.
        timeout=flags.seconds,
    )
    if result.tool_called and result.invocation_id is None:
        output.say(_CALLED)
    for name in ("response_id", "previous_response_id", "tool_call_id", "upstream_response_id"):
        output.note(name, getattr(result, name))
    if flags.json:
        output.write_json(asdict(result))
    else:
        output.write(result.final_text)
    if result.final_text == RESEARCH_FAILED:
        output.say("sonde: the research failed")
    elif not result.final_text.strip():
        output.say("sonde: the response contains no text")
    else:
        return 0
    return 1


def _fault_of(reply: ModelResponse) -> str | None:
    if reply.status == "cancelled":
        return "was cancelled"
    if reply.status == "incomplete":
        return f"ended early: {_field(reply.response.get('incomplete_details'), 'reason')}"
    if reply.status == "failed":
        error = reply.response.get("error")
        return f"failed: {_field(error, 'message') or _field(error, 'code')}"
    return None


def _field(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None
