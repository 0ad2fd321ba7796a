"""Operations on stored records of Sonde: invocations and chats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from ..errors import SondeUsageError
from ..records import ChatReply, Invocation
from .address import checked_event_id, checked_key, path_segment
from .calls import Retry, call
from .event_streams import ReadEvent, follow, poll_until
from .record import BadRecord, R
from .replies import Reply
from .wire import Endpoint, Operation, Request

_MAX_POLL_SECONDS = 50.0
_POLL_PAUSE = 0.5

STREAM: dict[str, str | None] = {
    "Accept": "text/event-stream",
    # A compressing proxy would delay events.
    "Accept-Encoding": "identity",
}

RecordT = TypeVar("RecordT", Invocation, ChatReply)


@dataclass(frozen=True)
class Records(Generic[RecordT]):
    """Operations that invocations and stored chats share."""

    endpoint: Endpoint
    path: str
    what: str
    id_field: str
    kind: type[RecordT]
    final_statuses: frozenset[str]
    read_event: ReadEvent

    def get(self, ref: object, token: str | None, timeout: float | None) -> Operation[RecordT]:
        return self._request("GET", ref, token, "", timeout)

    def cancel(self, ref: object, token: str | None, timeout: float | None) -> Operation[RecordT]:
        return self._request("POST", ref, token, "/cancel", timeout)

    def decide(
        self,
        ref: object,
        token: str | None,
        what: str,
        decisions: Sequence[Any],
        timeout: float | None,
    ) -> Operation[RecordT]:
        return self.act(ref, token, f"/{what}", {what: list(decisions)}, timeout)

    def act(
        self, ref: object, token: str | None, action: str, body: object, timeout: float | None
    ) -> Operation[RecordT]:
        return self._request("POST", ref, token, action, timeout, body)

    def create(
        self,
        ref: object,
        token: str | None,
        action: str,
        body: object,
        headers: Mapping[str, str | None],
        timeout: float | None,
    ) -> Operation[RecordT]:
        """Returns a new record, with no token but its own."""
        path, access, _ = self._locate(ref, token)
        request = self.endpoint.request("POST", path + action, body, {**headers, **access})
        reply = yield from call(self.endpoint, request, Retry.REPEATABLE, timeout)
        return read_record(self.endpoint, reply, self.kind)

    def add(
        self,
        ref: object,
        token: str | None,
        below: str,
        body: object,
        kind: type[R],
        timeout: float | None,
    ) -> Operation[R]:
        """Adds something below the path of a record, never twice."""
        path, headers, _ = self._locate(ref, token)
        request = self.endpoint.request("POST", path + below, body, headers)
        reply = yield from call(self.endpoint, request, Retry.IF_REFUSED, timeout)
        return read_record(self.endpoint, reply, kind)

    def undo(
        self, ref: object, token: str | None, action: str, timeout: float | None
    ) -> Operation[RecordT]:
        return self._request("DELETE", ref, token, action, timeout)

    def delete(
        self, ref: object, token: str | None, timeout: float | None, below: str = ""
    ) -> Operation[None]:
        path, headers, _ = self._locate(ref, token)
        request = self.endpoint.request("DELETE", path + below, None, headers)
        yield from call(self.endpoint, request, Retry.DELETION, timeout)

    def wait(self, ref: object, token: str | None, timeout: float) -> Operation[RecordT]:
        path, headers, token = self._locate(ref, token)

        def request(seconds: int) -> Request:
            return self.endpoint.request("GET", f"{path}/wait?timeout={seconds}", None, headers)

        reply = yield from poll_until(
            self.endpoint,
            request,
            lambda reply: self._read(reply, token).status in self.final_statuses,
            timeout=timeout,
            what=self.what,
            max_poll_seconds=_MAX_POLL_SECONDS,
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
        path, headers, _ = self._locate(ref, token)

        def request(last_seen_id: str | None) -> Request:
            all_headers = {**headers, **STREAM, "Last-Event-ID": last_seen_id}
            return self.endpoint.request("GET", f"{path}/events", None, all_headers)

        yield from follow(
            self.endpoint,
            request,
            self.read_event,
            last_event_id=checked_event_id(last_event_id),
            idle_timeout=idle_timeout,
            give_up_after=give_up_after,
        )

    def read(
        self, ref: object, token: str | None, below: str, kind: type[R], timeout: float | None
    ) -> Operation[R]:
        """Reads what is kept below the path of a record."""
        path, headers, _ = self._locate(ref, token)
        request = self.endpoint.request("GET", path + below, None, headers)
        reply = yield from call(self.endpoint, request, Retry.REPEATABLE, timeout)
        return read_record(self.endpoint, reply, kind)

    def file(
        self, ref: object, token: str | None, below: str, timeout: float | None
    ) -> Operation[Reply]:
        """Reads a file that is kept below the path of a record."""
        path, headers, _ = self._locate(ref, token)
        request = self.endpoint.request("GET", path + below, None, {**headers, "Accept": "*/*"})
        return (yield from call(self.endpoint, request, Retry.REPEATABLE, timeout))

    def _request(
        self,
        method: str,
        ref: object,
        token: str | None,
        action: str,
        timeout: float | None,
        body: object = None,
    ) -> Operation[RecordT]:
        path, headers, token = self._locate(ref, token)
        request = self.endpoint.request(method, path + action, body, headers)
        reply = yield from call(self.endpoint, request, Retry.REPEATABLE, timeout)
        return self._read(reply, token)

    def _locate(
        self, ref: object, token: str | None
    ) -> tuple[str, dict[str, str | None], str | None]:
        """Returns the path of ``ref``, the headers that grant access, and its token."""
        identity = ref if isinstance(ref, str) else _attribute(ref, self.id_field)
        if not isinstance(identity, str):
            raise SondeUsageError(f"no {self.id_field}: pass an id or a record that has one")
        token = checked_key(token or _attribute(ref, "invocation_token"), "token")
        path = f"{self.path}/{path_segment(identity, self.id_field)}"
        return path, {"X-Invocation-Token": token}, token

    def _read(self, reply: Reply, token: str | None) -> RecordT:
        record = read_record(self.endpoint, reply, self.kind)
        if token is None or record.invocation_token is not None:
            return record
        # The service returns the token only once; adding it makes the record usable as a
        # reference.
        raw = {**record.raw, "invocation_token": token}
        return replace(record, invocation_token=token, raw=raw)


def read_record(endpoint: Endpoint, reply: Reply, kind: type[R], data: object = None) -> R:
    """``data``: the JSON of the reply, if it was changed."""
    try:
        return kind.read(reply.json_object(endpoint) if data is None else data)
    except BadRecord:
        raise reply.unexpected(endpoint, "JSON of an unexpected form") from None


def _attribute(ref: object, name: str) -> Any:
    return ref.get(name) if isinstance(ref, Mapping) else getattr(ref, name, None)
