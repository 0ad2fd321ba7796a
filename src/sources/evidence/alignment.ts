import type { Token } from './words/tokens';

const { max, min } = Math;
const NONE = Infinity;

/** Longer sentences are not aligned. */
const MAX_TOKENS = 1_000;

/** The cells of tables that may still be computed. */
export interface Work {
  cells: number;
}

/** What changes the meaning among the edits that make a quote the sentence. */
export interface Edits {
  readonly numbers: number;
  readonly opposites: number;
  /** Negations. */
  readonly dropped: number;
  readonly added: number;
}

/**
 * A path through the table is one number, so that paths are added and the least is the best: its cost, then how many
 * edits are suspicious, then which. No field overflows: a path has at most one edit for five of `MAX_TOKENS`.
 */
const ADDED = 1;
const DROPPED = 2 ** 8;
const OPPOSITE = 2 ** 16;
const NUMBER = 2 ** 24;
const SUSPICIOUS = 2 ** 32;
const COST = 2 ** 41;
const [REPLACED, LEFT_OUT, INSERTED] = [2 * COST, 2 * COST, 3 * COST];

/**
 * The edits that make a part of the quote the sentence: the fewest and, of as few, the least suspicious. Undefined
 * where they are more than one for five tokens: what costs more is not computed (Ukkonen's cut-off). `too_long` where
 * the work is more than is left.
 */
export function editsBetween(
  stated: readonly Token[],
  quoted: readonly Token[],
  work: Work,
): Edits | 'too_long' | undefined {
  if (stated.length > MAX_TOKENS) return 'too_long';
  const known = new Set(quoted);
  const foreign = stated.filter((token) => !known.has(token)).length;
  const bound = max(1, Math.floor(stated.length / 5)) * REPLACED + 2 * COST;
  if (foreign * REPLACED >= bound) return undefined;
  const row = new Float64Array(quoted.length + 1);
  let live: Columns = { first: 0, end: row.length };
  for (const token of stated) {
    if (row.length > work.cells) return 'too_long';
    live = advance(row, live, token, quoted, bound, work);
    if (live.end === 0) return undefined;
  }
  const best = row.reduce((left, right) => min(left, right));
  const field = (unit: number): number => Math.floor(best / unit) % 2 ** 8;
  return {
    numbers: field(NUMBER),
    opposites: field(OPPOSITE),
    dropped: field(DROPPED),
    added: field(ADDED),
  };
}

/** The columns of a row below the bound, `end` not among them; those outside hold infinity. */
interface Columns {
  readonly first: number;
  readonly end: number;
}

/**
 * From the paths for the sentence before `token`, by how much of the quote they use, to those with it. A path is `even`
 * after an edit of the sentence; it has left out a negation alone (`single`) or other words (`run`) after that.
 */
function advance(
  row: Float64Array,
  live: Columns,
  token: Token,
  quoted: readonly Token[],
  bound: number,
  work: Work,
): Columns {
  const inserted = INSERTED + (token.isNegation ? SUSPICIOUS + ADDED : 0);
  const from = max(live.first, 1);
  let diagonal = row[from - 1];
  let even = diagonal + inserted;
  let [single, run, first, end] = [NONE, NONE, row.length, 0];
  let at = from - 1;
  for (;;) {
    const path = min(even, single + SUSPICIOUS + DROPPED, run);
    row[at] = path < bound ? path : NONE;
    if (path < bound) {
      first = min(first, at);
      end = at + 1;
    }
    at += 1;
    if (at === row.length || (at > live.end && at !== end)) break;
    const other = quoted[at - 1];
    const longer = min(single, run) + LEFT_OUT;
    const alone = even + LEFT_OUT;
    even = min(row[at] + inserted, diagonal + replacement(token, other));
    single = other.isNegation ? alone : NONE;
    run = other.isNegation ? longer : min(longer, alone);
    diagonal = row[at];
  }
  work.cells -= at - from;
  return { first, end };
}

function replacement(token: Token, other: Token): number {
  if (token === other) return 0;
  let path = REPLACED;
  if (
    token.form !== '' &&
    token.form === other.form &&
    token.value !== other.value
  )
    path += SUSPICIOUS + NUMBER;
  if (token.pair !== '' && token.pair === other.pair)
    path += SUSPICIOUS + OPPOSITE;
  if (
    token.isNegation !== other.isNegation &&
    !token.isNeutral &&
    !other.isNeutral
  )
    path += SUSPICIOUS + (token.isNegation ? ADDED : DROPPED);
  return path;
}
