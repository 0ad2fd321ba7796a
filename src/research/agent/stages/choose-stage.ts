import type { Candidate } from '../agent-ports';
import type { AgentRun } from '../agent-run';
import {
  candidateLine,
  inTurn,
  type Listed,
  named,
} from '../candidates/candidate-lines';
import { withHostShare } from '../candidates/host-share';
import { type Choice, choosePrompt } from '../prompts/choose.prompt';
import type { Blocks } from '../prompts/prompt';
import { briefText } from '../prompts/wishes';
import { ask } from '../steps/ask';
import { LimitReached, ModelFailed } from '../steps/model-failures';
import { callOf, fitsContext } from '../steps/role-call';
import { limitBefore } from './page-reading';

/** Candidates that a model is shown at once. */
const MAX_LINES = 60;

export interface Chosen {
  /** Of each direction, the best first. */
  chosen: readonly Candidate[][];
  /** What was left out: read where the others do not give as many pages as wanted, before anything else was read. */
  dropped: readonly Candidate[][];
}

/**
 * The candidates in the order in which a model would read them; without an answer, and where all can be read, in that of the
 * search.
 * @param most pages that are read.
 */
export async function choose(
  run: AgentRun,
  round: string,
  lists: readonly Candidate[][],
  most: number,
): Promise<Chosen> {
  const unchanged = { chosen: lists, dropped: lists.map(() => []) };
  const all = inTurn(lists);
  if (!run.limits.chooses || most <= 0 || all.length <= most) return unchanged;
  run.adoptContexts();
  const shown = all.slice(0, MAX_LINES);
  const choice = await librarian(run, round, shown, most);
  if (!choice) return unchanged;
  const used = new Set<Candidate>();
  const chosen = lists.map((): Candidate[] => []);
  for (const { direction, candidates } of choice.lists)
    for (const { candidate } of named(shown, candidates)) {
      if (!chosen[direction] || used.has(candidate)) continue;
      used.add(candidate);
      chosen[direction].push(candidate);
    }
  return {
    chosen: withHostShare(chosen, most, run.task.args.research_question),
    dropped: lists.map((list) => list.filter((one) => !used.has(one))),
  };
}

/** Undefined: no answer, or none that reading can afford. */
async function librarian(
  run: AgentRun,
  round: string,
  shown: readonly Listed[],
  most: number,
): Promise<Choice | undefined> {
  const callIn = (within: AgentRun) => {
    const lines = shown.map(candidateLine);
    while (
      lines.length > 1 &&
      !fitsContext(within, choosePrompt, blocksOf(run, lines, most))
    )
      lines.length = Math.floor(lines.length * 0.8);
    const blocks = blocksOf(run, lines, most);
    return callOf(within, choosePrompt, blocks, 'Choosing pages');
  };
  if (limitBefore(run, callIn(run))) return undefined;
  try {
    return await ask(run, `choose:${round}`, callIn, run.allowance);
  } catch (error) {
    if (error instanceof LimitReached) run.limitsReached.add(error.limit);
    else if (!(error instanceof ModelFailed)) throw error;
    return undefined;
  }
}

function blocksOf(
  run: AgentRun,
  lines: readonly string[],
  most: number,
): Blocks {
  const directions = run.plan!.directions.map(({ title }) => ({ title }));
  return [
    ['brief', briefText(run.brief!, { max_pages: most })],
    ['plan', JSON.stringify({ directions })],
    ['candidates', lines.join('\n')],
  ];
}
