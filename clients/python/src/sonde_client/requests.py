"""Requests to the service, with its field names; its openapi.json states the limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypedDict

from .functions import Function
from .records import DeliverableFormat, Priority


class Document(TypedDict):
    """A source supplied by the caller."""

    title: str
    text: str


class _File(TypedDict):
    file_data: str


class FileDocument(_File, total=False):
    """A PDF or DOCX of up to 3 MB, of which the service reads the text. ``file_data``: in base64,
    by itself or as a data URL. ``title``: its file name unless given, or else the title it has.
    """

    title: str
    filename: str


class ResearchBudget(TypedDict, total=False):
    """Limits of a run of the agent. ``max_cost_usd`` needs the prices of all models that are used;
    ``max_tokens``: input and output of all model calls.
    """

    max_cost_usd: float
    max_searches: int
    max_pages: int
    max_tokens: int
    max_seconds: int


class _Question(TypedDict):
    research_question: str


class ResearchArguments(_Question, total=False):
    """Arguments of ``deep_research``. ``engine``: what carries the run; ``depth``: how far the
    agent goes; ``budget``: its limits, where they are narrower than those of the depth;
    ``verify``: whether its sentences are compared with their quotes, as texts alone ("rules"), also
    by a model ("check"), or also dropping those at fault ("enforce"); ``plan``: "review" searches
    nothing before ``decide_plan`` approves the plan; ``previous_invocation_id``: a finished run
    of the same caller that the question follows up.
    """

    system_prompt: str
    text_format: Mapping[str, Any]
    context: Sequence[str]
    constraints: Sequence[str]
    documents: Sequence[Document | FileDocument]
    deliverable_format: DeliverableFormat
    require_citations: bool
    data_sources: Literal["web", "private", "web_then_private", "web_and_private"]
    engine: Literal["auto", "hosted", "agent", "plain"]
    depth: Literal["auto", "quick", "standard", "deep"]
    budget: ResearchBudget
    verify: Literal["off", "rules", "check", "enforce"]
    plan: Literal["auto", "review"]
    previous_invocation_id: str


class ChatRequest(TypedDict, total=False):
    """``messages``: earlier turns, oldest first. ``context`` and ``documents`` are prepended to
    the message. ``auto_tool_call``: False makes no tools available to the model.
    ``system_prompt`` and ``deliverable_format`` apply to the research only. ``clarification``:
    "never" or "auto". ``tools``: names of the tools available to the model. ``tool_choice``:
    "auto", "none", "required" or ``{"name": …}``. ``tool_context`` is passed to tools, never
    to models. ``max_research``: maximum number of research runs that the model may start.
    ``functions``: functions that the model may call, and this client runs; a mapping only describes
    one, and its calls are handed back in ``message`` and ``continuation`` of the reply.
    ``parallel_tool_calls``: False asks the model for at most one call in a turn.
    """

    messages: Sequence[Mapping[str, Any]]
    metadata: Mapping[str, str]
    context: Sequence[str]
    documents: Sequence[Document]
    auto_tool_call: bool
    tools: Sequence[str]
    tool_choice: str | Mapping[str, str]
    functions: Sequence[Callable[..., Any] | Function | Mapping[str, Any]]
    parallel_tool_calls: bool
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


class EditedDirection(TypedDict):
    """What to find out, and what to search for first: 1 to 4 queries."""

    title: str
    queries: Sequence[str]


class EditedPlan(TypedDict):
    """1 to 6 directions."""

    directions: Sequence[EditedDirection]


class _PlanDecision(TypedDict):
    approve: bool


class PlanDecision(_PlanDecision, total=False):
    """``approve``: False ends the run as cancelled; ``plan`` replaces the proposed directions;
    ``reason`` is kept in the record.
    """

    plan: EditedPlan | None
    reason: str | None


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
