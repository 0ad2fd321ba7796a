import { urlKey } from '../../../sources/search/url-key';
import type { Candidate, Scope } from '../agent-ports';
import type { AgentRun } from '../agent-run';
import { readInherited } from './read-stage';
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
  const { inheritance } = run.journal;
  if (!inheritance) return [...candidates];
  const others: Candidate[] = [];
  for (const [at, candidate] of candidates.entries()) {
    const { url } = candidate;
    const key = urlKey(url);
    const mayAdopt = !run.seen.has(key) && inheritance.has('page', { url });
    const step = `inherited.${place}:${at}`;
    if (mayAdopt && (await readInherited(run, step, candidate)))
      run.seen.add(key);
    else others.push(candidate);
  }
  return others;
}
