"""A chat with Sonde, in which the model decides whether to research."""

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
from .._record import BadRecord
from .interrupt import CANCEL_SECONDS, UnderWay
from .run import ANY_TIME, SondeRun, held_seconds
from .told import Told

OPEN = ("queued", "running")


async def chat(run: SondeRun) -> int:
    told = Told(run, on_record=not run.flags.stream)
    if run.flags.stream:
        reply = await _streamed(run, told)
    elif run.flags.background:
        reply = await _followed(run, told)
    else:
        reply = await _awaited(run, told)
    told.reply(reply)
    return told.end(reply)


async def _awaited(run: SondeRun, told: Told) -> ChatReply:
    key = str(uuid.uuid4())
    say = partial(run.sonde.chat, run.prompt, idempotency_key=key, **_request(run))

    async def find() -> UnderWay:
        # Its id is not known before it has ended; the same again, without waiting, has it.
        return under_way(run, await say(wait_seconds=0, timeout=CANCEL_SECONDS))

    run.interrupt.find = find
    reply = await say(wait_seconds=held_seconds(run.flags), timeout=ANY_TIME)
    if reply.status not in OPEN:
        return reply
    run.interrupt.knows(under_way(run, reply))
    told.record(reply)
    try:
        return await follow(run, told, reply)
    except SondeError:
        # Its events are there to be shown; the record itself comes over any connection.
        return await run.sonde.chats.wait(reply, timeout=ANY_TIME)


async def _followed(run: SondeRun, told: Told) -> ChatReply:
    key = str(uuid.uuid4())
    request: ChatRequest = {**_request(run), "background": True}
    say = partial(run.sonde.chat, run.prompt, idempotency_key=key, **request)

    async def find() -> UnderWay:
        return under_way(run, await say(timeout=CANCEL_SECONDS))

    run.interrupt.find = find
    begun = await say(timeout=ANY_TIME)
    run.interrupt.knows(under_way(run, begun))
    told.record(begun)
    return await follow(run, told, begun)


async def follow(run: SondeRun, told: Told, ref: ChatRef) -> ChatReply:
    """Shows what happens in it until it has ended, or waits for a human."""
    async for event in run.sonde.chats.events(ref):
        told.event(event)
        if run.flags.stream and run.flags.json:
            run.output.write_json(asdict(event))
        elif run.flags.stream and event.type == "delta":
            told.delta(event.data)
        if event.type == "requires_action":
            break
    # Settled already, but after a gap.
    return await run.sonde.chats.wait(ref, timeout=ANY_TIME)


def under_way(run: SondeRun, ref: HasChat) -> UnderWay:
    """What a chat on record leaves behind when its caller goes."""
    # It is on record, for it was asked for with a key.
    run_id = str(ref.chat_id)
    cancel = partial(run.sonde.chats.cancel, ref, timeout=CANCEL_SECONDS)
    return UnderWay(run_id, cancel, run.tokens.keep(run_id, ref.invocation_token))


async def _streamed(run: SondeRun, told: Told) -> ChatReply:
    async for event in run.sonde.chat_stream(run.prompt, timeout=ANY_TIME, **_request(run)):
        told.event(event)
        if run.flags.json:
            run.output.write_json(asdict(event))
        elif event.type == "delta":
            told.delta(event.data)
        if event.type == "completed":
            return _reply(event.data)
        if event.type == "error":
            # What the model had said is all there is.
            return _reply({"status": "failed", "error": event.data})
    raise SondeConnectionError("the stream ended before the response was complete")


def _reply(data: object) -> ChatReply:
    try:
        return ChatReply.read(data)
    except BadRecord:
        raise SondeProtocolError("Sonde sent an event that cannot be read") from None


def _request(run: SondeRun) -> ChatRequest:
    request: ChatRequest = {}
    if run.flags.context:
        request["context"] = run.flags.context
    if run.flags.system_prompt is not None:
        request["system_prompt"] = run.flags.system_prompt
    if run.flags.deliverable_format is not None:
        request["deliverable_format"] = run.flags.deliverable_format
    return request
