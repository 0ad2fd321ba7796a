import type { AgentRun } from '../agent-run';
import type { Note } from '../agent.types';
import { type Gaps, gapsPrompt } from '../prompts/gaps.prompt';
import type { Blocks } from '../prompts/prompt';
import { briefText, noteLine } from '../prompts/wishes';
import { fittingNotes } from '../text/note-ranking';
import { tidyQuery } from '../text/query-check';
import { ask } from '../steps/ask';
import { LimitReached, ModelFailed } from '../steps/model-failures';
import { callOf, fitsContext } from '../steps/role-call';
import type { Asked } from './search-stage';

/** The queries that close gaps; none if the notes suffice, or the critic gives no answer. */
export async function findGaps(
  run: AgentRun,
  round: string,
  asked: readonly Asked[],
): Promise<Asked[]> {
  const { directions } = run.plan!;
  const gaps = await criticise(run, round, asked);
  if (!gaps) return [];
  run.contradictions.push(...gaps.contradictions);
  run.missing = gaps.sufficient ? [] : gaps.missing;
  if (gaps.sufficient && gaps.contradictions.length === 0) return [];
  const known = new Set(asked.map(({ query }) => query.toLowerCase()));
  return gaps.queries
    .map(({ direction, query }) => ({ direction, query: tidyQuery(query) }))
    .filter(({ direction, query }) => {
      const key = query.toLowerCase();
      if (direction >= directions.length || !query || known.has(key))
        return false;
      known.add(key);
      return true;
    })
    .slice(0, directions.length);
}

async function criticise(
  run: AgentRun,
  round: string,
  asked: readonly Asked[],
): Promise<Gaps | undefined> {
  const brief = run.brief!;
  const plan = run.plan!.directions.map(({ title }, at) => ({
    title,
    queries: asked
      .filter(({ direction }) => direction === at)
      .map(({ query }) => query),
  }));
  const blocks = (lines: readonly string[]): Blocks => [
    ['brief', briefText(brief)],
    ['plan', JSON.stringify({ directions: plan })],
    ['notes', lines.join('\n')],
  ];
  const about = [brief.goal, ...brief.sub_questions].join(' ');
  const callIn = (within: AgentRun) => {
    const notes: Note[] = fittingNotes(run.notes, about, (lines) =>
      fitsContext(within, gapsPrompt, blocks(lines)),
    );
    const given = blocks(notes.map(noteLine));
    return callOf(within, gapsPrompt, given, 'Looking for gaps');
  };
  try {
    return await ask(run, `gaps:${round}`, callIn, run.allowance);
  } catch (error) {
    if (error instanceof LimitReached) run.limitsReached.add(error.limit);
    else if (!(error instanceof ModelFailed)) throw error;
    return undefined;
  }
}
