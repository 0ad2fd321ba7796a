import type { DataSources } from '../../arguments/data-sources';
import type { Candidate, Scope } from '../agent-ports';
import type { AgentRun } from '../agent-run';
import { pageKey } from '../candidates/candidate';
import { before, deal } from '../candidates/dealing';
import { overlap, termsOf } from '../text/terms';
import { choose } from './choose-stage';
import { findGaps } from './gaps-stage';
import { adoptPages, inheritedCandidates } from './inherited-pages';
import { readFurther, readRound } from './read-stage';
import { type Asked, searchRound } from './search-stage';

/**
 * Searches and reads, the web first: it is closed before the first private note exists, so nothing private can reach it. The
 * caller's documents are private.
 */
export async function rounds(run: AgentRun): Promise<void> {
  const sources = await sourcesOf(run);
  const documents = documentCandidates(run);
  // Documents that the caller sends are worth more than pages that a search finds.
  const forDocuments = Math.min(
    documents.length,
    Math.ceil(run.limits.pages / 2),
  );
  const both = sources !== 'web' && sources !== 'private';
  const pages = run.limits.pages - forDocuments;
  const unread: Candidate[][] = [];
  if (sources !== 'private')
    unread.push(
      ...(await phase(run, 'public', both ? Math.ceil(pages / 2) : pages)),
    );
  if (sources !== 'web') unread.push(...(await phase(run, 'private', pages)));
  const unnoted = await adoptPages(run, 'documents', documents);
  if (unnoted.length > 0)
    await readRound(run, 'documents', [unnoted], unnoted.length);
  const isFull = run.sources.length >= run.limits.pages;
  if (isFull && unread.some((list) => list.length > 0))
    run.noteLimit('max_pages');
}

/** As the request has it; else the web, or private sources where only they can be searched. */
function sourcesOf({ task, ports, journal }: AgentRun): Promise<DataSources> {
  const { search } = ports;
  return journal.decide('sources', () => {
    if (task.args.data_sources) return task.args.data_sources;
    const onlyPrivate = search.has('private') && !search.has('public');
    return onlyPrivate ? 'private' : 'web';
  });
}

/**
 * One scope, with the rounds that close its gaps. Returns the candidates that are left.
 * @param pages that the run has read at the end of the phase.
 */
async function phase(
  run: AgentRun,
  scope: Scope,
  pages: number,
): Promise<Candidate[][]> {
  if (!run.ports.search.has(scope)) return [];
  const { gapRounds, gapPages } = run.limits;
  const reserved = gapRounds * gapPages;
  const room = (): number => pages + run.adopted - run.sources.length;
  const asked: Asked[] = run.plan!.directions.flatMap(
    ({ queries }, direction) => queries.map((query) => ({ direction, query })),
  );
  const known = run.sources.length;
  await adoptPages(run, scope, inheritedCandidates(run, scope));
  const most = Math.max(room() - reserved, Math.ceil(room() / 2));
  let left = await findAndRead(run, `${scope}0`, scope, { asked, most });
  for (let round = 1; round <= gapRounds && !isSpent(run); round += 1) {
    if (run.sources.length === known && left.every((list) => !list.length))
      break;
    noteUsedUp(run);
    const key = `${scope}${round}`;
    const { queries, opened } = await findGaps(run, {
      key,
      asked,
      unread: left,
      pagesLeft: room(),
      isLast: round === gapRounds,
    });
    if (queries.length === 0 && opened.flat().length === 0) break;
    asked.push(...queries);
    const wanted = new Set(queries.map(({ direction }) => direction));
    const of = (isWanted: boolean): Candidate[][] =>
      left.map((list, at) => (wanted.has(at) === isWanted ? list : []));
    const rest = await findAndRead(run, key, scope, {
      asked: queries,
      most: Math.min(gapPages, room()),
      opened,
      left: of(true),
    });
    left = untried(run, before(rest, of(false)));
  }
  return left;
}

/**
 * One round: pages that were asked for are opened; what was found is dealt to the directions, chosen from and read, then other
 * parts of known pages.
 * @param most pages that are read.
 * @param left candidates of the rounds before.
 * @returns the candidates that are left.
 */
async function findAndRead(
  run: AgentRun,
  round: string,
  scope: Scope,
  from: {
    asked: readonly Asked[];
    most: number;
    opened?: Candidate[][];
    left?: Candidate[][];
  },
): Promise<Candidate[][]> {
  const { asked, most, opened = [], left = [] } = from;
  const known = run.sources.length;
  const wanting = (): number => most - (run.sources.length - known);
  await readRound(run, `${round}o`, opened, most);
  if (asked.length === 0 || isSpent(run)) return left;
  const found = await searchRound(run, round, scope, asked);
  const { fresh, further } = deal(found, run.pages);
  const lists = before(fresh, untried(run, left));
  const { chosen, dropped } = await choose(run, round, lists, wanting());
  const rest = await readRound(run, round, chosen, wanting());
  if (isSpent(run)) return before(rest, dropped);
  // Once pages have been read, what a model leaves out of the later ones is not what is missing.
  const reserve =
    known === 0
      ? await readRound(run, `${round}r`, dropped, wanting())
      : dropped;
  if (!isSpent(run)) await readFurther(run, round, further);
  return before(rest, reserve);
}

function untried(run: AgentRun, lists: readonly Candidate[][]): Candidate[][] {
  return lists.map((list) =>
    list.filter((one) => !run.pages.has(pageKey(one))),
  );
}

/** Nothing more can be read. */
function isSpent({ limitsReached }: AgentRun): boolean {
  return ['max_tokens', 'max_cost_usd', 'max_seconds', 'key_budget'].some(
    (limit) => limitsReached.has(limit),
  );
}

/** A limit of the caller that alone prevents that a further round searches or reads is noted. */
function noteUsedUp(run: AgentRun): void {
  const { searches, pages } = run.limits;
  if (run.searches >= searches) run.noteLimit('max_searches');
  if (run.sources.length >= pages) run.noteLimit('max_pages');
}

/** The caller's documents, those that say most about the brief first where not all can be read. */
function documentCandidates(run: AgentRun): Candidate[] {
  const { goal, sub_questions } = run.brief!;
  const wanted = new Set(termsOf([goal, ...sub_questions].join(' ')));
  const documents = run.task.args.documents ?? [];
  const candidates = documents.map(({ title, text }, at) => ({
    candidate: { url: `document:${at + 1}`, title, private: true },
    score: overlap(`${title} ${text.slice(0, 50_000)}`, wanted),
  }));
  if (candidates.length > run.limits.pages)
    candidates.sort((a, b) => b.score - a.score);
  return candidates.map(({ candidate }) => candidate);
}
