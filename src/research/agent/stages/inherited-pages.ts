import type { Candidate, Scope } from '../agent-ports';
import type { AgentRun } from '../agent-run';
import { Allowance } from '../budget/allowance';
import { byPage, pageKey } from '../candidates/candidate';
import { pageInput } from '../steps/page-step';
import { adopt, perPage, readPage, unread, wantOf } from './page-reading';
import type { Found } from './search-stage';

/** The pages of this scope that the searches of the run before have found, in its order. */
export function inheritedCandidates(run: AgentRun, scope: Scope): Candidate[] {
  const found = run.journal.inheritance?.values<Found>('search') ?? [];
  const isPrivate = scope === 'private';
  return found
    .flatMap((one) => ('hits' in one ? one.hits : []))
    .filter((candidate) => candidate.private === isPrivate);
}

/**
 * Adopts those that the run before has read, before anything is searched: a run that continues keeps all notes, whatever its
 * own limits are. Returns the others.
 */
export async function adoptPages(
  run: AgentRun,
  place: string,
  candidates: readonly Candidate[],
): Promise<Candidate[]> {
  if (!run.journal.inheritance) return [...candidates];
  const others: Candidate[] = [];
  const ofPage = byPage(candidates, (one) => one);
  for (const [at, candidate] of candidates.entries()) {
    const step = `inherited.${place}:${at}`;
    if (run.pages.has(pageKey(candidate))) continue;
    if (await adopted(run, step, candidate))
      await adoptFurther(run, step, ofPage.get(pageKey(candidate))!);
    else others.push(candidate);
  }
  return others;
}

/** The other parts of a page, in the order in which they were read for other queries. */
async function adoptFurther(
  run: AgentRun,
  place: string,
  candidates: readonly Candidate[],
): Promise<void> {
  const left = [...candidates];
  for (let count = 1; left.length > 0; count += 1) {
    const next = left.findIndex((one) => isInherited(run, one));
    if (next === -1) return;
    const [candidate] = left.splice(next, 1);
    if (!(await adopted(run, `${place}+${count}`, candidate))) return;
  }
}

/** Whether the run before has opened this page as this one would now. */
function isInherited(run: AgentRun, candidate: Candidate): boolean {
  const { inheritance } = run.journal;
  return inheritance?.has('page', inputOf(run, candidate)) ?? false;
}

function inputOf(run: AgentRun, candidate: Candidate): object {
  return pageInput(candidate, wantNow(run, candidate));
}

function wantNow(run: AgentRun, candidate: Candidate) {
  const read = run.pages.get(pageKey(candidate))?.read;
  return wantOf(run, candidate, undefined, read);
}

/**
 * Adopts a page, or another part of it, that the run before has opened as this one would now; false otherwise. Nothing is spent
 * but on parts that it failed to note.
 */
async function adopted(
  run: AgentRun,
  key: string,
  candidate: Candidate,
): Promise<boolean> {
  if (!isInherited(run, candidate)) return false;
  const reading = unread();
  const want = wantNow(run, candidate);
  await readPage(run, key, candidate, want, reading, allowanceOf(run));
  // Its text is not the one that other parts were noted of.
  if (reading.pages.length === 0) return false;
  if (!run.pages.has(pageKey(candidate))) {
    run.pagesTried += 1;
    run.widen({ pages: 1 });
  }
  adopt(run, reading);
  return true;
}

/** For one page, or nothing where reading has not so much left: no limit is reached by pages that are known. */
function allowanceOf(run: AgentRun): Allowance {
  const { tokens, costUsd } = run.readingLeft;
  const page = perPage(run);
  const isEnough = page.tokens <= tokens && page.costUsd <= costUsd;
  return new Allowance(isEnough ? page : { tokens: 0, costUsd: 0 });
}
