"""Runs deep research in Sonde, in the mode that the flags select."""

from __future__ import annotations

import uuid
from dataclasses import asdict
from functools import partial
from typing import Any

from .. import HasInvocation, Invocation, InvocationRef, SondeError
from .._internal.sonde import SETTLED
from .plan_output import show_plan
from .run import MAX_TIMEOUT, SondeRun, foreground_wait_seconds
from .terminal.interrupt import CANCEL_SECONDS, ActiveRun

_TOOL = "deep_research"


async def research(run: SondeRun) -> int:
    flags = run.flags
    return end(run, await (_followed(run) if flags.background or flags.stream else _awaited(run)))


async def _awaited(run: SondeRun) -> Invocation:
    key, arguments = str(uuid.uuid4()), _arguments(run)
    invoke = partial(run.sonde.invoke, _TOOL, arguments, idempotency_key=key)

    async def find() -> ActiveRun:
        # The id is unknown until the reply arrives; the same request with the same key and no
        # wait returns it.
        return active_run(run, await invoke(wait_seconds=0, timeout=CANCEL_SECONDS))

    run.interrupt.find_run = find
    record = await invoke(wait_seconds=foreground_wait_seconds(run.flags), timeout=MAX_TIMEOUT)
    on_submitted(run, record)
    if record.status in SETTLED:
        return record
    try:
        return await follow(run, record)
    except SondeError:
        # Events are only displayed; if they fail, the record is still fetched.
        return await run.sonde.wait(record, timeout=MAX_TIMEOUT)


async def _followed(run: SondeRun) -> Invocation:
    key, arguments = str(uuid.uuid4()), _arguments(run)
    stream = run.flags.stream
    submit = partial(run.sonde.submit, _TOOL, arguments, stream=stream, idempotency_key=key)

    async def find() -> ActiveRun:
        return active_run(run, await submit(timeout=CANCEL_SECONDS))

    run.interrupt.find_run = find
    record = await submit(timeout=MAX_TIMEOUT)
    on_submitted(run, record)
    return await follow(run, record)


async def follow(run: SondeRun, ref: InvocationRef) -> Invocation:
    """Prints the events of a run until it ends or requires action."""
    flags, output = run.flags, run.output
    async for event in run.sonde.events(ref):
        if event.type == "progress":
            output.progress(event.data)
        if flags.stream and flags.json:
            output.write_json(asdict(event))
        elif flags.stream and event.type == "output_text":
            output.write(_text(event.data))
        if event.type == "requires_action":
            # The event stays in the log after the decision.
            record = await run.sonde.get(ref, timeout=MAX_TIMEOUT)
            if record.status == "requires_action":
                break
    # Returns immediately, except after a gap.
    return await run.sonde.wait(ref, timeout=MAX_TIMEOUT)


def end(run: SondeRun, record: Invocation) -> int:
    """Prints what has not been printed yet, reports failures and returns the exit code."""
    flags, output = run.flags, run.output
    output.field("upstream_response_id", record.upstream_response_id)
    if not flags.json:
        output.write(_unprinted(record.output_text or "", output.text))
    elif not flags.stream:
        output.write_json(record.raw)
    if record.status == "requires_action":
        show_plan(run, record)
        return 5
    failure = _failure_of(record)
    if failure is None:
        return 0
    output.log(f"sonde: the research {failure}")
    return 1


def on_submitted(run: SondeRun, record: Invocation) -> None:
    """Prints the ids of a new run, which Ctrl-C detaches from."""
    run.output.field("invocation_id", record.invocation_id)
    run.output.field("invocation_token", record.invocation_token)
    run.interrupt.track(active_run(run, record))


def active_run(run: SondeRun, ref: HasInvocation) -> ActiveRun:
    """The run that Ctrl-C detaches from or cancels."""
    run_id = str(ref.invocation_id)
    cancel = partial(run.sonde.cancel, ref, timeout=CANCEL_SECONDS)
    return ActiveRun(run_id, cancel, run.tokens.save(run_id, ref.invocation_token))


def _arguments(run: SondeRun) -> dict[str, Any]:
    flags = run.flags
    arguments = {
        "research_question": run.prompt,
        "system_prompt": flags.system_prompt,
        "context": flags.context or None,
        "deliverable_format": flags.deliverable_format,
        "plan": flags.plan,
    }
    return {name: value for name, value in arguments.items() if value is not None}


def _text(data: Any) -> str:
    text = data.get("text") if isinstance(data, dict) else None
    return text if isinstance(text, str) else ""


def _unprinted(whole: str, written: str) -> str:
    """The text that the stream did not contain. After a gap the whole text is printed again."""
    if whole.startswith(written):
        return whole.removeprefix(written)
    return whole and f"\n\n{whole}"


def _failure_of(record: Invocation) -> str | None:
    code = record.error.code if record.error else record.status
    if record.status == "completed":
        return None
    if record.status == "incomplete":
        return f"ended early: {code}"
    if record.status == "cancelled":
        return "was cancelled"
    return f"failed: {record.error_message or code}"
