import type { AgentRun } from '../agent-run';
import type { Plan } from '../agent.types';
import { DEPTH_LIMITS } from '../budget/depths';
import { planPrompt } from '../prompts/plan.prompt';
import { scopePrompt } from '../prompts/scope.prompt';
import { briefText } from '../prompts/wishes';
import { shownPlan } from '../text/shown-evidence';
import { tidyQuery } from '../text/query-check';
import { ask } from '../steps/model-step';
import { callOf, previousBlocks, userBlocks } from '../steps/role-call';

/** Makes the brief, and with it the depth. */
export async function scope(run: AgentRun): Promise<void> {
  const given = [
    ...userBlocks(run, scopePrompt),
    ...previousBlocks(run, scopePrompt),
  ];
  const call = callOf(run, scopePrompt, given, 'Scope');
  const brief = await ask(run, 'scope', call, run.allowance);
  const depth = run.task.depth === 'auto' ? brief.depth : run.task.depth;
  run.brief = { ...brief, depth };
  run.limitTo(DEPTH_LIMITS[depth]);
}

/** Makes the plan. */
export async function plan(run: AgentRun): Promise<void> {
  const brief = run.brief!;
  const { directions, queries } = run.limits;
  const limits = { max_directions: directions, max_queries: queries };
  const [question, wishes] = userBlocks(run, planPrompt);
  const blocks = [
    question,
    ['brief', briefText(brief, limits)],
    wishes,
    ...previousBlocks(run, planPrompt),
  ] as const;
  const withinLimits = (made: Plan): Plan => ({
    directions: made.directions.slice(0, directions).map((direction) => ({
      title: direction.title,
      queries: distinct(direction.queries).slice(0, queries),
    })),
  });
  const call = {
    ...callOf(run, planPrompt, blocks, 'Plan'),
    shown: (made: Plan) => ({ fields: shownPlan(run, withinLimits(made)) }),
  };
  run.plan = withinLimits(await ask(run, 'plan', call, run.allowance));
}

function distinct(queries: readonly string[]): string[] {
  return [...new Set(queries.map(tidyQuery))].filter(Boolean);
}
