"""Requests to the service, with its field names; its openapi.json states the limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypedDict

from .records import DeliverableFormat, Priority


class Document(TypedDict):
    """A source supplied by the caller."""

    title: str
    text: str


class ChatRequest(TypedDict, total=False):
    """``messages``: earlier turns, oldest first. ``context`` and ``documents`` are prepended to
    the message. ``auto_tool_call``: False makes no tools available to the model.
    ``system_prompt`` and ``deliverable_format`` apply to the research only. ``clarification``:
    "never" or "auto". ``tools``: names of the tools available to the model. ``tool_choice``:
    "auto", "none", "required" or ``{"name": …}``. ``tool_context`` is passed to tools, never
    to models. ``max_research``: maximum number of research runs that the model may start.
    """

    messages: Sequence[Mapping[str, Any]]
    context: Sequence[str]
    documents: Sequence[Document]
    auto_tool_call: bool
    tools: Sequence[str]
    tool_choice: str | Mapping[str, str]
    model: str
    tool_context: Mapping[str, Any]
    max_research: int
    system_prompt: str | None
    time_zone: str | None
    deliverable_format: DeliverableFormat | None
    priority: Priority
    clarification: str
    background: bool


class _Decision(TypedDict):
    call_id: str
    approve: bool


class Approval(_Decision, total=False):
    """``reason`` is passed to the model."""

    reason: str | None


class Answer(TypedDict):
    call_id: str
    answer: str


class Webhook(TypedDict):
    """The URL that is notified when the invocation ends."""

    url: str


class HasInvocation(Protocol):
    @property
    def invocation_id(self) -> str | None: ...
    @property
    def invocation_token(self) -> str | None: ...


class HasChat(Protocol):
    @property
    def chat_id(self) -> str | None: ...
    @property
    def invocation_token(self) -> str | None: ...


InvocationRef = str | HasInvocation | Mapping[str, Any]
"""An id, or an object with ``invocation_id`` and ``invocation_token``: a record or a tool call."""
ChatRef = str | HasChat | Mapping[str, Any]
"""An id, or an object with ``chat_id`` and ``invocation_token``: a reply that created a chat."""
