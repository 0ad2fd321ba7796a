"""The sync client of Sonde."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast

import httpx

from ._internal.drivers import SyncDriver
from ._internal.sonde import (
    FUNCTION_TIMEOUT,
    GIVE_UP_AFTER,
    IDLE,
    LONG_TIMEOUT,
    MAX_ROUNDS,
    WAIT,
    SondeOperations,
)
from .chats import Chats
from .estimates import RunEstimate, RunEstimateList
from .evidence import Evidence, ReadSource, ReadSourceList
from .key_usage import KeyUsage
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
from .report_file import ReportFile, ReportFormat
from .requests import ChatRequest, InvocationRef, PlanDecision, ResearchBudget, Webhook
from .sharing import CreatedShare, ShareList

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack


class SondeClient:
    """Client of the Sonde service. Use it in a ``with`` statement, or call ``close``.

    ``base_url`` may have a path prefix; plain http is accepted for loopback addresses only.
    ``api_key`` is sent to Sonde only. ``timeout``: seconds for calls that the service answers
    immediately. ``max_retries``: maximum number of retries; a request is retried only if that
    cannot repeat work or cost. ``http_client``: a custom client, e.g. for a proxy or
    certificates; it is not closed.

    An invocation or a chat is identified by its id and ``token``, or by a record that an earlier
    call returned, which contains its token. All times are in seconds.

    Raises ``SondeUsageError``, ``SondeApiError``, ``SondeConnectionError``
    (``SondeTimeoutError``) and ``SondeProtocolError``, all subclasses of ``SondeError``.
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
        """Closes the connections; invocations and stored chats continue."""
        self._driver.close()

    def chat(
        self,
        message: str | None = None,
        *,
        idempotency_key: str | None = None,
        wait_seconds: int | None = None,
        timeout: float = LONG_TIMEOUT,
        max_rounds: int = MAX_ROUNDS,
        function_timeout: float = FUNCTION_TIMEOUT,
        **request: Unpack[ChatRequest],
    ) -> ChatReply:
        """Sends a message and returns the answer, after the model has called the tools it needs,
        and this client the ``functions`` of the request.

        ``function_timeout``: seconds of each call of a function; ``max_rounds``: how often those
        that the model calls are run, before it must answer. ``timeout`` is for the whole chat.

        With ``idempotency_key`` or ``background=True`` the chat is stored (``chat_id``) and
        continues if the caller disconnects. ``wait_seconds`` limits the wait of a call with a
        key. Without a key, the request is retried only if the service guarantees that no work was
        started.
        """
        return self._driver.run(
            self._operations.chat(
                message,
                request,
                idempotency_key,
                wait_seconds,
                timeout,
                (max_rounds, function_timeout),
            )
        )

    def chat_stream(
        self,
        message: str | None = None,
        *,
        timeout: float = LONG_TIMEOUT,
        max_rounds: int = MAX_ROUNDS,
        function_timeout: float = FUNCTION_TIMEOUT,
        **request: Unpack[ChatRequest],
    ) -> Generator[ChatEvent, None, None]:
        """Yields the events of a chat as they happen; the last is ``completed`` or ``error``.

        The chat is not stored: a broken connection raises ``SondeConnectionError``. ``timeout``:
        seconds until the first byte and between two. Leaving the iteration closes the connection.
        """
        limits = (max_rounds, function_timeout)
        operation = self._operations.chat_stream(message, request, timeout, limits)
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
        metadata: Mapping[str, str] | None = None,
        timeout: float = LONG_TIMEOUT,
    ) -> Invocation:
        """Runs a tool and waits until it has ended.

        Returns an unfinished record after ``wait_seconds`` or the wait limit of the service; pass
        it to ``wait``. Without ``idempotency_key`` a new key is generated. With ``strict`` a
        failed invocation raises ``SondeApiError`` instead of returning its record.
        """
        return self._driver.run(
            self._operations.submit(
                tool_name,
                arguments,
                idempotency_key=idempotency_key,
                wait_seconds=wait_seconds,
                strict=strict,
                priority=priority,
                webhook=webhook,
                metadata=metadata,
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
        metadata: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> Invocation:
        """Starts a tool in the background. ``stream``: its text is also sent as events."""
        return self._driver.run(
            self._operations.submit(
                tool_name,
                arguments,
                mode="stream" if stream else "background",
                idempotency_key=idempotency_key,
                priority=priority,
                webhook=webhook,
                metadata=metadata,
                timeout=timeout,
            )
        )

    def get(
        self, ref: InvocationRef, *, token: str | None = None, timeout: float | None = None
    ) -> Invocation:
        """Returns the current state of the record."""
        return self._driver.run(self._operations.invocations.get(ref, token, timeout))

    def wait(
        self, ref: InvocationRef, *, token: str | None = None, timeout: float = WAIT
    ) -> Invocation:
        """Returns the record once it is final or requires action, across lost connections and
        restarts of the service.

        Raises ``SondeTimeoutError`` after ``timeout``; the invocation continues.
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
        """Yields every event once, in order, from the start or after ``last_event_id``.

        Reconnects if the connection is lost or silent for ``idle_timeout``; fails if no data
        arrives for ``give_up_after``. Ends after ``completed``, ``error`` or ``gap``.
        """
        operation = self._operations.invocations.events(
            ref, token, last_event_id, idle_timeout, give_up_after
        )
        return cast(Generator[InvocationEvent, None, None], self._driver.stream(operation))

    def cancel(
        self, ref: InvocationRef, *, token: str | None = None, timeout: float | None = None
    ) -> Invocation:
        """Cancels the invocation, also at the model endpoint. A final record is returned
        unchanged.
        """
        return self._driver.run(self._operations.invocations.cancel(ref, token, timeout))

    def decide_plan(
        self,
        ref: InvocationRef,
        decision: PlanDecision,
        *,
        token: str | None = None,
        timeout: float | None = None,
    ) -> Invocation:
        """Approves, edits or refuses the plan of a run that was started with ``plan="review"``.

        The same decision again changes nothing.
        """
        return self._driver.run(self._operations.decide_plan(ref, decision, token, timeout))

    def continue_run(
        self,
        ref: InvocationRef,
        budget: ResearchBudget,
        *,
        token: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Invocation:
        """Continues a run of the agent that ended at a limit, with a budget of its own.

        Returns the new run, which has all that the earlier one found; ``continued_from`` names the
        earlier one, which stays as it is. Without ``idempotency_key`` a new key is generated.
        """
        return self._driver.run(
            self._operations.continue_run(ref, budget, token, idempotency_key, timeout)
        )

    def delete(
        self, ref: InvocationRef, *, token: str | None = None, timeout: float | None = None
    ) -> None:
        """Deletes the record, cancelling the invocation first if it is still running."""
        self._driver.run(self._operations.invocations.delete(ref, token, timeout))

    def keep(
        self, ref: InvocationRef, *, token: str | None = None, timeout: float | None = None
    ) -> Invocation:
        """Keeps the record of an ended invocation until it is released."""
        return self._driver.run(
            self._operations.invocations.act(ref, token, "/keep", None, timeout)
        )

    def release(
        self, ref: InvocationRef, *, token: str | None = None, timeout: float | None = None
    ) -> Invocation:
        """Releases a kept record: it expires after the retention of the service from now on."""
        return self._driver.run(self._operations.invocations.undo(ref, token, "/keep", timeout))

    def share(
        self,
        ref: InvocationRef,
        *,
        expires_in_seconds: int | None = None,
        token: str | None = None,
        timeout: float | None = None,
    ) -> CreatedShare:
        """Makes a link that opens the report, for anyone who has it; a week long unless
        ``expires_in_seconds`` is set, from 60 to 90 days.

        It is not retried after a lost reply; ``shares`` has what was made.
        """
        return self._driver.run(self._operations.share(ref, expires_in_seconds, token, timeout))

    def shares(
        self, ref: InvocationRef, *, token: str | None = None, timeout: float | None = None
    ) -> ShareList:
        """Returns the links that open the report."""
        return self._driver.run(self._operations.shares(ref, token, timeout))

    def unshare(
        self,
        ref: InvocationRef,
        share_id: str,
        *,
        token: str | None = None,
        timeout: float | None = None,
    ) -> None:
        """Revokes a link that opens the report."""
        self._driver.run(self._operations.unshare(ref, share_id, token, timeout))

    def unshare_all(
        self, ref: InvocationRef, *, token: str | None = None, timeout: float | None = None
    ) -> None:
        """Revokes all links that open the report."""
        self._driver.run(self._operations.invocations.delete(ref, token, timeout, "/share"))

    def estimate(
        self, tool_name: str, arguments: Mapping[str, Any], *, timeout: float | None = None
    ) -> RunEstimate:
        """Returns what a run would use, and its limits, without starting it; no model is called.

        Raises what ``submit`` would raise, except for what is full or spent at the moment.
        """
        return self._driver.run(self._operations.estimate(tool_name, arguments, timeout))

    def estimates(self, *, timeout: float | None = None) -> RunEstimateList:
        """Returns what research of each depth would use, and what past runs took."""
        return self._driver.run(self._operations.estimates(timeout))

    def sources(
        self, ref: InvocationRef, *, token: str | None = None, timeout: float | None = None
    ) -> ReadSourceList:
        """Returns what research has read, with its quotes."""
        return self._driver.run(self._operations.sources(ref, token, timeout))

    def source(
        self,
        ref: InvocationRef,
        number: int,
        *,
        token: str | None = None,
        timeout: float | None = None,
    ) -> ReadSource:
        """Returns one source, by the number that citations name."""
        return self._driver.run(self._operations.source(ref, number, token, timeout))

    def evidence(
        self, ref: InvocationRef, *, token: str | None = None, timeout: float | None = None
    ) -> Evidence:
        """Returns the plan, the notes and the verdicts of research by the agent."""
        return self._driver.run(self._operations.evidence(ref, token, timeout))

    def report(
        self,
        ref: InvocationRef,
        format: ReportFormat = "md",
        *,
        token: str | None = None,
        timeout: float | None = None,
    ) -> ReportFile:
        """Returns the report of ended research as a file, with numbered citations."""
        return self._driver.run(self._operations.report(ref, format, token, timeout))

    def usage(
        self, *, from_: str | None = None, to: str | None = None, timeout: float | None = None
    ) -> KeyUsage:
        """Returns what this API key has used by day, kind and model, and its budget; a key is
        required.

        ``from_`` and ``to``: the first and the last UTC day, as ``YYYY-MM-DD``, at most 92 days;
        the last 30 days without them.
        """
        query = {"from": from_, "to": to}
        return self._driver.run(self._operations.usage(query, timeout))

    def list(
        self,
        *,
        status: InvocationStatus | None = None,
        tool_name: str | None = None,
        search: str | None = None,
        metadata: Mapping[str, str] | None = None,
        from_: str | None = None,
        to: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> InvocationList:
        """Returns one page of the invocations of this API key, newest first; a key is required.

        ``search``: a part of the question or the report. ``metadata``: pairs that all have.
        ``from_`` and ``to``: created at that time or later, and before that one.
        """
        query = {
            "status": status,
            "tool_name": tool_name,
            "search": search,
            "metadata": metadata,
            "from": from_,
            "to": to,
            "limit": limit,
            "cursor": cursor,
        }
        return self._driver.run(self._operations.list(query, timeout))

    def tools(self, *, timeout: float | None = None) -> ToolList:
        """Returns the enabled tools with the JSON Schemas of their arguments."""
        return self._driver.run(self._operations.tools(timeout))
