import type { Candidate } from '../agent-ports';
import type { AgentRun } from '../agent-run';
import type { Contradiction } from '../agent.types';
import {
  candidateLine,
  inTurn,
  type Listed,
  named,
} from '../candidates/candidate-lines';
import { type Gaps, gapsPrompt } from '../prompts/gaps.prompt';
import type { Blocks } from '../prompts/prompt';
import { briefText, noteLine } from '../prompts/wishes';
import { fittingNotes, mostThatFit } from '../text/note-ranking';
import { tidyQuery } from '../text/query-check';
import { ask } from '../steps/ask';
import { LimitReached, ModelFailed } from '../steps/model-failures';
import { callOf, fitsContext, roomBeside, SHARE } from '../steps/role-call';
import { limitBefore } from './page-reading';
import type { Asked } from './search-stage';

/** Unread pages that the critic is shown. */
const MAX_LINES = 30;

/** A round that closes gaps, before its critic was asked. */
export interface GapRound {
  key: string;
  asked: readonly Asked[];
  /** Of each direction, the pages that were found and not read. */
  unread: readonly Candidate[][];
  /** Pages that can still be read. */
  pagesLeft: number;
  isLast: boolean;
}

/** What a round searches for, and the pages of each direction that it opens. */
export interface ToRead {
  queries: Asked[];
  opened: Candidate[][];
}

/**
 * What closes gaps; nothing if the notes suffice, or the critic gives no answer. Where nothing can be read any more it is asked
 * all the same: what is missing or contradicted, the report has to say, and no other role finds it.
 */
export async function findGaps(
  run: AgentRun,
  round: GapRound,
): Promise<ToRead> {
  const { directions } = run.plan!;
  const shown = inTurn(round.unread).slice(0, MAX_LINES);
  const most = mostOf(run, round, shown.length);
  const nothing = { queries: [], opened: directions.map(() => []) };
  if (isOver(most) && run.notes.length === 0) return nothing;
  run.adoptContexts();
  run.critiques += 1;
  const gaps = await criticise(run, round, shown, most);
  if (!gaps) return nothing;
  run.contradictions.push(...amongNotes(run, gaps.contradictions));
  run.missing = gaps.sufficient ? [] : gaps.missing;
  if (gaps.sufficient && gaps.contradictions.length === 0) return nothing;
  const opened = named(shown, gaps.open).slice(0, most.max_open);
  return {
    queries: newQueries(run, gaps, round.asked).slice(0, most.max_queries),
    opened: directions.map((_, at) =>
      opened.flatMap(({ candidate, direction }) =>
        direction === at ? candidate : [],
      ),
    ),
  };
}

/** Those between notes that there are: of two at least. */
function amongNotes(
  { notes }: AgentRun,
  contradictions: readonly Contradiction[],
): Contradiction[] {
  const known = new Set(notes.map(({ id }) => id));
  return contradictions
    .map((one) => {
      const ids = new Set(one.note_ids.filter((id) => known.has(id)));
      return { ...one, note_ids: [...ids] };
    })
    .filter(({ note_ids }) => note_ids.length > 1);
}

/** As the brief shows it. */
type Most = ReturnType<typeof mostOf>;

/** What is searched for without a page that could be read is of no use. */
function mostOf(run: AgentRun, round: GapRound, unread: number) {
  const { limits, plan, searches } = run;
  const pages = Math.max(0, round.pagesLeft);
  const searchesLeft = Math.max(0, limits.searches - searches);
  const queries = Math.min(searchesLeft, plan!.directions.length);
  const most = {
    max_open: Math.min(pages, limits.gapPages, unread),
    max_queries: pages > 0 ? queries : 0,
  };
  return {
    searches_left: searchesLeft,
    pages_left: pages,
    ...most,
    last_round: round.isLast || isOver(most),
  };
}

function isOver(most: { max_open: number; max_queries: number }): boolean {
  return most.max_open + most.max_queries === 0;
}

function newQueries(
  run: AgentRun,
  { queries }: Gaps,
  asked: readonly Asked[],
): Asked[] {
  const known = new Set(asked.map(({ query }) => query.toLowerCase()));
  return queries
    .map(({ direction, query }) => ({ direction, query: tidyQuery(query) }))
    .filter(({ direction, query }) => {
      const key = query.toLowerCase();
      if (!run.plan!.directions[direction] || !query || known.has(key))
        return false;
      known.add(key);
      return true;
    });
}

async function criticise(
  run: AgentRun,
  { key, asked }: GapRound,
  shown: readonly Listed[],
  most: Most,
): Promise<Gaps | undefined> {
  const brief = run.brief!;
  const plan = run.plan!.directions.map(({ title }, at) => ({
    title,
    queries: asked
      .filter(({ direction }) => direction === at)
      .map(({ query }) => query),
  }));
  const blocks = (
    notes: readonly string[],
    unread: readonly string[],
  ): Blocks => [
    ['brief', briefText(brief, most)],
    ['plan', JSON.stringify({ directions: plan })],
    ['notes', notes.join('\n')],
    ['unread', unread.join('\n')],
  ];
  const about = [brief.goal, ...brief.sub_questions].join(' ');
  const lines = most.max_open > 0 ? shown.map(candidateLine) : [];
  const callIn = (within: AgentRun) => {
    const room = roomBeside(within, gapsPrompt, blocks([], []));
    const count = mostThatFit(lines.length, (n) => {
      const text = lines.slice(0, n).join('\n');
      return within.tokens('critic', text) <= room * SHARE;
    });
    const unread = lines.slice(0, count);
    const notes = fittingNotes(run.notes, about, (given) =>
      fitsContext(within, gapsPrompt, blocks(given, unread)),
    );
    const given = blocks(notes.map(noteLine), unread);
    const keep = (gaps: Gaps): Gaps => ({
      ...gaps,
      open: gaps.open.filter((n) => n <= count),
    });
    const detail = `Looking for gaps, round ${run.critiques}`;
    return { ...callOf(within, gapsPrompt, given, detail), keep };
  };
  const limit = limitBefore(run, callIn(run));
  if (limit) {
    if (!isOver(most)) run.limitsReached.add(limit);
    return undefined;
  }
  try {
    return await ask(run, `gaps:${key}`, callIn, run.allowance);
  } catch (error) {
    if (error instanceof LimitReached) run.limitsReached.add(error.limit);
    else if (!(error instanceof ModelFailed)) throw error;
    return undefined;
  }
}
