import { hasOwnScript, languageOf } from '../../../platform/message/language';
import type { Tried } from '../agent.types';
import type { Candidate, Scope, SearchQuery } from '../agent-ports';
import type { AgentRun } from '../agent-run';
import { candidateOf } from '../candidates/candidate';
import { shorterQuery } from '../candidates/shorter-query';
import { withoutPassages } from '../text/query-check';
import { inLanes } from './lanes';
import { isSkipped } from '../steps/model-failures';

const HITS = 10;
/** Searches at once; the providers have limits of their own. */
const LANES = 4;
/** The last one records the failure instead of leaving the step without a result. */
const ATTEMPTS = 4;
/** Faults that may be gone at the next attempt. */
const TRANSIENT = ['timeout', 'unreachable', 'rate_limited'];

export interface Asked {
  direction: number;
  query: string;
}

export type Found = { hits: Candidate[] } | { tried: Tried[] };

/**
 * Searches for all queries of a round; what finds nothing is asked once more, shorter.
 * @returns the hits of each direction, those of its first query before those of the second.
 */
export async function searchRound(
  run: AgentRun,
  round: string,
  scope: Scope,
  asked: readonly Asked[],
): Promise<Candidate[][]> {
  const lists = run.plan!.directions.map((): Candidate[] => []);
  if (!run.ports.search.has(scope)) return lists;
  const first = await searchAll(run, round, scope, asked);
  const shorter = first.flatMap(({ direction, query, hits }) => {
    const short = hits?.length === 0 ? shorterQuery(query) : undefined;
    return short === undefined ? [] : [{ direction, query: short }];
  });
  const again = distinct(shorter, asked);
  const more =
    again.length > 0 ? await searchAll(run, `${round}~`, scope, again) : [];
  for (const { direction, hits = [] } of [...first, ...more])
    lists[direction].push(...hits);
  return lists;
}

/** Those that were not asked yet, each once. */
function distinct(queries: readonly Asked[], asked: readonly Asked[]): Asked[] {
  const known = new Set(asked.map(({ query }) => query.toLowerCase()));
  return queries.filter(({ query }) => {
    const isNew = !known.has(query.toLowerCase());
    known.add(query.toLowerCase());
    return isNew;
  });
}

/** What a query has found; undefined where no engine answered. */
interface Answered extends Asked {
  hits?: Candidate[];
}

async function searchAll(
  run: AgentRun,
  round: string,
  scope: Scope,
  asked: readonly Asked[],
): Promise<Answered[]> {
  const [inherited, others] = divided(
    run,
    scope,
    await checked(run, round, scope, asked),
  );
  run.widen({ searches: inherited.length });
  run.searches += inherited.length;
  const allowed = [...inherited, ...withinLimit(run, others)];
  run.searches += allowed.length - inherited.length;
  const found = await inLanes(allowed, LANES, (one, at) =>
    search(
      run,
      `search:${round}:${one.direction}:${at}`,
      queryOf(run, scope, one.query),
    ),
  );
  return found.map((result, at) => {
    const one = allowed[at];
    if ('hits' in result) {
      run.answered += 1;
      return { ...one, hits: result.hits };
    }
    run.failed.push({ what: one.query, tried: result.tried });
    return one;
  });
}

/** Those that the run before has the results of, and the others. */
function divided(
  run: AgentRun,
  scope: Scope,
  asked: readonly Asked[],
): [Asked[], Asked[]] {
  const { inheritance } = run.journal;
  const isInherited = ({ query }: Asked): boolean =>
    inheritance?.has('search', queryOf(run, scope, query)) ?? false;
  return [
    asked.filter((one) => isInherited(one)),
    asked.filter((one) => !isInherited(one)),
  ];
}

/** The queries that may leave. Private ones stay with the operator's own providers. */
async function checked(
  run: AgentRun,
  round: string,
  scope: Scope,
  asked: readonly Asked[],
): Promise<Asked[]> {
  if (scope === 'private') return [...asked];
  const { documents = [], previous, research_question } = run.task.args;
  const earlier = previous?.private ? previous.paragraphs : [];
  const clean = await withoutPassages(
    asked.map(({ query }) => query),
    [...documents.map(({ text }) => text), ...earlier],
    research_question,
  );
  // A guard is code of the operator, which may change while the run lasts.
  const secret = await run.journal.decide(`queries:${round}`, () =>
    asked.map(({ query }) => run.ports.guard?.hasSecret(query) ?? false),
  );
  return asked.filter(({ query }, at) => {
    if (clean.has(query) && !secret[at]) return true;
    const tried = [{ provider: 'sonde', fault: 'refused_query' }];
    // The query is not shown: it holds what must not leave.
    run.failed.push({ what: 'a query that was not sent', tried });
    return false;
  });
}

/** Of what the limit leaves, the first queries of all directions come before the second ones. */
function withinLimit(run: AgentRun, asked: readonly Asked[]): Asked[] {
  const left = run.limits.searches - run.searches;
  if (asked.length <= left) return [...asked];
  run.noteLimit('max_searches');
  const ranks = asked.map(
    ({ direction }, at) =>
      asked.slice(0, at).filter((one) => one.direction === direction).length,
  );
  return asked
    .map((one, at) => ({ one, rank: ranks[at] }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, Math.max(0, left))
    .map(({ one }) => one);
}

/** In the language of its words, which need not be that of the report: the best sources may be written in another. */
function queryOf(run: AgentRun, scope: Scope, text: string): SearchQuery {
  const brief = run.brief!;
  const written = languageOf(text);
  // Han alone may be Chinese or Japanese: the brief knows.
  const language =
    written && hasOwnScript(brief.language) ? brief.language : written;
  const { recency } = brief;
  return {
    text,
    scope,
    limit: HITS,
    ...(language !== undefined && { language }),
    ...(recency !== 'any' && { recency }),
  };
}

async function search(
  run: AgentRun,
  key: string,
  query: SearchQuery,
): Promise<Found> {
  try {
    return await run.journal.step<Found>(
      key,
      query,
      'search',
      async (signal, attempt) => ({
        value: await outcome(run, query, signal, attempt),
        spent: { searches: 1 },
        events: [
          {
            type: 'progress',
            data: { kind: 'web_search', detail: query.text },
          },
        ],
      }),
    );
  } catch (error) {
    if (!isSkipped(error)) throw error;
    return { tried: [{ provider: 'search', fault: 'interrupted' }] };
  }
}

async function outcome(
  run: AgentRun,
  query: SearchQuery,
  signal: AbortSignal,
  attempt: number,
): Promise<Found> {
  try {
    const { hits } = await run.ports.search.search(query, signal);
    return { hits: hits.map((hit, at) => candidateOf(hit, query, at)) };
  } catch (error) {
    const { tried } = error as { tried?: (Tried & { after?: string })[] };
    if (!Array.isArray(tried)) throw error;
    const mayPass = tried.some(({ fault }) => TRANSIENT.includes(fault));
    if (mayPass && attempt < ATTEMPTS) throw error;
    return {
      tried: tried.map(({ provider, fault, after }) => ({
        provider,
        fault: after ?? fault,
      })),
    };
  }
}
