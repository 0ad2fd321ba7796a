"""What can be asked about a record of Sonde, be it an invocation or a chat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from ._address import checked_event_id, checked_key, path_segment
from ._calls import Retry, call
from ._following import ReadEvent, follow, poll_until
from ._record import BadRecord, R
from ._replies import Reply
from ._wire import Endpoint, Operation, Request
from .errors import SondeUsageError
from .records import ChatReply, Invocation

_LONGEST_POLL = 60.0
_POLL_PAUSE = 0.5

STREAM: dict[str, str | None] = {
    "Accept": "text/event-stream",
    # A compressing proxy would hold events back.
    "Accept-Encoding": "identity",
}

Kept = TypeVar("Kept", Invocation, ChatReply)


@dataclass(frozen=True)
class Records(Generic[Kept]):
    """What is the same for invocations and for chats on record."""

    endpoint: Endpoint
    path: str
    what: str
    id_field: str
    kind: type[Kept]
    at_rest: frozenset[str]
    read_event: ReadEvent

    def get(self, ref: object, token: str | None, timeout: float | None) -> Operation[Kept]:
        return self._ask("GET", ref, token, "", timeout)

    def cancel(self, ref: object, token: str | None, timeout: float | None) -> Operation[Kept]:
        return self._ask("POST", ref, token, "/cancel", timeout)

    def decide(
        self,
        ref: object,
        token: str | None,
        what: str,
        decisions: Sequence[Any],
        timeout: float | None,
    ) -> Operation[Kept]:
        return self._ask("POST", ref, token, f"/{what}", timeout, {what: list(decisions)})

    def delete(self, ref: object, token: str | None, timeout: float | None) -> Operation[None]:
        path, headers, _ = self._opened(ref, token)
        request = self.endpoint.request("DELETE", path, None, headers)
        yield from call(self.endpoint, request, Retry.REPEATABLE, timeout)

    def wait(self, ref: object, token: str | None, timeout: float) -> Operation[Kept]:
        path, headers, token = self._opened(ref, token)

        def request(seconds: int) -> Request:
            return self.endpoint.request("GET", f"{path}/wait?timeout={seconds}", None, headers)

        reply = yield from poll_until(
            self.endpoint,
            request,
            lambda reply: self._read(reply, token).status in self.at_rest,
            timeout=timeout,
            what=self.what,
            longest_poll=_LONGEST_POLL,
            pause=_POLL_PAUSE,
        )
        return self._read(reply, token)

    def events(
        self,
        ref: object,
        token: str | None,
        last_event_id: str | None,
        idle_timeout: float,
        give_up_after: float,
    ) -> Operation[None]:
        path, headers, _ = self._opened(ref, token)

        def request(place: str | None) -> Request:
            asked = {**headers, **STREAM, "Last-Event-ID": place}
            return self.endpoint.request("GET", f"{path}/events", None, asked)

        yield from follow(
            self.endpoint,
            request,
            self.read_event,
            last_event_id=checked_event_id(last_event_id),
            idle_timeout=idle_timeout,
            give_up_after=give_up_after,
        )

    def _ask(
        self,
        method: str,
        ref: object,
        token: str | None,
        action: str,
        timeout: float | None,
        body: object = None,
    ) -> Operation[Kept]:
        path, headers, token = self._opened(ref, token)
        request = self.endpoint.request(method, path + action, body, headers)
        reply = yield from call(self.endpoint, request, Retry.REPEATABLE, timeout)
        return self._read(reply, token)

    def _opened(
        self, ref: object, token: str | None
    ) -> tuple[str, dict[str, str | None], str | None]:
        """The path of ``ref``, the headers that open it, and its token."""
        identity = ref if isinstance(ref, str) else _attribute(ref, self.id_field)
        if not isinstance(identity, str):
            raise SondeUsageError(f"no {self.id_field}: there is no record to ask for")
        token = checked_key(token or _attribute(ref, "invocation_token"), "token")
        path = f"{self.path}/{path_segment(identity, self.id_field)}"
        return path, {"X-Invocation-Token": token}, token

    def _read(self, reply: Reply, token: str | None) -> Kept:
        record = read_record(self.endpoint, reply, self.kind)
        if token is None or record.invocation_token is not None:
            return record
        # The service says it only once; the record is of use to whoever has it from here on.
        raw = {**record.raw, "invocation_token": token}
        return replace(record, invocation_token=token, raw=raw)


def read_record(endpoint: Endpoint, reply: Reply, kind: type[R]) -> R:
    try:
        return kind.read(reply.json_object(endpoint))
    except BadRecord:
        raise reply.unexpected(endpoint, "JSON that is not what was asked for") from None


def _attribute(ref: object, name: str) -> Any:
    return ref.get(name) if isinstance(ref, Mapping) else getattr(ref, name, None)
