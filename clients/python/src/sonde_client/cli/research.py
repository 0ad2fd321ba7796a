"""A research by Sonde, in the mode that the flags ask for."""

from __future__ import annotations

import uuid
from dataclasses import asdict
from functools import partial
from typing import Any

from .. import Invocation
from .._sonde import FINAL
from .interrupt import CANCEL_SECONDS
from .run import ANY_TIME, SondeRun, held_seconds

_TOOL = "deep_research"


async def research(run: SondeRun) -> int:
    flags, output = run.flags, run.output
    follows = flags.background or flags.stream
    record = await (_followed(run) if follows else _awaited(run))
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


async def _awaited(run: SondeRun) -> Invocation:
    key, arguments = str(uuid.uuid4()), _arguments(run)
    invoke = partial(run.sonde.invoke, _TOOL, arguments, idempotency_key=key)

    async def cancel() -> None:
        # Its id is not known before it has ended; the same again, without waiting, tells it.
        record = await invoke(wait_seconds=0, timeout=CANCEL_SECONDS)
        await run.sonde.cancel(record, timeout=CANCEL_SECONDS)

    run.interrupt.cancel = cancel
    record = await invoke(wait_seconds=held_seconds(run.flags), timeout=ANY_TIME)
    _begun(run, record)
    if record.status in FINAL:
        return record
    return await run.sonde.wait(record, timeout=ANY_TIME)


async def _followed(run: SondeRun) -> Invocation:
    flags, output = run.flags, run.output
    key, arguments = str(uuid.uuid4()), _arguments(run)
    submit = partial(run.sonde.submit, _TOOL, arguments, stream=flags.stream, idempotency_key=key)

    async def cancel() -> None:
        record = await submit(timeout=CANCEL_SECONDS)
        await run.sonde.cancel(record, timeout=CANCEL_SECONDS)

    run.interrupt.cancel = cancel
    record = await submit(timeout=ANY_TIME)
    _begun(run, record)
    async for event in run.sonde.events(record):
        if event.type == "progress":
            output.live.progress(event.data)
        if flags.stream and flags.json:
            output.write_json(asdict(event))
        elif flags.stream and event.type == "output_text":
            output.write(_text(event.data))
    # Final already, but after a gap.
    return await run.sonde.wait(record, timeout=ANY_TIME)


def _begun(run: SondeRun, record: Invocation) -> None:
    run.output.note("invocation_id", record.invocation_id)
    run.output.note("invocation_token", record.invocation_token)
    run.interrupt.cancel = partial(run.sonde.cancel, record, timeout=CANCEL_SECONDS)


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
