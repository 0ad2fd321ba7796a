"""A research by Sonde, in the mode that the flags ask for."""

from __future__ import annotations

import uuid
from dataclasses import asdict
from functools import partial
from typing import Any

from .. import HasInvocation, Invocation, InvocationRef, SondeError
from .._sonde import FINAL
from .interrupt import CANCEL_SECONDS, UnderWay
from .run import ANY_TIME, SondeRun, held_seconds

_TOOL = "deep_research"


async def research(run: SondeRun) -> int:
    flags = run.flags
    return end(run, await (_followed(run) if flags.background or flags.stream else _awaited(run)))


async def _awaited(run: SondeRun) -> Invocation:
    key, arguments = str(uuid.uuid4()), _arguments(run)
    invoke = partial(run.sonde.invoke, _TOOL, arguments, idempotency_key=key)

    async def find() -> UnderWay:
        # Its id is not known before it has ended; the same again, without waiting, has it.
        return under_way(run, await invoke(wait_seconds=0, timeout=CANCEL_SECONDS))

    run.interrupt.find = find
    record = await invoke(wait_seconds=held_seconds(run.flags), timeout=ANY_TIME)
    _begun(run, record)
    if record.status in FINAL:
        return record
    try:
        return await follow(run, record)
    except SondeError:
        # Its events are there to be shown; the record itself comes over any connection.
        return await run.sonde.wait(record, timeout=ANY_TIME)


async def _followed(run: SondeRun) -> Invocation:
    key, arguments = str(uuid.uuid4()), _arguments(run)
    stream = run.flags.stream
    submit = partial(run.sonde.submit, _TOOL, arguments, stream=stream, idempotency_key=key)

    async def find() -> UnderWay:
        return under_way(run, await submit(timeout=CANCEL_SECONDS))

    run.interrupt.find = find
    record = await submit(timeout=ANY_TIME)
    _begun(run, record)
    return await follow(run, record)


async def follow(run: SondeRun, ref: InvocationRef) -> Invocation:
    """Shows what happens to it until it has ended."""
    flags, output = run.flags, run.output
    async for event in run.sonde.events(ref):
        if event.type == "progress":
            output.progress(event.data)
        if flags.stream and flags.json:
            output.write_json(asdict(event))
        elif flags.stream and event.type == "output_text":
            output.write(_text(event.data))
    # Final already, but after a gap.
    return await run.sonde.wait(ref, timeout=ANY_TIME)


def end(run: SondeRun, record: Invocation) -> int:
    """Prints what has not been printed yet, says what is wrong, and gives the exit code."""
    flags, output = run.flags, run.output
    output.note("upstream_response_id", record.upstream_response_id)
    if not flags.json:
        output.write(_unwritten(record.output_text or "", output.text))
    elif not flags.stream:
        output.write_json(record.raw)
    fault = _fault_of(record)
    if fault is None:
        return 0
    output.say(f"sonde: the research {fault}")
    return 1


def _begun(run: SondeRun, record: Invocation) -> None:
    run.output.note("invocation_id", record.invocation_id)
    run.output.note("invocation_token", record.invocation_token)
    run.interrupt.knows(under_way(run, record))


def under_way(run: SondeRun, ref: HasInvocation) -> UnderWay:
    """What Ctrl-C leaves behind, or cancels."""
    run_id = str(ref.invocation_id)
    cancel = partial(run.sonde.cancel, ref, timeout=CANCEL_SECONDS)
    return UnderWay(run_id, cancel, run.tokens.keep(run_id, ref.invocation_token))


def _arguments(run: SondeRun) -> dict[str, Any]:
    flags = run.flags
    arguments = {
        "research_question": run.prompt,
        "system_prompt": flags.system_prompt,
        "context": flags.context or None,
        "deliverable_format": flags.deliverable_format,
    }
    return {name: value for name, value in arguments.items() if value is not None}


def _text(data: Any) -> str:
    text = data.get("text") if isinstance(data, dict) else None
    return text if isinstance(text, str) else ""


def _unwritten(whole: str, written: str) -> str:
    """What a stream has not brought; after a gap all of it is said again."""
    if whole.startswith(written):
        return whole.removeprefix(written)
    return whole and f"\n\n{whole}"


def _fault_of(record: Invocation) -> str | None:
    code = record.error.code if record.error else record.status
    if record.status == "completed":
        return None
    if record.status == "incomplete":
        return f"ended early: {code}"
    if record.status == "cancelled":
        return "was cancelled"
    return f"failed: {record.error_message or code}"
