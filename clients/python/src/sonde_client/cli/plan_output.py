"""Plans of research, as the command line shows them."""

from __future__ import annotations

import json
from decimal import ROUND_HALF_UP, Decimal

from .. import Invocation, Plan
from .run import SondeRun
from .terminal.live import one_line
from .terminal.output import Output


def show_plan(run: SondeRun, record: Invocation) -> None:
    """Prints the plan that a run waits with, and the commands that decide on it."""
    output = run.output
    for direction in record.plan.directions if record.plan else []:
        output.log(f"direction: {one_line(direction.title)}")
        for query in direction.queries:
            output.log(f"  search: {one_line(query)}")
    show_estimate(output, record.plan)
    run_id = record.invocation_id
    command = f"{run.tokens.save(run_id, record.invocation_token)}sonde plan {run_id}"
    output.log(f"approval required: the plan of {run_id}")
    output.log(f"  to approve: {command} --approve")
    output.log(f"  to edit: {command} --edit FILE")
    output.log(f"  to refuse: {command} --refuse")


def show_estimate(output: Output, plan: Plan | None) -> None:
    estimate = plan.estimate if plan else None
    if estimate is None:
        return
    cost = "unknown" if estimate.cost_usd is None else f"{_rounded(estimate.cost_usd)} USD"
    output.log(
        f"estimate: searches {estimate.searches}, pages {estimate.pages}, "
        f"model calls {estimate.model_calls}, tokens {estimate.tokens}, "
        f"minutes {estimate.minutes}, cost {cost}"
    )


def _rounded(amount: float) -> str:
    return str(Decimal(amount).quantize(Decimal("0.0001"), ROUND_HALF_UP))


def editable(plan: Plan) -> str:
    """A plan in the form that `--edit` reads."""
    directions = [{"title": each.title, "queries": each.queries} for each in plan.directions]
    return json.dumps({"directions": directions}, ensure_ascii=False, indent=2)
