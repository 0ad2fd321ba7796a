import type { AgentRun } from '../agent-run';
import { Allowance, type Amount, amountOf } from '../budget/allowance';
import { distinctNotes } from '../text/note-ranking';
import { inLanes } from './lanes';
import { LimitReached, ModelFailed } from '../steps/model-failures';
import {
  callTokens,
  type FoundNote,
  noteWindow,
  windowTokens,
} from '../steps/notes-step';
import { openPage, type PageHead } from '../steps/page-step';
import type { Candidate } from '../agent-ports';

/** Directions that are read at once. */
const LANES = 3;

interface ReadPage {
  head: PageHead;
  candidate: Candidate;
  notes: FoundNote[];
}

interface Reading {
  pages: ReadPage[];
  failed: { url: string; fault: string }[];
  /** How many of the candidates were tried. */
  tried: number;
  late: boolean;
  spent: Amount;
}

/**
 * Reads up to `most` pages, allocated to the directions in the order of the plan. Pages and money are divided before anything
 * is read, so that no direction depends on the pace of another. Returns the candidates that are left.
 */
export async function readRound(
  run: AgentRun,
  round: string,
  lists: readonly Candidate[][],
  most: number,
): Promise<Candidate[][]> {
  const tried = lists.map(() => 0);
  const rest = (): Candidate[][] =>
    lists.map((list, at) => list.slice(tried[at]));
  let left = Math.min(most, run.limits.pages - run.sources.length);
  for (;;) {
    run.adoptContexts();
    const quotas = allocate(rest(), left);
    const wanted = quotas.reduce((sum, one) => sum + one, 0);
    if (wanted === 0) break;
    const pages = Math.min(wanted, affordable(run));
    if (pages === 0) break;
    const readings = await inLanes(
      allocate(rest(), pages),
      LANES,
      (quota, at) =>
        readDirection(
          run,
          `${round}.${at}`,
          queriesOf(run, lists.length, at),
          lists[at],
          tried[at],
          quota,
        ),
    );
    readings.forEach((reading, at) => {
      adopt(run, reading);
      tried[at] += reading.tried;
      left -= reading.pages.length;
    });
    if (readings.some(({ late }) => late)) break;
  }
  const isFull = run.sources.length >= run.limits.pages;
  if (isFull && rest().some((list) => list.length > 0))
    run.noteLimit('max_pages');
  return rest();
}

/** How many pages each direction gets: one each in the order of the plan, until none is left. */
function allocate(lists: readonly Candidate[][], most: number): number[] {
  const quotas = lists.map(() => 0);
  let left = most;
  for (let gave = true; gave && left > 0;) {
    gave = false;
    lists.forEach((list, at) => {
      if (left <= 0 || quotas[at] >= list.length) return;
      quotas[at] += 1;
      left -= 1;
      gave = true;
    });
  }
  return quotas;
}

/** The most that one page uses: each of its parts, and one more call for a repeat. */
function perPage(run: AgentRun): Amount {
  const { input, output } = callTokens(run);
  const calls = run.limits.windows + 1;
  return amountOf(run.model('reader'), input * calls, output * calls);
}

function affordable(run: AgentRun): number {
  const { tokens, costUsd } = run.readingLeft;
  const page = perPage(run);
  const byTokens = Math.floor(tokens / page.tokens);
  const byCost =
    page.costUsd > 0 ? Math.floor(costUsd / page.costUsd) : Infinity;
  if (byTokens <= 0) run.limitsReached.add('max_tokens');
  if (byCost <= 0) run.limitsReached.add('max_cost_usd');
  return Math.max(0, Math.min(byTokens, byCost));
}

function unread(): Reading {
  const spent = { tokens: 0, costUsd: 0 };
  return { pages: [], failed: [], tried: 0, late: false, spent };
}

/** What pages of a direction are read for; of none, for the brief. */
function queriesOf(run: AgentRun, lists = 0, at = 0): string[] {
  const { directions } = run.plan!;
  const { goal, sub_questions } = run.brief!;
  if (lists !== directions.length) return [goal, ...sub_questions];
  return [...directions[at].queries, directions[at].title];
}

/** One page after another. A page that cannot be read is replaced by the next candidate. */
async function readDirection(
  run: AgentRun,
  place: string,
  queries: readonly string[],
  candidates: readonly Candidate[],
  from: number,
  quota: number,
): Promise<Reading> {
  const reading = unread();
  const most = Math.min(
    candidates.length - from,
    quota === 0 ? 0 : quota * 2 + 2,
  );
  while (reading.pages.length < quota && reading.tried < most) {
    const at = from + reading.tried;
    const key = `${place}:${at}`;
    reading.late = await run.isLate(key);
    if (reading.late) break;
    await readPage(run, key, queries, candidates[at], reading);
    reading.tried += 1;
    if (reading.late) break;
  }
  return reading;
}

async function readPage(
  run: AgentRun,
  key: string,
  queries: readonly string[],
  candidate: Candidate,
  reading: Reading,
  allowance = new Allowance(perPage(run)),
): Promise<void> {
  const page = await openPage(run, `page:${key}`, candidate, {
    tokens: windowTokens(run),
    parts: run.limits.windows,
    queries,
    read: [],
  });
  if ('fault' in page) {
    reading.failed.push({ url: candidate.url, fault: page.fault });
    return;
  }
  const notes: FoundNote[] = [];
  try {
    for (const [at, part] of page.head.parts.entries())
      notes.push(
        ...(await noteWindow(run, `${key}:${at}`, page, part, allowance)),
      );
  } catch (error) {
    if (!(error instanceof ModelFailed || error instanceof LimitReached))
      throw error;
    reading.failed.push({ url: candidate.url, fault: 'not_noted' });
    // Other directions find it out by themselves, so that a takeover reads the same pages.
    reading.late = isKeyBudget(error);
  } finally {
    reading.spent.tokens += allowance.spent.tokens;
    reading.spent.costUsd += allowance.spent.costUsd;
  }
  reading.pages.push({ head: page.head, candidate, notes });
}

function isKeyBudget(error: ModelFailed | LimitReached): boolean {
  return error instanceof LimitReached && error.limit === 'key_budget';
}

/** Adopts a page that the run before has read as far as this one would; false otherwise. Nothing is spent. */
export async function readInherited(
  run: AgentRun,
  key: string,
  candidate: Candidate,
): Promise<boolean> {
  const reading = unread();
  const nothing = new Allowance({ tokens: 0, costUsd: 0 });
  await readPage(run, key, queriesOf(run), candidate, reading, nothing);
  if (reading.failed.length > 0) return false;
  reading.tried = 1;
  run.widen({ pages: 1 });
  adopt(run, reading);
  return true;
}

/** Numbers sources and notes in the order of the plan. */
function adopt(run: AgentRun, { pages, failed, tried, spent }: Reading): void {
  run.allowance.settle(spent);
  run.pagesTried += tried;
  for (const { url, fault } of failed)
    run.failed.push({ what: url, tried: [{ provider: 'page', fault }] });
  for (const { head, candidate, notes } of pages) {
    const { parts: _, ...kept } = head;
    const source = run.sources.length + 1;
    run.sources.push({ ...kept, number: source, private: candidate.private });
    const made = notes.map((note) => ({
      id: run.nextNoteId(),
      ...note,
      source,
      title: head.title,
      ...(head.date && { date: head.date }),
    }));
    const all = distinctNotes([...run.notes, ...made]);
    run.notes.splice(0, run.notes.length, ...all);
  }
}
