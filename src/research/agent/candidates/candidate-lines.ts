import type { Candidate } from '../agent-ports';
import { cut } from '../prompts/prompt';
import { hostOf } from './candidate';

/** A candidate and the direction that it belongs to. */
export interface Listed {
  candidate: Candidate;
  direction: number;
}

/** The first of all directions, then the second ones, so that a bound of lines leaves out the last. */
export function inTurn(lists: readonly Candidate[][]): Listed[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) =>
    lists.flatMap((list, direction) =>
      list.slice(at, at + 1).map((candidate) => ({ candidate, direction })),
    ),
  ).flat();
}

/** A candidate as prompts show it, numbered from 1. */
export function candidateLine(
  { candidate, direction }: Listed,
  at: number,
): string {
  const { title, publishedAt, snippet } = candidate;
  const host = hostOf(candidate);
  return JSON.stringify({
    n: at + 1,
    direction,
    title: cut(title, 120),
    ...(host && { host }),
    ...(publishedAt && { date: publishedAt.slice(0, 10) }),
    ...(snippet && { snippet }),
  });
}

/** Those that a model names by their numbers, each once; a number of nothing is left out. */
export function named(
  shown: readonly Listed[],
  numbers: readonly number[],
): Listed[] {
  return [...new Set(numbers)].flatMap((number) => shown[number - 1] ?? []);
}
