"""What a run would use, before it is submitted. Money is in US dollars."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ._internal.record import Record, listed, one
from .records import PlanEstimate, RunLimits


@dataclass(frozen=True, kw_only=True)
class RunModel(Record):
    """``roles``: of the agent, e.g. writer; the prices are None where they are not known."""

    model: str
    roles: list[str] = field(default_factory=list)
    input_usd_per_million: float | None = None
    output_usd_per_million: float | None = None


@dataclass(frozen=True, kw_only=True)
class UseRange(Record):
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class TypicalUse(Record):
    """What the last runs of this kind took. ``of``: whose runs these are; ``cost_usd``: None where
    it is not known.
    """

    of: Literal["key", "installation"]
    runs: int = 0
    seconds: UseRange | None = one(UseRange)
    cost_usd: UseRange | None = one(UseRange)


@dataclass(frozen=True, kw_only=True)
class BudgetLeft(Record):
    """What the API key may still spend; None: there is no limit."""

    day_usd: float | None = None
    month_usd: float | None = None


@dataclass(frozen=True, kw_only=True)
class RunEstimate(Record):
    """``engine``: hosted, agent or plain. ``typical``: None where fewer than five such runs are
    known. ``estimate``: an upper bound, of a run of the agent whose plan is as large as
    ``estimated_depth`` allows; None for other engines. ``budget_left``: None without a budget.
    """

    tool_name: str
    engine: str
    depth: str | None = None
    limits: RunLimits = field(metadata={"read": RunLimits.read})
    models: list[RunModel] = listed(RunModel)
    typical: TypicalUse | None = one(TypicalUse)
    estimated_depth: str | None = None
    estimate: PlanEstimate | None = one(PlanEstimate)
    budget_left: BudgetLeft | None = one(BudgetLeft)


@dataclass(frozen=True, kw_only=True)
class RunEstimateList(Record):
    """Of research without a depth, and of each depth of the agent."""

    data: list[RunEstimate] = listed(RunEstimate)
