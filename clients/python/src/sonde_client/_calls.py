"""One request and its reply, sent again where nothing can be bought or done twice by it."""

from __future__ import annotations

import random
from enum import Enum, auto
from time import monotonic

from ._replies import Reply
from ._wire import Close, Endpoint, Head, Open, Operation, Read, Request, Sleep
from .errors import SondeConnectionError, SondeError, SondeTimeoutError

_PASSING = frozenset({408, 429, 500, 502, 503, 504})
_FIRST_DELAY = 0.5
_LONGEST_DELAY = 8.0


class Retry(Enum):
    """What may be sent again."""

    REPEATABLE = auto()
    """It does the same however often it arrives."""
    IF_REFUSED = auto()
    """Only what the service has refused for sure, and invited to come again."""
    IF_LIMITED = auto()
    """Only what a rate limit has refused: a lost reply may have been paid for."""

    def after(self, reply: Reply) -> bool:
        if self is Retry.REPEATABLE:
            return reply.status in _PASSING
        if self is Retry.IF_LIMITED:
            return reply.status == 429
        return reply.status in (429, 503) and reply.is_problem and reply.retry_after is not None


def is_passing(reply: Reply) -> bool:
    """Whether the same request may well succeed later."""
    return reply.status == 408 or reply.status == 429 or reply.status >= 500


def backoff(tries: int) -> float:
    """Seconds to wait after ``tries`` tries more than one, with jitter."""
    # A jitter downwards alone keeps the longest delay the longest.
    return min(_FIRST_DELAY * 2.0 ** min(tries, 10), _LONGEST_DELAY) * random.uniform(0.75, 1.0)


def call(
    endpoint: Endpoint,
    request: Request,
    retry: Retry,
    timeout: float | None = None,
    *,
    streamed: bool = False,
) -> Operation[Reply]:
    """The reply with a status 2xx; any other is raised, when no try is left or allowed.

    ``timeout``: seconds for all tries together. ``streamed``: the body is left to be read.
    """
    try:
        return (yield from _retried(endpoint, request, retry, timeout, streamed))
    except SondeError as error:
        error.url = error.url or request.url.partition("?")[0]
        raise


def _retried(
    endpoint: Endpoint, request: Request, retry: Retry, timeout: float | None, streamed: bool
) -> Operation[Reply]:
    limit = endpoint.timeout if timeout is None else timeout
    deadline = monotonic() + limit
    tries = 0
    lost = False
    while True:
        delay: float | None = None
        try:
            reply = yield from exchange(endpoint, request, deadline - monotonic(), streamed)
        except SondeTimeoutError:
            raise SondeTimeoutError(f"no answer from {endpoint.name} within {limit:g} s") from None
        except SondeConnectionError as error:
            if retry is not Retry.REPEATABLE:
                raise
            lost = True
            failure: SondeError = error
        else:
            # The request whose reply was lost had done it.
            if reply.ok or (lost and request.method == "DELETE" and reply.status == 404):
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
    """One try. The body of a ``streamed`` reply is read only if the reply is an error."""
    deadline = monotonic() + timeout
    if timeout <= 0:
        raise SondeTimeoutError(f"no time is left to ask {endpoint.name}")
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


class Patience:
    """How long to wait before the next try, and when to give up, of something that is followed."""

    def __init__(self, endpoint: Endpoint, give_up_after: float) -> None:
        self._endpoint = endpoint
        self._give_up_after = give_up_after
        self._heard_at = monotonic()
        self._tries = 0

    def heard(self) -> None:
        """The other side lives."""
        self._heard_at = monotonic()

    def progressed(self) -> None:
        """Something came that was waited for: the next delays are short again."""
        self.heard()
        self._tries = 0

    @property
    def rest(self) -> float:
        """Seconds until it gives up."""
        return self._heard_at + self._give_up_after - monotonic()

    def next_delay(self, retry_after: float | None) -> float:
        # A service that always invites to come again at once is not asked ever faster.
        delay = max(retry_after or 0.0, backoff(self._tries - 1) if self._tries > 0 else 0.0)
        self._tries += 1
        if delay >= self.rest:
            raise SondeConnectionError(
                f"gave up: nothing came from {self._endpoint.name} for {self._give_up_after:g} s"
            )
        return delay
