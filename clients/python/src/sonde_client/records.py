"""Replies of the service, with its field names. Times are RFC 3339 in UTC; None: not applicable."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from ._internal.record import Record, listed, many, one
from .evidence import CheckedBy, Verdict

InvocationStatus = Literal[
    "queued", "running", "requires_action", "completed", "incomplete", "failed", "cancelled"
]
ChatStatus = Literal["queued", "running", "requires_action", "completed", "failed", "cancelled"]
Mode = Literal["foreground", "background", "stream"]
Priority = Literal["high", "normal", "low"]
DeliverableFormat = Literal["markdown_brief", "markdown_report", "json_outline"]


@dataclass(frozen=True, kw_only=True)
class Source(Record):
    url: str
    title: str = ""


@dataclass(frozen=True, kw_only=True)
class Citation(Source):
    """The offsets count Unicode code points, as Python does: ``text[start_index:end_index]``.
    ``sentence_start`` and ``sentence_end``: of the sentence or table cell that cites, where the
    former are those of its mark. Research by the agent also has the words of the source, its
    number, what was found when the sentence was compared with them, what decided, and the words
    that differ or that it lacks.
    """

    start_index: int = 0
    end_index: int = 0
    sentence_start: int | None = None
    sentence_end: int | None = None
    quote: str | None = None
    source: int | None = None
    verdict: Verdict | None = None
    checked_by: CheckedBy | None = None
    detail: str | None = None


@dataclass(frozen=True, kw_only=True)
class Usage(Record):
    """``tool_calls``: number of hosted tool calls, e.g. searches; research only."""

    input_tokens: int = 0
    output_tokens: int = 0
    total_tokens: int = 0
    tool_calls: int | None = None


@dataclass(frozen=True, kw_only=True)
class Progress(Record):
    searches: int = 0
    pages_opened: int = 0
    last_step: str | None = None


@dataclass(frozen=True, kw_only=True)
class Steps(Record):
    """Steps of research by the agent. ``ambiguous``: attempts that may have been paid for without
    a result.
    """

    settled: int = 0
    repeated: int = 0
    skipped: int = 0
    ambiguous: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Cost(Record):
    """What a run or the turns of a chat cost, as the gateway or the configured prices say it."""

    currency: str = "USD"
    estimated: float | None = None
    reserved: float | None = None
    spent: float = 0.0
    source: Literal["gateway", "prices"] = "gateway"


@dataclass(frozen=True, kw_only=True)
class Direction(Record):
    title: str
    queries: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class PlanEstimate(Record):
    """What a run would use that reaches all its searches and pages."""

    searches: int = 0
    pages: int = 0
    model_calls: int = 0
    tokens: int = 0
    cost_usd: float | None = None
    minutes: int = 0


@dataclass(frozen=True, kw_only=True)
class Plan(Record):
    """The plan of research by the agent, as it was edited. ``estimate``: only of a plan that is
    reviewed; ``reason``: of the decision.
    """

    directions: list[Direction] = listed(Direction)
    estimate: PlanEstimate | None = one(PlanEstimate)
    review: Literal["approved", "edited", "refused"] | None = None
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class RequiredPlan(Record):
    """The plan that a run in ``requires_action`` waits with: resolve it with ``decide_plan``."""

    plan: Plan | None = one(Plan)


@dataclass(frozen=True, kw_only=True)
class RunLimits(Record):
    """The limits of a run; None: it has no such limit. ``max_seconds``: from its begin, without the
    wait for a decision on its plan.
    """

    max_searches: int | None = None
    max_pages: int | None = None
    max_tokens: int | None = None
    max_seconds: int | None = None
    max_cost_usd: float | None = None


@dataclass(frozen=True, kw_only=True)
class Inherited(Record):
    """What the runs have used that a run continues."""

    usage: Usage | None = one(Usage)
    cost_usd: float | None = None


@dataclass(frozen=True, kw_only=True)
class RecordedError(Record):
    """The reason for a failure or an early end; ``message`` is safe to show."""

    code: str
    retryable: bool = False
    message: str | None = None


@dataclass(frozen=True, kw_only=True)
class WebhookDelivery(Record):
    """Delivery state of the webhook."""

    status: Literal["pending", "delivered", "failed"]
    url: str = ""
    attempts: int = 0


@dataclass(frozen=True, kw_only=True)
class Invocation(Record):
    """The record of a tool run. Final statuses: completed, incomplete (ended early, with partial
    output), failed, cancelled. ``continued_from``: the run that this one continues; ``inherited``:
    what it and those before it have used. ``waiting_for``: time, place, budget, worker, endpoint
    or approval; None while it goes on. ``parent``: the research that it follows up. ``limits``: of
    a run of the agent that has a plan. ``kept``: it does not expire until it is released.
    """

    invocation_id: str
    status: InvocationStatus
    tool_name: str = ""
    mode: Mode = "foreground"
    priority: Priority = "normal"
    deliverable_format: DeliverableFormat | None = None
    queue_position: int | None = None
    invocation_token: str | None = field(default=None, repr=False)
    question: str | None = None
    title: str | None = None
    metadata: dict[str, str] | None = None
    waiting_for: str | None = None
    upstream_response_id: str | None = None
    output_text: str | None = None
    contents: list[dict[str, Any]] | None = None
    citations: list[Citation] | None = many(Citation)
    sources: list[Source] | None = many(Source)
    usage: Usage | None = one(Usage)
    progress: Progress | None = one(Progress)
    engine: str | None = None
    searched: bool | None = None
    asks: bool | None = None
    model: str | None = None
    plan: Plan | None = one(Plan)
    limits: RunLimits | None = one(RunLimits)
    required_action: RequiredPlan | None = one(RequiredPlan)
    continued_from: str | None = None
    parent: str | None = None
    follow_ups: list[str] | None = None
    inherited: Inherited | None = one(Inherited)
    steps: Steps | None = one(Steps)
    limits_reached: list[str] | None = None
    cost: Cost | None = one(Cost)
    response: dict[str, Any] | None = field(default=None, repr=False)
    error_message: str | None = None
    error: RecordedError | None = one(RecordedError)
    cancel_reason: str | None = None
    webhook: WebhookDelivery | None = one(WebhookDelivery)
    created_at: str | None = None
    due_at: str | None = None
    started_at: str | None = None
    completed_at: str | None = None
    expires_at: str | None = None
    kept: bool = False


@dataclass(frozen=True, kw_only=True)
class InvocationList(Record):
    """One page, newest first. ``next_cursor`` is the ``cursor`` of the next one."""

    data: list[Invocation] = listed(Invocation)
    has_more: bool = False
    next_cursor: str | None = None


@dataclass(frozen=True, kw_only=True)
class Tool(Record):
    """``parameters`` and ``returns`` are JSON Schemas; ``source``: builtin or mcp:<server>."""

    name: str
    description: str = ""
    parameters: dict[str, Any] = field(default_factory=dict)
    returns: dict[str, Any] | None = None
    source: str = "builtin"
    annotations: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ToolList(Record):
    tools: list[Tool] = listed(Tool)


@dataclass(frozen=True, kw_only=True)
class ToolCall(Record):
    """A tool call of a chat. Without a token of its own, the token of the chat grants access."""

    tool_name: str
    call_id: str = ""
    arguments: dict[str, Any] | None = None
    invocation_id: str | None = None
    invocation_token: str | None = field(default=None, repr=False)
    status: InvocationStatus | None = None
    error: RecordedError | None = one(RecordedError)


@dataclass(frozen=True, kw_only=True)
class AwaitedApproval(Record):
    call_id: str
    tool_name: str = ""
    arguments: dict[str, Any] | None = None


@dataclass(frozen=True, kw_only=True)
class AwaitedAnswer(Record):
    call_id: str
    question: str = ""


@dataclass(frozen=True, kw_only=True)
class RequiredAction(Record):
    """Pending decisions of a chat: resolve them with ``chats.approve`` and ``chats.answer``."""

    approvals: list[AwaitedApproval] = listed(AwaitedApproval)
    questions: list[AwaitedAnswer] = listed(AwaitedAnswer)


@dataclass(frozen=True, kw_only=True)
class Guardrail(Record):
    """The guardrail that blocked the request or the answer."""

    stage: Literal["input", "output", "tool_input", "tool_output"]
    name: str = ""
    tool_name: str | None = None


@dataclass(frozen=True, kw_only=True)
class ChatReply(Record):
    """The reply to a chat; ``chat_id`` is set if the chat is stored."""

    status: ChatStatus
    content: str | None = None
    tool_called: bool = False
    tool_name: str | None = None
    research_summary: str | None = None
    tool_calls: list[ToolCall] = listed(ToolCall)
    response_id: str | None = None
    usage: Usage | None = one(Usage)
    cost: Cost | None = one(Cost)
    agent: str | None = None
    message: dict[str, Any] | None = None
    contents: list[dict[str, Any]] | None = None
    citations: list[Citation] | None = many(Citation)
    sources: list[Source] | None = many(Source)
    guardrail: Guardrail | None = one(Guardrail)
    error: RecordedError | None = one(RecordedError)
    required_action: RequiredAction | None = one(RequiredAction)
    continuation: list[dict[str, Any]] | None = None
    chat_id: str | None = None
    invocation_token: str | None = field(default=None, repr=False)
    question: str | None = None
    metadata: dict[str, str] | None = None
    created_at: str | None = None
    started_at: str | None = None
    completed_at: str | None = None
    expires_at: str | None = None


@dataclass(frozen=True, kw_only=True)
class ListedChat(Record):
    """A stored chat without its answer, which ``chats.get`` returns. ``question``: the last message
    of the user, at most its first 1,000 characters.
    """

    chat_id: str
    status: ChatStatus
    question: str | None = None
    metadata: dict[str, str] | None = None
    cost: Cost | None = one(Cost)
    error: RecordedError | None = one(RecordedError)
    created_at: str | None = None
    started_at: str | None = None
    completed_at: str | None = None
    expires_at: str | None = None


@dataclass(frozen=True, kw_only=True)
class ChatList(Record):
    """One page, newest first. ``next_cursor`` is the ``cursor`` of the next one."""

    data: list[ListedChat] = listed(ListedChat)
    has_more: bool = False
    next_cursor: str | None = None


@dataclass(frozen=True)
class InvocationEvent:
    """``type``: status, progress, output_text, requires_action, completed, error, gap, or one added
    later.
    """

    id: str | None
    type: str
    invocation_id: str | None
    status: InvocationStatus | None
    data: Any


@dataclass(frozen=True)
class ChatEvent:
    """``type``: status, delta, tool_call, tool_progress, tool_result, handoff, completed, error,
    gap, or one added later. ``data`` of ``completed`` is the complete reply as a JSON object.
    """

    id: str | None
    type: str
    data: Any


@dataclass(frozen=True)
class ModelResponse:
    """``output_text``: the text of all messages; ``response``: the unmodified object."""

    id: str
    status: str | None
    output_text: str
    response: dict[str, Any] = field(repr=False)


@dataclass(frozen=True)
class ChatCompletion:
    """``content``: of the first choice; ``completion``: the unmodified object."""

    id: str
    content: str
    completion: dict[str, Any] = field(repr=False)


@dataclass(frozen=True)
class ResearchError:
    """Why research failed; ``message`` is safe to show."""

    code: str
    message: str
    retryable: bool


@dataclass(frozen=True)
class ToolCallingResult:
    """``response_id``: of the last response; ``previous_response_id``: of the tool call.
    ``error``: why the research failed, of which the model was told.
    """

    final_text: str
    tool_called: bool
    response_id: str | None = None
    previous_response_id: str | None = None
    tool_call_id: str | None = None
    invocation_id: str | None = None
    invocation_token: str | None = field(default=None, repr=False)
    upstream_response_id: str | None = None
    research_summary: str | None = None
    error: ResearchError | None = None
