"""The sync client of the model endpoint."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING

import httpx

from ._internal.drivers import SyncDriver
from ._internal.model import ModelOperations
from ._internal.sonde import LONG_TIMEOUT, WAIT
from ._internal.tool_calling import create_response_with_tool_calling
from .client import SondeClient
from .records import (
    ChatCompletion,
    DeliverableFormat,
    Invocation,
    ModelResponse,
    ToolCallingResult,
)

if TYPE_CHECKING:
    from typing_extensions import Self


class ModelClient:
    """Client of an OpenAI-compatible model endpoint. Use it in a ``with`` statement.

    ``base_url``: its root, or its URL that ends in `/v1`. ``api_key`` is sent to this endpoint
    only, never to Sonde. Requests that may have been billed are never repeated: they are retried
    only after a rate limit (429), reading and cancelling also after a lost connection.

    Raises the same errors as ``SondeClient``; the code of a ``SondeApiError`` is that of the
    endpoint.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        model: str = "gpt-4o",
        *,
        timeout: float = 60.0,
        max_retries: int = 2,
        http_client: httpx.Client | None = None,
    ) -> None:
        self._operations = ModelOperations(base_url, api_key, model, timeout, max_retries)
        endpoint = self._operations.endpoint
        self._driver = SyncDriver(endpoint.name, endpoint.base_url, http_client)

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
        """Closes the connections; background responses continue."""
        self._driver.close()

    def create_response(
        self,
        prompt: str,
        *,
        background: bool = False,
        web_search: bool = False,
        instructions: str | None = None,
        context: Sequence[str] | None = None,
        timeout: float = LONG_TIMEOUT,
    ) -> ModelResponse:
        """`POST /v1/responses`. With ``background`` it returns immediately; see
        ``wait_for_response``.
        """
        return self._driver.run(
            self._operations.create_response(
                prompt,
                background=background,
                web_search=web_search,
                instructions=instructions,
                context=context,
                timeout=timeout,
            )
        )

    def get_response(self, response_id: str, *, timeout: float | None = None) -> ModelResponse:
        """Returns the current state of a response."""
        return self._driver.run(self._operations.get_response(response_id, timeout))

    def wait_for_response(self, response_id: str, *, timeout: float = WAIT) -> ModelResponse:
        """Waits until a background response has ended, successfully or not; see its ``status``.

        Raises ``SondeTimeoutError`` after ``timeout``; the response continues.
        """
        return self._driver.run(self._operations.wait_for_response(response_id, timeout))

    def cancel_response(self, response_id: str, *, timeout: float | None = None) -> ModelResponse:
        """Cancels a background response."""
        return self._driver.run(self._operations.cancel_response(response_id, timeout))

    def create_chat_completion(
        self,
        prompt: str,
        *,
        system_prompt: str | None = None,
        context: Sequence[str] | None = None,
        timeout: float = LONG_TIMEOUT,
    ) -> ChatCompletion:
        """`POST /v1/chat/completions`."""
        return self._driver.run(
            self._operations.create_chat_completion(
                prompt, system_prompt=system_prompt, context=context, timeout=timeout
            )
        )

    def create_response_with_tool_calling(
        self,
        prompt: str,
        *,
        sonde: SondeClient,
        system_prompt: str | None = None,
        context: Sequence[str] | None = None,
        deliverable_format: DeliverableFormat | None = None,
        on_invocation: Callable[[Invocation], object] | None = None,
        timeout: float = WAIT,
    ) -> ToolCallingResult:
        """Lets the model decide whether to call ``deep_research``, which Sonde runs.

        ``system_prompt`` and ``deliverable_format`` apply to the research; a format that the
        model chooses takes precedence. ``on_invocation`` is called with the record once the
        research is submitted. If the model fails after the research, the report is returned as
        the text.
        """
        return self._driver.run(
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
