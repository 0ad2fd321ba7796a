"""Commands on an existing run, whose id is the prompt."""

from __future__ import annotations

from dataclasses import dataclass

from .. import ChatReply, Invocation
from .._internal.sonde import FINAL, SETTLED
from . import chat, plan, research
from .chat_output import ChatOutput
from .run import MAX_TIMEOUT, SondeRun
from .terminal.live import one_line

_SHOWN = 100
"""Maximum length of a question in the list, in characters."""


async def command(run: SondeRun) -> int:
    if run.flags.command == "list":
        return await _list(run)
    is_chat = run.prompt.startswith("chat_")
    return await (_of_chat(run) if is_chat else _of_invocation(run))


async def _list(run: SondeRun) -> int:
    page = await run.sonde.list(timeout=MAX_TIMEOUT)
    if run.flags.json:
        run.output.write_json(page.raw)
    else:
        for record in page.data:
            run.output.write(f"{_line_of(record)}\n")
    if page.has_more:
        run.output.log("sonde: older runs are not shown")
    return 0


def _line_of(record: Invocation) -> str:
    question = one_line(record.question or "")
    text = question[:_SHOWN] + ("…" if len(question) > _SHOWN else "")
    fields = (record.invocation_id, record.status, record.created_at, record.tool_name, text)
    return "\t".join(str(each or "") for each in fields)


@dataclass(frozen=True)
class _InvocationRef:
    invocation_id: str
    invocation_token: str | None


@dataclass(frozen=True)
class _ChatRef:
    chat_id: str
    invocation_token: str | None


async def _of_invocation(run: SondeRun) -> int:
    ref = _InvocationRef(run.prompt, run.tokens.of(run.prompt))
    if run.flags.command == "attach":
        run.interrupt.track(research.active_run(run, ref))
        return research.end(run, await research.follow(run, ref))
    if run.flags.command == "get":
        record = await run.sonde.get(ref, timeout=MAX_TIMEOUT)
        if record.status in SETTLED:
            return research.end(run, record)
        return _unfinished(run, record)
    if run.flags.command == "continue":
        return await plan.continue_run(run, ref)
    if run.flags.command == "plan" and not run.flags.refuse:
        return await plan.plan(run, ref)
    if run.flags.command == "plan":
        # The run of a plan that is refused is cancelled.
        record = await plan.decide(run, ref)
    else:
        record = await run.sonde.cancel(ref, timeout=MAX_TIMEOUT)
    if record.status not in FINAL:
        record = await run.sonde.wait(ref, timeout=MAX_TIMEOUT)
    return _cancelled(run, record)


async def _of_chat(run: SondeRun) -> int:
    ref = _ChatRef(run.prompt, run.tokens.of(run.prompt))
    if run.flags.command == "cancel":
        reply = await run.sonde.chats.cancel(ref, timeout=MAX_TIMEOUT)
        if reply.status in chat.OPEN:
            reply = await run.sonde.chats.wait(ref, timeout=MAX_TIMEOUT)
        return _cancelled(run, reply)
    shown = ChatOutput(run, on_record=True)
    if run.flags.command == "attach":
        run.interrupt.track(chat.active_run(run, ref))
        reply = await chat.follow(run, shown, ref)
    else:
        reply = await run.sonde.chats.get(ref, timeout=MAX_TIMEOUT)
        if reply.status in chat.OPEN:
            return _unfinished(run, reply)
    shown.reply(reply)
    return shown.end(reply)


def _unfinished(run: SondeRun, record: Invocation | ChatReply) -> int:
    if run.flags.json:
        run.output.write_json(record.raw)
    name = run.prompt
    run.output.log(f"sonde: {name} is {record.status}; to follow it: sonde attach {name}")
    return 4


def _cancelled(run: SondeRun, record: Invocation | ChatReply) -> int:
    if run.flags.json:
        run.output.write_json(record.raw)
    if record.status == "cancelled":
        run.output.log(f"{run.prompt} is cancelled; cost incurred so far is not refunded")
        return 0
    run.output.log(f"sonde: {run.prompt} has already ended: {record.status}")
    return 1
