"""Runs against the model endpoint."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Any

from .. import Invocation, ModelResponse
from .research import active_run
from .run import MAX_TIMEOUT, ModelRun, SondeRun
from .terminal.interrupt import CANCEL_SECONDS, ActiveRun

_CALLED = "[deep_research was called automatically]"


async def completion(run: ModelRun) -> int:
    """`/v1/chat/completions`."""
    flags, output = run.flags, run.output
    reply = await run.model.create_chat_completion(
        run.prompt,
        system_prompt=flags.system_prompt,
        context=flags.context,
        timeout=MAX_TIMEOUT,
    )
    output.field("completion_id", reply.id)
    if flags.json:
        output.write_json(reply.completion)
    else:
        output.write(reply.content)
    reason = reply.completion["choices"][0].get("finish_reason")
    if reason not in ("length", "content_filter"):
        return 0
    output.log(f"sonde: the response ended early: {reason}")
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
        timeout=MAX_TIMEOUT,
    )
    output.field("response_id", reply.id)
    # Endpoints without background mode reply with the finished response and store nothing.
    if reply.status in ("queued", "in_progress"):
        cancel = partial(run.model.cancel_response, reply.id, timeout=CANCEL_SECONDS)
        run.interrupt.track(ActiveRun(reply.id, cancel))
        reply = await run.model.wait_for_response(reply.id, timeout=MAX_TIMEOUT)
    if flags.json:
        output.write_json(reply.response)
    else:
        output.write(reply.output_text)
    failure = _failure_of(reply)
    if failure is None:
        return 0
    output.log(f"sonde: the response {failure}")
    return 1


async def tool_calling(run: ModelRun, sonde: SondeRun) -> int:
    """The model decides, and Sonde runs the research."""
    flags, output = run.flags, run.output

    def began(record: Invocation) -> None:
        run.interrupt.track(active_run(sonde, record))
        output.log(_CALLED)
        output.field("invocation_id", record.invocation_id)
        output.field("invocation_token", record.invocation_token)

    result = await run.model.create_response_with_tool_calling(
        run.prompt,
        sonde=sonde.sonde,
        system_prompt=flags.system_prompt,
        context=flags.context,
        deliverable_format=flags.deliverable_format,
        on_invocation=began,
        # When the time has elapsed, the report obtained so far is the result.
        timeout=flags.seconds,
    )
    if result.tool_called and result.invocation_id is None:
        output.log(_CALLED)
    for name in ("response_id", "previous_response_id", "tool_call_id", "upstream_response_id"):
        output.field(name, getattr(result, name))
    if flags.json:
        output.write_json(asdict(result))
    else:
        output.write(result.final_text)
    if result.error is not None:
        output.log(f"sonde: the research failed: {result.error.message}")
    elif not result.final_text.strip():
        output.log("sonde: the response contains no text")
    else:
        return 0
    return 1


def _failure_of(reply: ModelResponse) -> str | None:
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
