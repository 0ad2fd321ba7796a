import type { Candidate } from '../agent-ports';
import { hostOf } from './candidate';

/**
 * Of the pages that are read, at most a third from one host: what is more goes to the end of its list, in its order. Pages are
 * counted as they are read, one of each direction in turn. Hosts that the question names have no share.
 * @param most pages that are read.
 */
export function withHostShare(
  lists: readonly Candidate[][],
  most: number,
  question: string,
): Candidate[][] {
  const share = Math.max(1, Math.ceil(most / 3));
  const named = question.toLowerCase();
  const counts = new Map<string, number>();
  const surplus = new Set<Candidate>();
  const longest = Math.max(0, ...lists.map((list) => list.length));
  for (let at = 0; at < longest; at += 1)
    for (const one of lists.flatMap((list) => list.slice(at, at + 1))) {
      const host = hostOf(one);
      if (!host || named.includes(host)) continue;
      const count = (counts.get(host) ?? 0) + 1;
      counts.set(host, count);
      if (count > share) surplus.add(one);
    }
  return lists.map((list) => [
    ...list.filter((one) => !surplus.has(one)),
    ...list.filter((one) => surplus.has(one)),
  ]);
}
