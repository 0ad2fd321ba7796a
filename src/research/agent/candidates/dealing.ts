import type { Candidate } from '../agent-ports';
import { pageKey } from './candidate';
import type { TriedPage } from './tried-page';

/** Hits before this place are good enough to read another part of a known page for. */
const GOOD_RANK = 3;

/** The candidates of each direction, the best first. */
export interface Dealt {
  /** Pages that were not tried yet. Each stands in one direction, once. */
  fresh: Candidate[][];
  /** Pages that the run has read, or reads for another query: other parts of them may answer this one. */
  further: Candidate[][];
}

/**
 * Gives each page to the direction where it ranks best; of equal ranks, to the first of the plan.
 * @param lists the hits of each direction, those of its first query before those of the second.
 * @param tried the pages that the run knows by now.
 */
export function deal(
  lists: readonly Candidate[][],
  tried: ReadonlyMap<string, TriedPage>,
): Dealt {
  const ranked = lists.map((list) =>
    list.toSorted((a, b) => rankOf(a) - rankOf(b)),
  );
  const owners = ownersOf(ranked);
  const fresh = ranked.map((list) =>
    list.filter(
      (one) => owners.get(pageKey(one)) === one && !tried.has(pageKey(one)),
    ),
  );
  const further = ranked.map((list) =>
    list.filter((one) => {
      const key = pageKey(one);
      if (rankOf(one) >= GOOD_RANK) return false;
      return tried.has(key)
        ? tried.get(key)!.source !== undefined
        : owners.get(key) !== one;
    }),
  );
  return { fresh, further };
}

/** Of each page, the hit that ranks best. */
function ownersOf(ranked: readonly Candidate[][]): Map<string, Candidate> {
  const owners = new Map<string, Candidate>();
  for (const one of ranked.flat()) {
    const owner = owners.get(pageKey(one));
    if (!owner || rankOf(one) < rankOf(owner)) owners.set(pageKey(one), one);
  }
  return owners;
}

/** These before those, which are of an earlier round; no page twice, also not in two directions. */
export function before(
  first: readonly Candidate[][],
  then: readonly Candidate[][],
): Candidate[][] {
  const known = new Set(first.flat().map(pageKey));
  const others = then.map((list) =>
    list.filter((one) => !known.has(pageKey(one))),
  );
  const length = Math.max(first.length, others.length);
  return Array.from({ length }, (_, at) => [
    ...(first[at] ?? []),
    ...(others[at] ?? []),
  ]);
}

function rankOf({ rank = 0 }: Candidate): number {
  return rank;
}
