"""The async client of the model endpoint."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING

import httpx

from ._drivers import AsyncDriver
from ._model import ModelOperations
from ._sonde import LONG, WAIT
from ._tool_calling import create_response_with_tool_calling
from .async_client import AsyncSondeClient
from .records import (
    ChatCompletion,
    DeliverableFormat,
    Invocation,
    ModelResponse,
    ToolCallingResult,
)

if TYPE_CHECKING:
    from typing_extensions import Self


class AsyncModelClient:
    """An OpenAI-compatible model endpoint, without Sonde: use it in an ``async with`` statement.

    ``base_url``: its root, or its URL that ends in `/v1`. ``api_key`` is sent to it alone; Sonde
    never gets to know it. What may have been paid for is never sent again: a request is repeated
    only after a rate limit (429), reading and cancelling also after a lost connection.

    Raises what ``AsyncSondeClient`` raises; the code of a ``SondeApiError`` is the endpoint's own.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        model: str = "gpt-4o",
        *,
        timeout: float = 60.0,
        max_retries: int = 2,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        self._operations = ModelOperations(base_url, api_key, model, timeout, max_retries)
        endpoint = self._operations.endpoint
        self._driver = AsyncDriver(endpoint.name, endpoint.base_url, http_client)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections; a background response goes on."""
        await self._driver.close()

    async def create_response(
        self,
        prompt: str,
        *,
        background: bool = False,
        web_search: bool = False,
        instructions: str | None = None,
        context: Sequence[str] | None = None,
        timeout: float = LONG,
    ) -> ModelResponse:
        """`POST /v1/responses`. With ``background`` it is queued: ``wait_for_response``."""
        return await self._driver.run(
            self._operations.create_response(
                prompt,
                background=background,
                web_search=web_search,
                instructions=instructions,
                context=context,
                timeout=timeout,
            )
        )

    async def get_response(
        self, response_id: str, *, timeout: float | None = None
    ) -> ModelResponse:
        """A response as it is now."""
        return await self._driver.run(self._operations.get_response(response_id, timeout))

    async def wait_for_response(self, response_id: str, *, timeout: float = WAIT) -> ModelResponse:
        """A background response at its end, whatever that is: look at its ``status``.

        Raises ``SondeTimeoutError`` after ``timeout``; the response goes on.
        """
        return await self._driver.run(self._operations.wait_for_response(response_id, timeout))

    async def cancel_response(
        self, response_id: str, *, timeout: float | None = None
    ) -> ModelResponse:
        """Stop a background response."""
        return await self._driver.run(self._operations.cancel_response(response_id, timeout))

    async def create_chat_completion(
        self,
        prompt: str,
        *,
        system_prompt: str | None = None,
        context: Sequence[str] | None = None,
        timeout: float = LONG,
    ) -> ChatCompletion:
        """`POST /v1/chat/completions`."""
        return await self._driver.run(
            self._operations.create_chat_completion(
                prompt, system_prompt=system_prompt, context=context, timeout=timeout
            )
        )

    async def create_response_with_tool_calling(
        self,
        prompt: str,
        *,
        sonde: AsyncSondeClient,
        system_prompt: str | None = None,
        context: Sequence[str] | None = None,
        deliverable_format: DeliverableFormat | None = None,
        on_invocation: Callable[[Invocation], object] | None = None,
        timeout: float = WAIT,
    ) -> ToolCallingResult:
        """The model decides whether ``deep_research`` is needed; Sonde does it, the model answers.

        ``system_prompt`` and ``deliverable_format`` are for the research; a format that the model
        chooses wins. ``on_invocation`` is told of the research as soon as it has begun, so that it
        can be found again. A model that fails after the research leaves its summary as the text.
        """
        return await self._driver.run(
            create_response_with_tool_calling(
                self._operations,
                sonde._operations,
                sonde._driver,
                prompt,
                system_prompt=system_prompt,
                context=context,
                deliverable_format=deliverable_format,
                on_invocation=on_invocation,
                timeout=timeout,
            )
        )
