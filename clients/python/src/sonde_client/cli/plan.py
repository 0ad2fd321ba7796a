"""Decisions on plans, and runs that continue others."""

from __future__ import annotations

import uuid
from functools import partial

from .. import HasInvocation, Invocation, PlanDecision
from . import research
from .plan_output import editable, show_estimate
from .run import MAX_TIMEOUT, SondeRun
from .terminal.interrupt import CANCEL_SECONDS, ActiveRun


async def plan(run: SondeRun, ref: HasInvocation) -> int:
    """Prints the plan of a run; with `--approve` or `--edit`, decides on it and follows the run."""
    if not run.flags.approve and run.edited is None:
        return await _show(run, ref)
    run.interrupt.track(research.active_run(run, ref))
    await decide(run, ref)
    return research.end(run, await research.follow(run, ref))


async def decide(run: SondeRun, ref: HasInvocation) -> Invocation:
    """Decides on the plan of a run as the flags have it."""
    decision: PlanDecision = {"approve": not run.flags.refuse}
    if run.edited is not None:
        decision["plan"] = run.edited
    if run.flags.reason is not None:
        decision["reason"] = run.flags.reason
    return await run.sonde.decide_plan(ref, decision, timeout=MAX_TIMEOUT)


async def continue_run(run: SondeRun, ref: HasInvocation) -> int:
    """Continues a run as a new one, and follows that."""
    key = str(uuid.uuid4())
    start = partial(run.sonde.continue_run, ref, run.flags.budget, idempotency_key=key)

    async def find() -> ActiveRun:
        # The same request with the same key returns the same run.
        return research.active_run(run, await start(timeout=CANCEL_SECONDS))

    run.interrupt.find_run = find
    record = await start(timeout=MAX_TIMEOUT)
    research.on_submitted(run, record)
    return research.end(run, await research.follow(run, record))


async def _show(run: SondeRun, ref: HasInvocation) -> int:
    record = await run.sonde.get(ref, timeout=MAX_TIMEOUT)
    if record.plan is None:
        run.output.log(f"sonde: {record.invocation_id} has no plan")
        return 1
    if run.flags.json:
        run.output.write_json(record.raw)
    else:
        run.output.write(editable(record.plan))
    show_estimate(run.output, record.plan)
    return 0
