"""Event streams that resume, event streams that cannot, and polling."""

from __future__ import annotations

import json
from collections.abc import Callable
from time import monotonic
from typing import Any, Protocol

from ..errors import SondeConnectionError, SondeProtocolError, SondeTimeoutError
from .calls import ReconnectTimer, Retry, call, exchange, is_transient
from .replies import Reply
from .sse import Frame, SseDecoder
from .wire import Close, Emit, Endpoint, Operation, Read, Request, Sleep

TERMINAL_EVENTS = frozenset({"completed", "error", "gap"})


class Event(Protocol):
    @property
    def type(self) -> str: ...


class MalformedEvent(Exception):
    """An event that cannot be parsed."""


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
    """Yields every event once, in order. ``request`` builds a request from the last id received."""
    reconnect = ReconnectTimer(endpoint, give_up_after)
    last_seen_id = last_event_id
    seen = {last_seen_id}
    malformed_after: list[str | None] = []
    while True:
        retry_after = None
        try:
            limit = min(idle_timeout, reconnect.remaining)
            reply = yield from exchange(endpoint, request(last_seen_id), limit, streamed=True)
            if reply.ok:
                _check_is_stream(endpoint, reply)
                decoder = SseDecoder()
                while chunk := (yield Read()):
                    reconnect.received()
                    for frame in decoder.feed(chunk):
                        if frame.id and frame.id in seen:
                            continue
                        event = _event(frame, read_event)
                        if frame.id is not None:
                            last_seen_id = frame.id or None
                            seen.add(last_seen_id)
                        yield Emit(event)
                        # Time that the caller took does not count as silence of the service.
                        reconnect.progressed()
                        if event.type in TERMINAL_EVENTS:
                            yield Close()
                            return
            elif is_transient(reply):
                retry_after = reply.retry_after
            else:
                raise reply.error(endpoint)
        except MalformedEvent:
            if malformed_after == [last_seen_id]:
                raise _malformed(endpoint) from None
            malformed_after = [last_seen_id]
        except SondeConnectionError:
            pass
        yield Close()
        yield Sleep(reconnect.next_delay(retry_after))


def stream_once(
    endpoint: Endpoint, request: Request, read_event: ReadEvent, timeout: float
) -> Operation[Event]:
    """Yields the events before the final one, which it returns. ``timeout``: seconds until the
    first byte and between two.
    """
    reply = yield from call(endpoint, request, Retry.IF_REFUSED, timeout, streamed=True)
    _check_is_stream(endpoint, reply)
    decoder = SseDecoder()
    while chunk := (yield Read()):
        for frame in decoder.feed(chunk):
            try:
                event = _event(frame, read_event)
            except MalformedEvent:
                raise _malformed(endpoint) from None
            if event.type in TERMINAL_EVENTS:
                yield Close()
                return event
            yield Emit(event)
    raise SondeConnectionError(f"the stream of {endpoint.name} ended before its final event")


def poll_until(
    endpoint: Endpoint,
    request: Callable[[int], Request],
    is_final: Callable[[Reply], bool],
    *,
    timeout: float,
    what: str,
    max_poll_seconds: float,
    pause: float,
    give_up_after: float = 300.0,
) -> Operation[Reply]:
    """Polls until the reply is final, across lost connections.

    ``request`` builds a request from the seconds that the service may delay its reply. ``pause``:
    minimum number of seconds between two requests.
    """
    deadline = monotonic() + timeout
    reconnect = ReconnectTimer(endpoint, give_up_after)
    while (remaining := deadline - monotonic()) > 0:
        sent_at = monotonic()
        # Rounded up, because the service counts in whole seconds.
        seconds = int(min(max_poll_seconds, -(-remaining // 1)))
        try:
            reply = yield from exchange(endpoint, request(seconds), min(remaining, seconds + 30.0))
        except SondeConnectionError:
            delay = reconnect.next_delay(None)
        else:
            if reply.ok:
                if is_final(reply):
                    return reply
                reconnect.progressed()
                delay = sent_at + pause - monotonic()
            elif is_transient(reply):
                delay = reconnect.next_delay(reply.retry_after)
            else:
                raise reply.error(endpoint)
        yield Close()
        yield Sleep(max(0.0, min(delay, deadline - monotonic())))
    raise SondeTimeoutError(f"{what} has not finished within {timeout:g} s; the run continues")


def _event(frame: Frame, read_event: ReadEvent) -> Event:
    try:
        return read_event(frame, json.loads(frame.data))
    except (ValueError, RecursionError):
        raise MalformedEvent from None


def _check_is_stream(endpoint: Endpoint, reply: Reply) -> None:
    if not reply.head.headers.get("content-type", "").startswith("text/event-stream"):
        raise reply.unexpected(endpoint, "a body that is not an event stream")


def _malformed(endpoint: Endpoint) -> SondeProtocolError:
    return SondeProtocolError(f"{endpoint.name} sent a malformed event", status=200)
