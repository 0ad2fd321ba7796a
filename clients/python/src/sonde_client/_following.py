"""Event streams: one that is resumed until its last event, and one that cannot be."""

from __future__ import annotations

import json
from collections.abc import Callable
from time import monotonic
from typing import Any, Protocol

from ._calls import Patience, Retry, call, exchange, is_passing
from ._replies import Reply
from ._sse import Frame, SseDecoder
from ._wire import Close, Emit, Endpoint, Operation, Read, Request, Sleep
from .errors import SondeConnectionError, SondeProtocolError, SondeTimeoutError

LAST = frozenset({"completed", "error", "gap"})


class Event(Protocol):
    @property
    def type(self) -> str: ...


class Unreadable(Exception):
    """A frame that cannot be read."""


ReadEvent = Callable[[Frame, Any], Event]


def follow(
    endpoint: Endpoint,
    request: Callable[[str | None], Request],
    read_event: ReadEvent,
    *,
    last_event_id: str | None,
    idle_timeout: float,
    give_up_after: float,
) -> Operation[None]:
    """Every event once, in order. ``request`` is made from the last id that was seen."""
    patience = Patience(endpoint, give_up_after)
    place = last_event_id
    seen = {place}
    unreadable_at: list[str | None] = []
    while True:
        retry_after = None
        try:
            limit = min(idle_timeout, patience.rest)
            reply = yield from exchange(endpoint, request(place), limit, streamed=True)
            if reply.ok:
                _check_is_stream(endpoint, reply)
                decoder = SseDecoder()
                while chunk := (yield Read()):
                    patience.heard()
                    for frame in decoder.feed(chunk):
                        if frame.id and frame.id in seen:
                            continue
                        event = _event(frame, read_event)
                        if frame.id is not None:
                            place = frame.id or None
                            seen.add(place)
                        yield Emit(event)
                        # What the caller did with it took no time of the service's.
                        patience.progressed()
                        if event.type in LAST:
                            yield Close()
                            return
            elif is_passing(reply):
                retry_after = reply.retry_after
            else:
                raise reply.error(endpoint)
        except Unreadable:
            if unreadable_at == [place]:
                raise _unreadable(endpoint) from None
            unreadable_at = [place]
        except SondeConnectionError:
            pass
        yield Close()
        yield Sleep(patience.next_delay(retry_after))


def stream_once(
    endpoint: Endpoint, request: Request, read_event: ReadEvent, timeout: float
) -> Operation[None]:
    """Events until the last; ``timeout``: seconds until the first byte, and of silence then."""
    reply = yield from call(endpoint, request, Retry.IF_REFUSED, timeout, streamed=True)
    _check_is_stream(endpoint, reply)
    decoder = SseDecoder()
    while chunk := (yield Read()):
        for frame in decoder.feed(chunk):
            try:
                event = _event(frame, read_event)
            except Unreadable:
                raise _unreadable(endpoint) from None
            yield Emit(event)
            if event.type in LAST:
                yield Close()
                return
    raise SondeConnectionError(f"the stream of {endpoint.name} ended before its final event")


def poll_until(
    endpoint: Endpoint,
    request: Callable[[int], Request],
    is_over: Callable[[Reply], bool],
    *,
    timeout: float,
    what: str,
    longest_poll: float,
    pause: float,
    give_up_after: float = 300.0,
) -> Operation[Reply]:
    """Asks until the reply says that it is over, also when the connection is lost in between.

    ``request`` is made from the seconds that the other side may take to answer; ``pause``: the
    seconds between two replies, at the least.
    """
    deadline = monotonic() + timeout
    patience = Patience(endpoint, give_up_after)
    while (rest := deadline - monotonic()) > 0:
        asked_at = monotonic()
        # Rounded up: the service counts in whole seconds.
        seconds = int(min(longest_poll, -(-rest // 1)))
        try:
            reply = yield from exchange(endpoint, request(seconds), min(rest, seconds + 30.0))
        except SondeConnectionError:
            delay = patience.next_delay(None)
        else:
            if reply.ok:
                if is_over(reply):
                    return reply
                patience.progressed()
                delay = asked_at + pause - monotonic()
            elif is_passing(reply):
                delay = patience.next_delay(reply.retry_after)
            else:
                raise reply.error(endpoint)
        yield Close()
        yield Sleep(max(0.0, min(delay, deadline - monotonic())))
    raise SondeTimeoutError(f"{what} has not finished within {timeout:g} s; the run continues")


def _event(frame: Frame, read_event: ReadEvent) -> Event:
    try:
        return read_event(frame, json.loads(frame.data))
    except (ValueError, RecursionError):
        raise Unreadable from None


def _check_is_stream(endpoint: Endpoint, reply: Reply) -> None:
    if not reply.head.headers.get("content-type", "").startswith("text/event-stream"):
        raise reply.unexpected(endpoint, "a body that is not an event stream")


def _unreadable(endpoint: Endpoint) -> SondeProtocolError:
    return SondeProtocolError(f"{endpoint.name} sent an event that cannot be read", status=200)
