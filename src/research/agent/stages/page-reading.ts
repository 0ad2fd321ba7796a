import type { Candidate } from '../agent-ports';
import type { AgentRun } from '../agent-run';
import { Allowance, type Amount, amountOf } from '../budget/allowance';
import { pageKey } from '../candidates/candidate';
import type { TriedPage } from '../candidates/tried-page';
import type { Range } from '../agent.types';
import type { Want } from '../parts/wanted-parts';
import { LimitReached, ModelFailed } from '../steps/model-failures';
import type { Call } from '../steps/model-step';
import {
  callTokens,
  type FoundNote,
  noteWindow,
  windowTokens,
} from '../steps/notes-step';
import { openPage, type PageHead } from '../steps/page-step';
import { distinctNotes } from '../text/note-ranking';

interface ReadPage {
  head: PageHead;
  candidate: Candidate;
  notes: FoundNote[];
  /** Its best part of what was left says nothing: neither will the others. */
  exhausted: boolean;
}

/** What was tried, one page after another; the state of the run has nothing of it before `adopt`. */
export interface Reading {
  pages: ReadPage[];
  failed: { candidate: Candidate; fault: string }[];
  /** How many candidates were tried. */
  tried: number;
  late: boolean;
  spent: Amount;
}

export function unread(): Reading {
  const spent = { tokens: 0, costUsd: 0 };
  return { pages: [], failed: [], tried: 0, late: false, spent };
}

/** The most that one page uses: each of its parts, and one more call for a repeat. */
export function perPage(run: AgentRun): Amount {
  const { input, output } = callTokens(run);
  const calls = run.limits.windows + 1;
  return amountOf(run.model('reader'), input * calls, output * calls);
}

/** How many pages reading can still pay for. */
export function affordable(run: AgentRun): number {
  const { tokens, costUsd } = run.readingLeft;
  const page = perPage(run);
  const byTokens = Math.floor(tokens / page.tokens);
  const byCost =
    page.costUsd > 0 ? Math.floor(costUsd / page.costUsd) : Infinity;
  if (byTokens <= 0) run.limitsReached.add('max_tokens');
  if (byCost <= 0) run.limitsReached.add('max_cost_usd');
  return Math.max(0, Math.min(byTokens, byCost));
}

/** The limit that a call would leave too little of to read a page after it: the least budget is that of a run without such calls. */
export function limitBefore(
  run: AgentRun,
  { prompt, inputTokens }: Call<unknown, unknown>,
): 'max_tokens' | 'max_cost_usd' | undefined {
  const output = run.outputLimit(prompt.model, prompt.maxTokens);
  const call = amountOf(run.model(prompt.model), inputTokens, output);
  const page = perPage(run);
  const { tokens, costUsd } = run.readingLeft;
  if (call.tokens + page.tokens > tokens) return 'max_tokens';
  return call.costUsd + page.costUsd > costUsd ? 'max_cost_usd' : undefined;
}

/** @param direction by its index in the plan; undefined for the caller's documents. */
export function wantOf(
  run: AgentRun,
  { query, fragment }: Candidate,
  direction: number | undefined,
  read: readonly Range[] = [],
): Want {
  const { goal, sub_questions } = run.brief!;
  const title = run.plan!.directions[direction ?? -1]?.title;
  const queries =
    query === undefined ? [goal, ...sub_questions] : [query, title ?? goal];
  return {
    tokens: windowTokens(run),
    parts: run.limits.windows,
    queries,
    ...(fragment !== undefined && { fragment }),
    read,
  };
}

/** Opens a page and notes its parts. */
export async function readPage(
  run: AgentRun,
  key: string,
  candidate: Candidate,
  want: Want,
  reading: Reading,
  allowance = new Allowance(perPage(run)),
): Promise<void> {
  reading.tried += 1;
  const page = await openPage(run, `page:${key}`, candidate, want);
  if ('fault' in page) {
    reading.failed.push({ candidate, fault: page.fault });
    return;
  }
  const source =
    run.sources[(run.pages.get(pageKey(candidate))?.source ?? 0) - 1];
  if (source && source.sha256 !== page.head.sha256) {
    // Its notes would have the places of another text.
    reading.failed.push({ candidate, fault: 'changed' });
    return;
  }
  const notes: FoundNote[] = [];
  let exhausted = false;
  try {
    for (const [at, part] of page.head.parts.entries()) {
      const place = `${key}:${at}`;
      const found = await noteWindow(run, place, page, part, allowance);
      notes.push(...found);
      exhausted = want.read.length > 0 && found.length === 0;
      if (exhausted) break;
    }
  } catch (error) {
    if (!(error instanceof ModelFailed || error instanceof LimitReached))
      throw error;
    reading.failed.push({ candidate, fault: 'not_noted' });
    // Other directions find it out by themselves, so that a takeover reads the same pages.
    reading.late = isKeyBudget(error);
  } finally {
    reading.spent.tokens += allowance.spent.tokens;
    reading.spent.costUsd += allowance.spent.costUsd;
  }
  reading.pages.push({ head: page.head, candidate, notes, exhausted });
}

function isKeyBudget(error: ModelFailed | LimitReached): boolean {
  return error instanceof LimitReached && error.limit === 'key_budget';
}

/** What is read of a page, without what else is known of its parts. */
export function rangesOf({ parts }: PageHead): Range[] {
  return parts.map(({ start, end }) => ({ start, end }));
}

/** Numbers sources and notes in the order of the plan. A page that has a source keeps it. */
export function adopt(run: AgentRun, reading: Reading): void {
  const { pages, failed, spent } = reading;
  run.allowance.settle(spent);
  for (const { candidate, fault } of failed) {
    const tried = [{ provider: 'page', fault }];
    run.failed.push({ what: candidate.url, tried });
    const key = pageKey(candidate);
    if (!run.pages.has(key))
      run.pages.set(key, { read: [], sought: [], whole: true });
  }
  for (const page of pages) adoptPage(run, page);
}

function adoptPage(
  run: AgentRun,
  { head, candidate, notes, exhausted }: ReadPage,
): void {
  const { parts: _, sought: asked, whole = exhausted, ...kept } = head;
  const key = pageKey(candidate);
  const known = run.pages.get(key);
  const source = known?.source ?? run.sources.length + 1;
  if (known?.source === undefined)
    run.sources.push({ ...kept, number: source, private: candidate.private });
  const read = [...(known?.read ?? []), ...rangesOf(head)];
  const sought = [...(known?.sought ?? []), asked];
  const tried: TriedPage = { source, read, sought, whole };
  run.pages.set(key, tried);
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
