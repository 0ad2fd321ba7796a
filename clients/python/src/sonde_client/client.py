"""The sync client of Sonde."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast

import httpx

from ._drivers import SyncDriver
from ._sonde import GIVE_UP_AFTER, IDLE, LONG, WAIT, SondeOperations
from .chats import Chats
from .records import (
    ChatEvent,
    ChatReply,
    Invocation,
    InvocationEvent,
    InvocationList,
    InvocationStatus,
    Priority,
    ToolList,
)
from .requests import ChatRequest, InvocationRef, Webhook

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack


class SondeClient:
    """Sonde, from Python: use it in a ``with`` statement, or ``close`` it.

    ``base_url`` may have a path prefix; plain http only to this machine. ``api_key`` is sent to
    Sonde alone. ``timeout``: seconds for calls that are answered at once. ``max_retries``: how
    often a request is sent again that buys nothing twice by it. ``http_client``: your own, e.g.
    for a proxy or certificates; it is not closed.

    An invocation or a chat is named by its id and ``token``, or by what an earlier call returned:
    records carry the token that they were opened with. Time-outs are in seconds.

    Raises ``SondeUsageError``, ``SondeApiError``, ``SondeConnectionError`` (``SondeTimeoutError``)
    and ``SondeProtocolError``, all of them ``SondeError``.
    """

    def __init__(
        self,
        base_url: str = "http://127.0.0.1:8080",
        api_key: str | None = None,
        *,
        timeout: float = 60.0,
        max_retries: int = 2,
        http_client: httpx.Client | None = None,
    ) -> None:
        self._operations = SondeOperations(base_url, api_key, timeout, max_retries)
        self._driver = SyncDriver("Sonde", self._operations.endpoint.base_url, http_client)
        self.chats = Chats(self._driver, self._operations)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections; what was begun at Sonde goes on."""
        self._driver.close()

    def chat(
        self,
        message: str | None = None,
        *,
        idempotency_key: str | None = None,
        wait_seconds: int | None = None,
        timeout: float = LONG,
        **request: Unpack[ChatRequest],
    ) -> ChatReply:
        """Say something; the model calls tools as it needs them.

        With ``idempotency_key`` or ``background=True`` the chat is put on record (``chat_id``), and
        goes on without its caller. ``wait_seconds`` shortens the wait for one with a key. Without
        a key it is sent again only if it was refused for sure.
        """
        return self._driver.run(
            self._operations.chat(message, request, idempotency_key, wait_seconds, timeout)
        )

    def chat_stream(
        self, message: str | None = None, *, timeout: float = LONG, **request: Unpack[ChatRequest]
    ) -> Generator[ChatEvent, None, None]:
        """The events of a chat while it happens; the last is ``completed`` or ``error``.

        It is on no record: one that is cut raises ``SondeConnectionError``. ``timeout``: until the
        first byte, and of silence then. Leaving the iteration closes the connection.
        """
        operation = self._operations.chat_stream(message, request, timeout)
        return cast(Generator[ChatEvent, None, None], self._driver.stream(operation))

    def invoke(
        self,
        tool_name: str,
        arguments: Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        wait_seconds: int | None = None,
        strict: bool = False,
        priority: Priority | None = None,
        webhook: Webhook | None = None,
        timeout: float = LONG,
    ) -> Invocation:
        """Run a tool and wait for its end.

        A record that is not final yet is returned when ``wait_seconds``, or the wait limit of the
        service, pass first: ``wait`` for it. Without ``idempotency_key`` a fresh one is sent.
        With ``strict`` one that failed raises ``SondeApiError``, instead of a record that says so.
        """
        return self._driver.run(
            self._operations.begin(
                tool_name,
                arguments,
                idempotency_key=idempotency_key,
                wait_seconds=wait_seconds,
                strict=strict,
                priority=priority,
                webhook=webhook,
                timeout=timeout,
            )
        )

    def submit(
        self,
        tool_name: str,
        arguments: Mapping[str, Any],
        *,
        stream: bool = False,
        idempotency_key: str | None = None,
        priority: Priority | None = None,
        webhook: Webhook | None = None,
        timeout: float | None = None,
    ) -> Invocation:
        """Begin to run a tool, in the background. ``stream``: its text is told as it is written."""
        return self._driver.run(
            self._operations.begin(
                tool_name,
                arguments,
                mode="stream" if stream else "background",
                idempotency_key=idempotency_key,
                priority=priority,
                webhook=webhook,
                timeout=timeout,
            )
        )

    def get(
        self, ref: InvocationRef, *, token: str | None = None, timeout: float | None = None
    ) -> Invocation:
        """The record as it is now."""
        return self._driver.run(self._operations.invocations.get(ref, token, timeout))

    def wait(
        self, ref: InvocationRef, *, token: str | None = None, timeout: float = WAIT
    ) -> Invocation:
        """The record at its end, also over lost connections and restarts of the service.

        Raises ``SondeTimeoutError`` after ``timeout``; the work goes on.
        """
        return self._driver.run(self._operations.invocations.wait(ref, token, timeout))

    def events(
        self,
        ref: InvocationRef,
        *,
        token: str | None = None,
        last_event_id: str | None = None,
        idle_timeout: float = IDLE,
        give_up_after: float = GIVE_UP_AFTER,
    ) -> Generator[InvocationEvent, None, None]:
        """Every event once, in order, from the start or after ``last_event_id``.

        Resumes by itself when the connection is lost or silent for ``idle_timeout``; gives up when
        nothing came for ``give_up_after``. Ends after ``completed``, ``error`` or ``gap``.
        """
        operation = self._operations.invocations.events(
            ref, token, last_event_id, idle_timeout, give_up_after
        )
        return cast(Generator[InvocationEvent, None, None], self._driver.stream(operation))

    def cancel(
        self, ref: InvocationRef, *, token: str | None = None, timeout: float | None = None
    ) -> Invocation:
        """Stop it, the work at the model endpoint too. One that has ended is returned as it is."""
        return self._driver.run(self._operations.invocations.cancel(ref, token, timeout))

    def delete(
        self, ref: InvocationRef, *, token: str | None = None, timeout: float | None = None
    ) -> None:
        """Stop it if needed, and forget it."""
        self._driver.run(self._operations.invocations.delete(ref, token, timeout))

    def list(
        self,
        *,
        status: InvocationStatus | None = None,
        tool_name: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> InvocationList:
        """One page of what the API key has begun, newest first; needs an API key."""
        query = {"status": status, "tool_name": tool_name, "limit": limit, "cursor": cursor}
        return self._driver.run(self._operations.list(query, timeout))

    def tools(self, *, timeout: float | None = None) -> ToolList:
        """The tools that are on, with the JSON Schemas of their arguments."""
        return self._driver.run(self._operations.tools(timeout))
