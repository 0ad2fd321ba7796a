import type { Range } from '../agent.types';
import MiniSearch from 'minisearch';
import { ownTurn } from '../../../platform/own-turn';
import { termsOf } from '../text/terms';
import { headingPath, placeOf } from './heading-path';
import type { PageText } from './lines';
import { type Part, partsOf } from './parts';

/** What of a page is to be read. */
export interface Want {
  /** Of one part, at most. */
  tokens: number;
  /** At most. */
  parts: number;
  /** What the parts are to be about, the query that found the page first. */
  queries: readonly string[];
  /** The part under the heading with this id is read first. */
  fragment?: string;
  /** What was read already. */
  read: readonly Range[];
}

/** Terms of all queries that are looked for. */
const MAX_TERMS = 200;
/** Of the score of the page's best part: one with less shares words with the queries and is about something else. */
const LEAST_ABOUT = 0.25;
/** A part of which no more is new was read: parts overlap. */
const LEAST_NEW = 0.2;

/**
 * The parts of a page that are wanted, in the order of the page, or of one that was read before the best first: that of the fragment, then those that BM25 puts first, which
 * weighs rare terms. Those that are far from the best part of the page, read or not, are left out, unless nothing of the page
 * would be read. Other work gets its turn.
 * @returns the parts, and whether there are more.
 */
export async function wantedParts(
  page: PageText,
  want: Want,
  count: (text: string) => number,
): Promise<{ parts: Part[]; more: boolean }> {
  const all = await partsOf(page, want.tokens, count);
  const parts = all.filter((part) => isNew(part, want.read));
  const isFirst = want.read.length === 0;
  const most = (chosen: readonly Part[]) => {
    const best = chosen.slice(0, want.parts);
    return {
      parts: isFirst ? best.toSorted((a, b) => a.start - b.start) : best,
      more: parts.length > best.length,
    };
  };
  if (isFirst && parts.length <= 1) return most(parts);
  const place =
    want.fragment === undefined
      ? undefined
      : placeOf(page.headings, want.fragment);
  const named =
    place === undefined
      ? undefined
      : parts.findLast(({ start, end }) => start <= place && place < end);
  const ranked = await rankedParts(page, all, want.queries);
  const first = new Set([
    ...(named ? [named] : []),
    ...ranked.filter((part) => parts.includes(part)),
  ]);
  return most(first.size > 0 || !isFirst ? [...first] : parts);
}

function isNew({ start, end }: Part, read: readonly Range[]): boolean {
  const known = read.reduce(
    (sum, one) =>
      sum + Math.max(0, Math.min(end, one.end) - Math.max(start, one.start)),
    0,
  );
  return end - start - known > (end - start) * LEAST_NEW;
}

/** Those that are about the queries, the best first. */
async function rankedParts(
  { text, headings }: PageText,
  parts: readonly Part[],
  queries: readonly string[],
): Promise<Part[]> {
  // A term of several queries weighs more.
  const terms = queries.flatMap((query) => [...new Set(termsOf(query))]);
  const wanted = new Set(terms.slice(0, MAX_TERMS));
  const index = new MiniSearch({
    fields: ['text', 'headings'],
    tokenize: termsOf,
    processTerm: (term) => (wanted.has(term) ? term : null),
    searchOptions: {
      tokenize: () => terms.slice(0, MAX_TERMS),
    },
  });
  for (const [id, { start, end }] of parts.entries()) {
    const path = headingPath(headings, start).join(' ');
    index.add({ id, text: text.slice(start, end), headings: path });
    await ownTurn();
  }
  const found = index
    .search('any')
    .toSorted((a, b) => b.score - a.score || a.id - b.id);
  return found
    .filter(({ score }) => score >= found[0].score * LEAST_ABOUT)
    .map(({ id }) => parts[id as number]);
}
