"""Operations of the model endpoint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import SondeUsageError
from ..records import ChatCompletion, ModelResponse
from .address import checked_key, model_base_url, path_segment
from .calls import Retry, call
from .event_streams import poll_until
from .replies import Reply
from .wire import Endpoint, Operation, Request

_POLL_PAUSE = 1.0
_AT_WORK = ("queued", "in_progress")


class ModelOperations:
    def __init__(
        self, base_url: str, api_key: str | None, model: str, timeout: float, max_retries: int
    ) -> None:
        if not model:
            raise SondeUsageError("model: must not be empty")
        self.model = model
        self.endpoint = Endpoint(
            "the model endpoint",
            model_base_url(base_url),
            checked_key(api_key),
            timeout,
            max_retries,
        )

    def create_response(
        self,
        prompt: str,
        *,
        background: bool = False,
        web_search: bool = False,
        instructions: str | None = None,
        context: Sequence[str] | None = None,
        timeout: float,
    ) -> Operation[ModelResponse]:
        fields: dict[str, Any] = {"input": with_context(prompt, context)}
        if background:
            fields["background"] = True
        if web_search:
            fields["tools"] = [{"type": "web_search"}]
        if instructions is not None:
            fields["instructions"] = instructions
        return self.respond(fields, timeout)

    def respond(self, fields: Mapping[str, Any], timeout: float) -> Operation[ModelResponse]:
        body = {"model": self.model, **fields}
        request = self.endpoint.request("POST", "/responses", body)
        reply = yield from call(self.endpoint, request, Retry.IF_LIMITED, timeout)
        return self._read(reply)

    def get_response(self, response_id: str, timeout: float | None) -> Operation[ModelResponse]:
        request = self._response_request(response_id)
        reply = yield from call(self.endpoint, request, Retry.REPEATABLE, timeout)
        return self._read(reply)

    def cancel_response(self, response_id: str, timeout: float | None) -> Operation[ModelResponse]:
        request = self._response_request(response_id, "POST", "/cancel")
        reply = yield from call(self.endpoint, request, Retry.REPEATABLE, timeout)
        return self._read(reply)

    def wait_for_response(self, response_id: str, timeout: float) -> Operation[ModelResponse]:
        request = self._response_request(response_id)
        reply = yield from poll_until(
            self.endpoint,
            lambda seconds: request,
            lambda reply: self._read(reply).status not in _AT_WORK,
            timeout=timeout,
            what="the response",
            max_poll_seconds=30.0,
            pause=_POLL_PAUSE,
        )
        return self._read(reply)

    def create_chat_completion(
        self,
        prompt: str,
        *,
        system_prompt: str | None = None,
        context: Sequence[str] | None = None,
        timeout: float,
    ) -> Operation[ChatCompletion]:
        messages = [{"role": "user", "content": with_context(prompt, context)}]
        if system_prompt is not None:
            messages.insert(0, {"role": "system", "content": system_prompt})
        body = {"model": self.model, "messages": messages}
        request = self.endpoint.request("POST", "/chat/completions", body)
        reply = yield from call(self.endpoint, request, Retry.IF_LIMITED, timeout)
        completion = reply.json_object(self.endpoint)
        try:
            content = completion["choices"][0]["message"].get("content") or ""
        except (KeyError, IndexError, TypeError, AttributeError):
            raise reply.unexpected(self.endpoint, "no chat completion") from None
        return ChatCompletion(str(completion.get("id", "")), str(content), completion)

    def _response_request(self, response_id: str, method: str = "GET", action: str = "") -> Request:
        path = f"/responses/{path_segment(response_id, 'response_id')}{action}"
        return self.endpoint.request(method, path)

    def _read(self, reply: Reply) -> ModelResponse:
        response = reply.json_object(self.endpoint)
        identity = response.get("id")
        if not isinstance(identity, str):
            raise reply.unexpected(self.endpoint, "no response")
        return ModelResponse(identity, response.get("status"), text_of(response), response)


def with_context(prompt: str, context: Sequence[str] | None) -> str:
    return "\n\n".join([*(context or []), prompt])


def text_of(response: Mapping[str, Any]) -> str:
    """Concatenates all texts of all messages of a response."""
    return "".join(
        str(part.get("text") or "")
        for item in items_of(response, "message")
        for part in item.get("content") or []
        if isinstance(part, dict) and part.get("type") == "output_text"
    )


def items_of(response: Mapping[str, Any], kind: str) -> list[dict[str, Any]]:
    items = response.get("output")
    return [
        item
        for item in (items if isinstance(items, list) else [])
        if isinstance(item, dict) and item.get("type") == kind
    ]
