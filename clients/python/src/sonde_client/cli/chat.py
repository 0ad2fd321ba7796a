"""Runs a chat with Sonde, in which the model decides whether to research."""

from __future__ import annotations

import uuid
from dataclasses import asdict
from functools import partial

from .. import (
    ChatRef,
    ChatReply,
    ChatRequest,
    HasChat,
    SondeConnectionError,
    SondeError,
    SondeProtocolError,
)
from .._internal.record import BadRecord
from .chat_output import ChatOutput
from .run import MAX_TIMEOUT, SondeRun, foreground_wait_seconds
from .terminal.interrupt import CANCEL_SECONDS, ActiveRun

OPEN = ("queued", "running")


async def chat(run: SondeRun) -> int:
    shown = ChatOutput(run, on_record=not run.flags.stream)
    if run.flags.stream:
        reply = await _streamed(run, shown)
    elif run.flags.background:
        reply = await _followed(run, shown)
    else:
        reply = await _awaited(run, shown)
    shown.reply(reply)
    return shown.end(reply)


async def _awaited(run: SondeRun, shown: ChatOutput) -> ChatReply:
    key = str(uuid.uuid4())
    send = partial(run.sonde.chat, run.prompt, idempotency_key=key, **_request(run))

    async def find() -> ActiveRun:
        # The id is unknown until the reply arrives; the same request with the same key and no
        # wait returns it.
        return active_run(run, await send(wait_seconds=0, timeout=CANCEL_SECONDS))

    run.interrupt.find_run = find
    reply = await send(wait_seconds=foreground_wait_seconds(run.flags), timeout=MAX_TIMEOUT)
    if reply.status not in OPEN:
        return reply
    run.interrupt.track(active_run(run, reply))
    shown.record(reply)
    try:
        return await follow(run, shown, reply)
    except SondeError:
        # Events are only displayed; if they fail, the record is still fetched.
        return await run.sonde.chats.wait(reply, timeout=MAX_TIMEOUT)


async def _followed(run: SondeRun, shown: ChatOutput) -> ChatReply:
    key = str(uuid.uuid4())
    request: ChatRequest = {**_request(run), "background": True}
    send = partial(run.sonde.chat, run.prompt, idempotency_key=key, **request)

    async def find() -> ActiveRun:
        return active_run(run, await send(timeout=CANCEL_SECONDS))

    run.interrupt.find_run = find
    submitted = await send(timeout=MAX_TIMEOUT)
    run.interrupt.track(active_run(run, submitted))
    shown.record(submitted)
    return await follow(run, shown, submitted)


async def follow(run: SondeRun, shown: ChatOutput, ref: ChatRef) -> ChatReply:
    """Prints the events of a chat until it ends or requires action."""
    async for event in run.sonde.chats.events(ref):
        shown.event(event)
        if run.flags.stream and run.flags.json:
            run.output.write_json(asdict(event))
        elif run.flags.stream and event.type == "delta":
            shown.delta(event.data)
        if event.type == "requires_action":
            break
    # Returns immediately, except after a gap.
    return await run.sonde.chats.wait(ref, timeout=MAX_TIMEOUT)


def active_run(run: SondeRun, ref: HasChat) -> ActiveRun:
    """A stored chat, which continues after this process has exited."""
    # Requests with a key always create a stored chat.
    run_id = str(ref.chat_id)
    cancel = partial(run.sonde.chats.cancel, ref, timeout=CANCEL_SECONDS)
    return ActiveRun(run_id, cancel, run.tokens.save(run_id, ref.invocation_token))


async def _streamed(run: SondeRun, shown: ChatOutput) -> ChatReply:
    async for event in run.sonde.chat_stream(run.prompt, timeout=MAX_TIMEOUT, **_request(run)):
        shown.event(event)
        if run.flags.json:
            run.output.write_json(asdict(event))
        elif event.type == "delta":
            shown.delta(event.data)
        if event.type == "completed":
            return _reply(event.data)
        if event.type == "error":
            # A stream that ends with an error has no reply; this one carries the error.
            return _reply({"status": "failed", "error": event.data})
    raise SondeConnectionError("the stream ended before the response was complete")


def _reply(data: object) -> ChatReply:
    try:
        return ChatReply.read(data)
    except BadRecord:
        raise SondeProtocolError("Sonde sent a malformed event") from None


def _request(run: SondeRun) -> ChatRequest:
    request: ChatRequest = {}
    if run.flags.context:
        request["context"] = run.flags.context
    if run.flags.system_prompt is not None:
        request["system_prompt"] = run.flags.system_prompt
    if run.flags.deliverable_format is not None:
        request["deliverable_format"] = run.flags.deliverable_format
    return request
