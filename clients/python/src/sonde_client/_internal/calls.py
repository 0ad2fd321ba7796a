"""One request and its reply, retried only if that cannot repeat work or cost."""

from __future__ import annotations

import random
from enum import Enum, auto
from time import monotonic

from ..errors import SondeConnectionError, SondeError, SondeTimeoutError
from .replies import Reply
from .wire import Close, Endpoint, Head, Open, Operation, Read, Request, Sleep

_RETRYABLE_STATUSES = frozenset({408, 429, 500, 502, 503, 504})
_FIRST_DELAY = 0.5
_MAX_DELAY = 8.0


class Retry(Enum):
    """Which failures a request is retried after."""

    REPEATABLE = auto()
    """All transient failures, because the request is idempotent."""
    DELETION = auto()
    """The same; after a lost reply, 404 means that an earlier attempt has deleted it."""
    IF_REFUSED = auto()
    """Refusals with problem details and Retry-After, which guarantee that no work was started."""
    IF_LIMITED = auto()
    """Rate limits only, because a lost reply may have been billed."""

    def after(self, reply: Reply) -> bool:
        if self in _IDEMPOTENT:
            return reply.status in _RETRYABLE_STATUSES
        if self is Retry.IF_LIMITED:
            return reply.status == 429
        return reply.status in (429, 503) and reply.is_problem and reply.retry_after is not None


_IDEMPOTENT = (Retry.REPEATABLE, Retry.DELETION)


def is_transient(reply: Reply) -> bool:
    """Whether the same request may succeed later."""
    return reply.status == 408 or reply.status == 429 or reply.status >= 500


def backoff(tries: int) -> float:
    """Seconds to wait after ``tries`` retries, with jitter."""
    # Jitter only shortens the delay, so that the maximum holds.
    return min(_FIRST_DELAY * 2.0 ** min(tries, 10), _MAX_DELAY) * random.uniform(0.75, 1.0)


def call(
    endpoint: Endpoint,
    request: Request,
    retry: Retry,
    timeout: float | None = None,
    *,
    streamed: bool = False,
) -> Operation[Reply]:
    """Returns a reply with status 2xx; raises any other once no retry is left or allowed.

    ``timeout``: seconds for all attempts together. ``streamed``: the caller reads the body.
    """
    try:
        return (yield from _call_with_retries(endpoint, request, retry, timeout, streamed))
    except SondeError as error:
        error.url = error.url or request.url.partition("?")[0]
        raise


def _call_with_retries(
    endpoint: Endpoint, request: Request, retry: Retry, timeout: float | None, streamed: bool
) -> Operation[Reply]:
    limit = endpoint.timeout if timeout is None else timeout
    deadline = monotonic() + limit
    tries = 0
    reply_lost = False
    while True:
        delay: float | None = None
        try:
            reply = yield from exchange(endpoint, request, deadline - monotonic(), streamed)
        except SondeTimeoutError:
            raise SondeTimeoutError(
                f"no response from {endpoint.name} within {limit:g} s"
            ) from None
        except SondeConnectionError as error:
            if retry not in _IDEMPOTENT:
                raise
            reply_lost = True
            failure: SondeError = error
        else:
            if reply.ok or (reply_lost and retry is Retry.DELETION and reply.status == 404):
                return reply
            failure = reply.error(endpoint)
            if not retry.after(reply):
                raise failure
            delay = reply.retry_after
        delay = backoff(tries) if delay is None else delay
        if tries >= endpoint.max_retries or monotonic() + delay >= deadline:
            raise failure
        tries += 1
        yield Sleep(delay)


def exchange(
    endpoint: Endpoint, request: Request, timeout: float, streamed: bool = False
) -> Operation[Reply]:
    """One attempt. The body of a ``streamed`` reply is read only if the reply is an error."""
    deadline = monotonic() + timeout
    if timeout <= 0:
        raise SondeTimeoutError(f"no time left for the request to {endpoint.name}")
    head: Head = yield Open(request, timeout)
    if streamed and 200 <= head.status < 300:
        return Reply(head, b"")
    body = bytearray()
    while chunk := (yield Read()):
        body += chunk
        if monotonic() > deadline:
            raise SondeTimeoutError(f"{endpoint.name} did not respond in time")
    yield Close()
    return Reply(head, bytes(body))


class ReconnectTimer:
    """Decides how long to wait before reconnecting, and when to give up."""

    def __init__(self, endpoint: Endpoint, give_up_after: float) -> None:
        self._endpoint = endpoint
        self._give_up_after = give_up_after
        self._last_received_at = monotonic()
        self._tries = 0

    def received(self) -> None:
        """Records that data arrived."""
        self._last_received_at = monotonic()

    def progressed(self) -> None:
        """Records that an event or a reply arrived, which resets the backoff."""
        self.received()
        self._tries = 0

    @property
    def remaining(self) -> float:
        """Seconds until it gives up."""
        return self._last_received_at + self._give_up_after - monotonic()

    def next_delay(self, retry_after: float | None) -> float:
        # The backoff applies even if the service always sends a short Retry-After.
        delay = max(retry_after or 0.0, backoff(self._tries - 1) if self._tries > 0 else 0.0)
        self._tries += 1
        if delay >= self.remaining:
            raise SondeConnectionError(
                f"no data from {self._endpoint.name} for {self._give_up_after:g} s"
            )
        return delay
