"""Operations on stored chats, for the async client."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import cast

from ._internal.drivers import AsyncDriver
from ._internal.sonde import GIVE_UP_AFTER, IDLE, WAIT, SondeOperations
from .records import ChatEvent, ChatList, ChatReply, ChatStatus
from .requests import Answer, Approval, ChatRef


class AsyncChats:
    """Stored chats: started in the background or with an idempotency key, or in
    ``requires_action``.
    """

    def __init__(self, driver: AsyncDriver, operations: SondeOperations) -> None:
        self._driver = driver
        self._operations = operations
        self._chats = operations.chats

    async def get(
        self, ref: ChatRef, *, token: str | None = None, timeout: float | None = None
    ) -> ChatReply:
        """Returns the current state of the chat."""
        return await self._driver.run(self._chats.get(ref, token, timeout))

    async def wait(
        self, ref: ChatRef, *, token: str | None = None, timeout: float = WAIT
    ) -> ChatReply:
        """Waits until the chat has ended or requires action (``requires_action``).

        Raises ``SondeTimeoutError`` after ``timeout`` seconds; the chat continues.
        """
        return await self._driver.run(self._chats.wait(ref, token, timeout))

    def events(
        self,
        ref: ChatRef,
        *,
        token: str | None = None,
        last_event_id: str | None = None,
        idle_timeout: float = IDLE,
        give_up_after: float = GIVE_UP_AFTER,
    ) -> AsyncGenerator[ChatEvent, None]:
        """Yields every event once, in order, like ``AsyncSondeClient.events`` for an invocation."""
        operation = self._chats.events(ref, token, last_event_id, idle_timeout, give_up_after)
        return cast(AsyncGenerator[ChatEvent, None], self._driver.stream(operation))

    async def cancel(
        self, ref: ChatRef, *, token: str | None = None, timeout: float | None = None
    ) -> ChatReply:
        """Cancels the chat and the tool runs that it started."""
        return await self._driver.run(self._chats.cancel(ref, token, timeout))

    async def delete(
        self, ref: ChatRef, *, token: str | None = None, timeout: float | None = None
    ) -> None:
        """Deletes the chat, cancelling it first if it is still running."""
        await self._driver.run(self._chats.delete(ref, token, timeout))

    async def approve(
        self,
        ref: ChatRef,
        approvals: Sequence[Approval],
        *,
        token: str | None = None,
        timeout: float | None = None,
    ) -> ChatReply:
        """Approves or rejects the calls listed in ``required_action``; the chat then continues."""
        return await self._driver.run(
            self._chats.decide(ref, token, "approvals", approvals, timeout)
        )

    async def answer(
        self,
        ref: ChatRef,
        answers: Sequence[Answer],
        *,
        token: str | None = None,
        timeout: float | None = None,
    ) -> ChatReply:
        """Answers the questions listed in ``required_action``; the chat then continues."""
        return await self._driver.run(self._chats.decide(ref, token, "answers", answers, timeout))

    async def list(
        self,
        *,
        status: ChatStatus | None = None,
        search: str | None = None,
        metadata: Mapping[str, str] | None = None,
        from_: str | None = None,
        to: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> ChatList:
        """Returns one page of the stored chats of this API key, like ``SondeClient.list``."""
        query = {
            "status": status,
            "search": search,
            "metadata": metadata,
            "from": from_,
            "to": to,
            "limit": limit,
            "cursor": cursor,
        }
        return await self._driver.run(self._operations.list_chats(query, timeout))
