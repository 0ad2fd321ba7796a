import type { AgentRun } from '../agent-run';
import type { Brief, Plan } from '../agent.types';
import { languageOf } from '../../../platform/message/language';
import {
  languageNames,
  languageTag,
  UNDETERMINED,
} from '../../../platform/message/language-tag';
import { DEPTH_LIMITS } from '../budget/depths';
import { planPrompt } from '../prompts/plan.prompt';
import { scopePrompt } from '../prompts/scope.prompt';
import type { Blocks } from '../prompts/prompt';
import { briefText } from '../prompts/wishes';
import { shownPlan } from '../text/shown-evidence';
import { tidyQuery } from '../text/query-check';
import { ask } from '../steps/ask';
import { callOf, previousBlocks, userBlocks } from '../steps/role-call';

/** Makes the brief, and with it the depth. */
export async function scope(run: AgentRun): Promise<void> {
  const names = await languageNames();
  const question = run.task.args.research_question;
  const keep = (made: Brief): Brief => ({
    ...made,
    language:
      languageTag(made.language, names) ?? languageOf(question) ?? UNDETERMINED,
  });
  const callIn = (within: AgentRun) => {
    const given = [
      ...userBlocks(within, scopePrompt),
      ...previousBlocks(within, scopePrompt),
    ];
    return { ...callOf(within, scopePrompt, given, 'Scope'), keep };
  };
  const brief = await ask(run, 'scope', callIn, run.allowance);
  const depth = run.task.depth === 'auto' ? brief.depth : run.task.depth;
  run.brief = { ...brief, depth };
  run.limitTo(DEPTH_LIMITS[depth]);
}

/** Makes the plan. */
export async function plan(run: AgentRun): Promise<void> {
  const brief = run.brief!;
  const { directions, queries } = run.limits;
  const limits = { max_directions: directions, max_queries: queries };
  const { searches, pages } = run.limits;
  const budget = { max_searches: searches, max_pages: pages };
  const withinLimits = (made: Plan): Plan => ({
    directions: made.directions.slice(0, directions).map((direction) => ({
      title: direction.title,
      queries: distinct(direction.queries).slice(0, queries),
    })),
  });
  const callIn = (within: AgentRun) => {
    const [question, wishes] = userBlocks(within, planPrompt);
    const blocksWith = (more: object): Blocks => [
      question,
      ['brief', briefText(brief, more)],
      wishes,
      ...previousBlocks(within, planPrompt),
    ];
    const blocks = blocksWith({ ...limits, ...budget });
    const shown = (made: Plan) => ({
      fields: shownPlan(run, withinLimits(made)),
    });
    // A run that continues another one keeps its plan, whatever its own budget is.
    const input = blocksWith(limits);
    return { ...callOf(within, planPrompt, blocks, 'Plan'), input, shown };
  };
  run.plan = withinLimits(await ask(run, 'plan', callIn, run.allowance));
}

function distinct(queries: readonly string[]): string[] {
  return [...new Set(queries.map(tidyQuery))].filter(Boolean);
}
