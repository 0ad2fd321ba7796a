import type { ModelRole } from '../../../config/settings/models/role-models';
import type { Direction, PlanEstimate } from '../../../runs/record/stored-plan';
import type { Budget } from '../../arguments/budget';
import type {
  ResearchArguments,
  Verify,
} from '../../arguments/research-arguments';
import type { AgentModel } from '../agent-ports';
import type { AgentRun } from '../agent-run';
import { amountOf } from '../budget/allowance';
import type { DepthLimits } from '../budget/depths';

/**
 * Tokens of one call, and the share of them that the model writes. Measured with a model that copies: a reader's call on a part
 * of a page took 2,060 to 2,420. The other roles are shown notes, so theirs grow with what was read: a critic's took 8,700 to
 * 23,500, a writer's 2,100 to 7,700 on average, and least at the depth quick.
 */
const CALLS: Record<ModelRole, { tokens: number; written: number }> = {
  writer: { tokens: 3_000, written: 0.2 },
  reader: { tokens: 2_500, written: 0.2 },
  critic: { tokens: 15_000, written: 0.05 },
  verifier: { tokens: 3_500, written: 0.3 },
};
/** Scope and plan, which are made when a plan is estimated, and the outline. */
const FRAME = { made: 2, all: 3 };
/** Pages that are read at once. */
const LANES = 3;
const HITS = 10;
const CALL_MS = { least: 1_000, typical: 10_000, most: 5 * 60_000 };
const MINUTE_MS = 60_000;
const MICRO = 1e6;

/** Of a run of the agent, what its estimate is made from. */
export interface Estimable {
  readonly limits: DepthLimits;
  readonly task: {
    readonly args: Pick<ResearchArguments, 'data_sources' | 'documents'>;
    readonly budget: Budget;
    /** `check` where it is not said. */
    readonly verify?: Verify;
  };
  /** Of the calls that made its plan. */
  readonly elapsedMs: number;
  model(role: ModelRole): Pick<AgentModel, 'contextTokens' | 'price'>;
}

/** A run that has not begun, as if its plan were as large as its depth allows. */
export function typicalEstimate(run: Omit<Estimable, 'elapsedMs'>) {
  const { directions, queries } = run.limits;
  const plan = Array.from({ length: directions }, () => ({
    queries: Array.from({ length: queries }, () => ''),
  }));
  const elapsedMs = FRAME.made * CALL_MS.typical;
  return planEstimate({ ...run, elapsedMs }, plan);
}

/**
 * What a run with this plan would use that reaches all its searches and pages, and reads of each page as many parts as its
 * depth does: most pages are longer.
 */
export function planEstimate(
  run: Estimable,
  directions: readonly Pick<Direction, 'queries'>[],
): PlanEstimate {
  const { limits, task } = run;
  const { data_sources, documents = [] } = task.args;
  const phases = data_sources?.endsWith('_private') ? 2 : 1;
  const gaps = phases * limits.gapRounds;
  const choices = limits.chooses ? phases + gaps : 0;
  const queries = directions.flatMap((one) => one.queries).length;
  const wanted = phases * queries + gaps * directions.length;
  const searches = Math.min(limits.searches, wanted);
  const found = searches * HITS + documents.length;
  const pages = Math.min(limits.pages, found);
  const parts = pages * limits.windows;
  const calls = {
    writer: FRAME.all + limits.sections,
    reader: parts + choices,
    critic: gaps,
    verifier: verifies(task.verify) ? limits.sections : 0,
  };
  const callMs = Math.min(
    Math.max(run.elapsedMs / FRAME.made, CALL_MS.least),
    CALL_MS.most,
  );
  const inTurn =
    calls.writer +
    calls.verifier +
    calls.critic +
    choices +
    Math.ceil(parts / LANES);
  return {
    searches,
    pages,
    model_calls: Object.values(calls).reduce((sum, one) => sum + one),
    ...usage(run, calls),
    minutes: Math.ceil((inTurn * callMs) / MINUTE_MS),
  };
}

/**
 * Writes what a run with its plan would cost on its record, where all prices are known.
 * @param approved what a person has approved with the plan.
 */
export async function estimateCost(
  run: AgentRun,
  approved?: PlanEstimate,
): Promise<void> {
  const { cost_usd } = approved ?? planEstimate(run, run.plan!.directions);
  if (cost_usd === null) return;
  await run.journal.step('estimate', {}, 'local', () =>
    Promise.resolve({ value: null, estimatedUsd: cost_usd }),
  );
}

/** In US dollars, what the outline and the sections of the report cost with their check: reading leaves so much of the budget of the key. */
export function writingCost(run: AgentRun): number {
  const { sections } = run.limits;
  const checks = verifies(run.task.verify) ? sections : 0;
  return (
    costOf(run, 'writer') * (1 + sections) + costOf(run, 'verifier') * checks
  );
}

function costOf(run: AgentRun, role: ModelRole): number {
  const { tokens, written } = CALLS[role];
  const output = tokens * written;
  return amountOf(run.model(role), tokens - output, output).costUsd;
}

/** Whether each section costs a call of the verifier. */
function verifies(verify: Verify = 'check'): boolean {
  return verify === 'check' || verify === 'enforce';
}

/** Tokens and money, within the limits of the run. */
function usage(
  run: Estimable,
  calls: Record<ModelRole, number>,
): Pick<PlanEstimate, 'tokens' | 'cost_usd'> {
  const { limits, task } = run;
  let tokens = 0;
  let cost: number | null = 0;
  for (const role of Object.keys(calls) as ModelRole[]) {
    const model = run.model(role);
    const one = Math.min(CALLS[role].tokens, model.contextTokens);
    const output = one * CALLS[role].written;
    const { costUsd } = amountOf(model, one - output, output);
    tokens += one * calls[role];
    if (!model.price) cost = null;
    else if (cost !== null) cost += costUsd * calls[role];
  }
  const most = task.budget.max_cost_usd ?? Infinity;
  return {
    tokens: Math.min(tokens, limits.tokens),
    cost_usd:
      cost === null ? null : Math.min(Math.ceil(cost * MICRO) / MICRO, most),
  };
}
