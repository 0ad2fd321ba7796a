import { AppError } from '../../../platform/errors';
import type {
  Direction,
  PlanEstimate,
  ProposedPlan,
} from '../../../runs/record/stored-plan';
import type { AgentRun } from '../agent-run';
import { planEstimate } from '../steps/plan-estimate';

/** The run is to be suspended until a person decides on its plan. */
export class PlanAwaited extends Error {
  override readonly name = 'PlanAwaited';

  constructor(readonly plan: ProposedPlan) {
    super('The plan is to be decided on.');
  }
}

/**
 * Lets a person decide on the plan where the request asks for that. Returns the estimate of a plan that was approved as
 * proposed. @throws PlanAwaited, AppError `plan_refused`.
 */
export async function review(run: AgentRun): Promise<PlanEstimate | undefined> {
  const { journal, task } = run;
  if (task.args.plan !== 'review') return undefined;
  const directions = await guarded(run, run.plan!.directions);
  const proposed = await journal.decide('plan:proposed', () => ({
    estimate: planEstimate(run, directions),
    deadlineMs: task.deadlineMs,
  }));
  // The journal has no entry of it before there is a decision.
  const decided = await journal.decide('plan:review', () => {
    const { planDecision, deadlineMs } = task;
    if (!planDecision)
      throw new PlanAwaited({ directions, estimate: proposed.estimate });
    return { ...planDecision, waitedMs: deadlineMs - proposed.deadlineMs };
  });
  if (!decided.approve) throw new AppError('plan_refused');
  run.resume(decided.waitedMs, decided.directions ?? directions);
  return decided.directions ? undefined : proposed.estimate;
}

/** The directions as they may be shown. @throws AppError `content_filter` where a guardrail refuses one. */
async function guarded(
  { journal, ports: { guard } }: AgentRun,
  directions: readonly Direction[],
): Promise<Direction[]> {
  return journal.step('plan:guard', directions, 'local', async (signal) => {
    const shown = async (text: string): Promise<string> => {
      const allowed = guard
        ? await guard.section(text, new Set(), signal)
        : text;
      if (allowed === undefined) throw new AppError('content_filter');
      return allowed;
    };
    const value = directions.map(async ({ title, queries }) => ({
      title: await shown(title),
      queries: await Promise.all(queries.map(shown)),
    }));
    return { value: await Promise.all(value) };
  });
}
