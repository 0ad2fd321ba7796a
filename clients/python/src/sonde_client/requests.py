"""What the service is told, with its own names; see its openapi.json for the limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypedDict

from .records import DeliverableFormat, Priority


class Document(TypedDict):
    """One of the caller's own sources."""

    title: str
    text: str


class ChatRequest(TypedDict, total=False):
    """``messages``: earlier turns, oldest first. ``context`` and ``documents`` are put before the
    message. ``auto_tool_call``: False offers no tools to the model. ``system_prompt`` and
    ``deliverable_format`` are for the research alone. ``clarification``: "never" or "auto".
    ``tools``: the names of those that are offered. ``tool_choice``: "auto", "none", "required" or
    ``{"name": …}``. ``tool_context`` is what tools see, and models do not. ``max_research``: how
    many researches the model may begin."""

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
    """``reason`` is told to the model."""

    reason: str | None


class Answer(TypedDict):
    call_id: str
    answer: str


class Webhook(TypedDict):
    """Where the end is announced."""

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
"""An id, or whatever has ``invocation_id`` and ``invocation_token``: a record, a tool call."""
ChatRef = str | HasChat | Mapping[str, Any]
"""An id, or whatever has ``chat_id`` and ``invocation_token``: the reply that began the chat."""
