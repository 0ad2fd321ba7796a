import { compare, type Comparison } from './comparison';
import { computedIn } from './derivation';
import { EditSearch } from './edits';
import { fold } from './fold';
import { statementOf, Steps, TooMuchToCompare } from './statement';
import type { Verdict } from './verdict';

/** A note of a page. Only `quote` is evidence: it is the page's own text. `claim` is a model's wording of it and never supports a sentence. */
export interface Evidence {
  id: string;
  claim: string;
  quote: string;
}

export interface Binding {
  verdict: Verdict;
  /** Why the verdict is not simply a match, in words for a person. */
  detail?: string;
  /** The notes that the verdict rests on. */
  noteIds: string[];
}

/** The findings of the rules, as verdicts. */
const VERDICT_OF = {
  quote_matched: 'quote_matched',
  derived: 'derived',
  number_differs: 'number_differs',
  polarity_differs: 'contradicted',
  unanchored: 'unsupported',
} as const satisfies Record<string, Verdict>;

type Found = Omit<Binding, 'verdict'> & { verdict: keyof typeof VERDICT_OF };

/** Longer sentences and quotes are not compared; see `unsupported`. */
const MAX_SENTENCE_CHARS = 2_000;
const MAX_QUOTES = 24;

/**
 * Compares a sentence with the quotes it cites and returns the verdict for the best of them. Nothing is inferred: the
 * rule is what can be compared without understanding.
 * - A sentence that is a whole sentence of a quote, letter for letter, is matched in any language.
 * - Otherwise both must be Korean or English. Every number and date must stand in one quote, with its unit and beside
 *   words of its own clause; negations, hedges, directions and limits ("some", "only") must be the same in the clauses
 *   that speak of the same; names, the first word and the topic must be in the quote, as must every word in a clause
 *   with a number, and seven tenths of all.
 * - In a sentence that is its quote but for a few words, no negation may be left out or added, no "if" stand for
 *   "unless", and no number in the place of another.
 * - Between Korean and English only numbers, dates, Latin names and a small table of concepts can be compared: one
 *   name and one more of these must be in both and none missing. The rest of such a sentence is not compared.
 * - What stands only in several quotes together, is computed from them, or drops digits is `derived`.
 */
export function bind(sentence: string, evidence: readonly Evidence[]): Binding {
  const found = foundIn(sentence, evidence);
  return { ...found, verdict: VERDICT_OF[found.verdict] };
}

function foundIn(sentence: string, evidence: readonly Evidence[]): Found {
  const cited = evidence
    .slice(0, MAX_QUOTES)
    .filter(({ quote }) => quote.length <= MAX_SENTENCE_CHARS);
  if (cited.length === 0)
    return {
      verdict: 'unanchored',
      detail: 'It has no quote to compare with.',
      noteIds: [],
    };
  if (sentence.length > MAX_SENTENCE_CHARS)
    return {
      verdict: 'unanchored',
      detail: `It is longer than ${MAX_SENTENCE_CHARS} characters.`,
      noteIds: [],
    };
  return identical(sentence, cited) ?? boundedly(sentence, cited);
}

/** Without a verdict on what is too much to compare: a table of numbers, or a word repeated hundreds of times. */
function boundedly(sentence: string, cited: readonly Evidence[]): Found {
  try {
    return compared(sentence, cited, new Steps());
  } catch (error) {
    if (!(error instanceof TooMuchToCompare)) throw error;
    return {
      verdict: 'unanchored',
      detail: 'It and its quotes have too much to compare.',
      noteIds: [],
    };
  }
}

/** The same text within the bounds of sentences. */
function identical(
  sentence: string,
  cited: readonly Evidence[],
): Found | undefined {
  const wanted = sentence.trim();
  const isWhole = ({ quote }: Evidence): boolean => {
    const at =
      wanted === '' || !/\p{L}/u.test(wanted) ? -1 : quote.indexOf(wanted);
    if (at < 0) return false;
    const [head, after] = [quote.slice(0, at), quote.slice(at + wanted.length)];
    const before = head.trimEnd();
    const gap = head.slice(before.length);
    return (
      (before === '' ||
        gap.includes('\n') ||
        (gap !== '' && /[.!?。！？]["'”’)]?$/.test(before))) &&
      (/^\s*$/.test(after) ||
        (/[.!?。！？]["'”’)]?$/.test(wanted) && /^\s/.test(after)))
    );
  };
  const same = cited.filter(isWhole);
  return same.length > 0
    ? { verdict: 'quote_matched', noteIds: ids(same) }
    : undefined;
}

function compared(
  sentence: string,
  cited: readonly Evidence[],
  steps: Steps,
): Found {
  const stated = statementOf(sentence, steps);
  const single = cited.map((one) => ({
    one,
    found: comparedTerms(
      sentence,
      one,
      compare(stated, statementOf(one.quote, steps)),
    ),
  }));
  const clear = single.filter(({ found }) => found.fault === undefined);
  const edits = new EditSearch(sentence);
  const exact = clear
    .filter(({ found }) => !found.isRounded)
    .map(({ one }) => ({ one, edit: edits.faultIn(one.quote) }));
  const matched = exact.filter(({ edit }) => edit === undefined);
  if (matched.length > 0)
    return {
      verdict: 'quote_matched',
      noteIds: ids(matched.map(({ one }) => one)),
    };
  for (const { one, edit } of exact)
    if (edit)
      return { verdict: edit.fault, detail: edit.detail, noteIds: [one.id] };
  if (clear.length > 0)
    return {
      verdict: 'derived',
      detail: 'It rounds a number of the quote.',
      noteIds: ids(clear.map(({ one }) => one)),
    };
  const together = statementOf(
    cited.map(({ quote }) => quote).join('\n\n'),
    steps,
  );
  const joint = compare(stated, together);
  if (cited.length > 1 && joint.fault === undefined)
    return {
      verdict: 'derived',
      detail: 'It combines several notes.',
      noteIds: ids(cited),
    };
  const best = single.reduce((left, right) =>
    right.found.overlap > left.found.overlap ? right : left,
  );
  const computed = computedIn(stated, joint.missing, together);
  if (
    computed.size > 0 &&
    compare(stated, together, computed).fault === undefined
  )
    return {
      verdict: 'derived',
      detail: 'It computes a number from its quotes.',
      noteIds: ids(cited),
    };
  return {
    verdict: best.found.fault ?? 'unanchored',
    detail: best.found.detail,
    noteIds: [best.one.id],
  };
}

/** Terms in quotation marks must stand in the quote as they are. */
function comparedTerms(
  sentence: string,
  { quote }: Evidence,
  found: Comparison,
): Comparison {
  if (found.fault !== undefined) return found;
  const text = fold(quote).text;
  const missing = [
    ...sentence.matchAll(/["“「『]([^"”」』]{2,200})["”」』]/g),
  ].find(([, term]) => !text.includes(fold(term).text.trim()));
  return missing
    ? {
        ...found,
        fault: 'unanchored',
        detail: `The quote does not have ${missing[0]}.`,
      }
    : found;
}

function ids(evidence: readonly Evidence[]): string[] {
  return evidence.map(({ id }) => id);
}
