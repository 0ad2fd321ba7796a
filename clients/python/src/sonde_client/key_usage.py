"""What an API key has used, by day, kind and model. Money is in US dollars, days are UTC."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ._internal.record import Record, listed


@dataclass(frozen=True, kw_only=True)
class UsageLine(Record):
    """``count``: ended runs of research, or calls of the model in chats; ``unknown_cost``: how many
    of them have an unknown cost, which ``cost_usd`` lacks. ``model``: empty if it is not known.
    """

    kind: Literal["chat", "research"]
    model: str = ""
    count: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0
    unknown_cost: int = 0


@dataclass(frozen=True, kw_only=True)
class UsageDay(Record):
    """``date``: as ``YYYY-MM-DD``."""

    date: str
    cost_usd: float = 0
    usage: list[UsageLine] = listed(UsageLine)


@dataclass(frozen=True, kw_only=True)
class BudgetPeriod(Record):
    """``limit_usd``: None if there is no limit; ``reserved_usd``: what calls under way cost at
    most; ``resets_at``: when the next day or month begins.
    """

    limit_usd: float | None = None
    spent_usd: float = 0
    reserved_usd: float = 0
    resets_at: str


@dataclass(frozen=True, kw_only=True)
class KeyBudget(Record):
    day: BudgetPeriod = field(metadata={"read": BudgetPeriod.read})
    month: BudgetPeriod = field(metadata={"read": BudgetPeriod.read})


@dataclass(frozen=True, kw_only=True)
class KeyUsage(Record):
    """``from_``, ``to``: the first and the last day; ``cost_usd``: of all days; ``data``: days with
    any usage, in their order.
    """

    from_: str
    to: str
    cost_usd: float = 0
    data: list[UsageDay] = listed(UsageDay)
    budget: KeyBudget = field(metadata={"read": KeyBudget.read})
