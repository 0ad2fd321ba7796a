"""Chats on record, for the async client."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import cast

from ._drivers import AsyncDriver
from ._sonde import GIVE_UP_AFTER, IDLE, WAIT, SondeOperations
from .records import ChatEvent, ChatReply
from .requests import Answer, Approval, ChatRef


class AsyncChats:
    """Chats on record: begun with an idempotency key, in the background, or waiting for a human."""

    def __init__(self, driver: AsyncDriver, operations: SondeOperations) -> None:
        self._driver = driver
        self._chats = operations.chats

    async def get(
        self, ref: ChatRef, *, token: str | None = None, timeout: float | None = None
    ) -> ChatReply:
        """The chat as it is now."""
        return await self._driver.run(self._chats.get(ref, token, timeout))

    async def wait(
        self, ref: ChatRef, *, token: str | None = None, timeout: float = WAIT
    ) -> ChatReply:
        """The chat once it has ended or waits for a human (``requires_action``).

        Raises ``SondeTimeoutError`` after ``timeout``; the chat goes on.
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
        """Every event once, in order, as ``AsyncSondeClient.events`` gives an invocation's."""
        operation = self._chats.events(ref, token, last_event_id, idle_timeout, give_up_after)
        return cast(AsyncGenerator[ChatEvent, None], self._driver.stream(operation))

    async def cancel(
        self, ref: ChatRef, *, token: str | None = None, timeout: float | None = None
    ) -> ChatReply:
        """Stop it, and what its tools do."""
        return await self._driver.run(self._chats.cancel(ref, token, timeout))

    async def delete(
        self, ref: ChatRef, *, token: str | None = None, timeout: float | None = None
    ) -> None:
        """Stop it if needed, and forget it."""
        await self._driver.run(self._chats.delete(ref, token, timeout))

    async def approve(
        self,
        ref: ChatRef,
        approvals: Sequence[Approval],
        *,
        token: str | None = None,
        timeout: float | None = None,
    ) -> ChatReply:
        """Decide on the calls that ``required_action`` lists; the chat then goes on."""
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
        """Answer the questions that ``required_action`` lists; the chat then goes on."""
        return await self._driver.run(self._chats.decide(ref, token, "answers", answers, timeout))
