import { agreement, isRival } from './numbers/agreement';
import type { Placed, Shared } from './shared';
import type { Statement, Word } from './statement';

/**
 * A number belongs to the words of its clause, and within it to those around it. Where the quote has other numbers of
 * the same kind, at least one word must be on the right number's side, and no name on the other's.
 */
export function subjectFault(
  sentence: Statement,
  quote: Statement,
  shared: Shared,
): { isClear: boolean; detail: string } | undefined {
  for (const [stated, own] of shared.quantities) {
    const text = sentence.text.slice(stated.start, stated.end);
    const near = besideOf(sentence, shared, stated);
    for (const other of quote.quantities) {
      sentence.steps.take(1);
      if (other === own || agreement(stated, other) === 'same') continue;
      const { here, there, dates, names } = sides(
        quote,
        near,
        stated,
        own,
        other,
      );
      if (isRival(stated, other)) {
        if (names || (there > 0 && here === 0))
          return {
            isClear: true,
            detail: `In the quote ${text} belongs to another subject.`,
          };
        if (here + dates === 0 && !isInOrder(sentence, shared, stated, other))
          return {
            isClear: false,
            detail: `The quote has several numbers like ${text}; which one is meant is open.`,
          };
      } else if (
        names &&
        other.kind === 'number' &&
        stated.kind === 'number' &&
        hasOtherName(quote, shared, own)
      )
        return {
          isClear: false,
          detail: `In the quote ${text} may belong to another subject.`,
        };
    }
  }
  return undefined;
}

interface Sides {
  readonly here: number;
  readonly there: number;
  readonly dates: number;
  readonly names: boolean;
}

/** What stands beside a number of the sentence, and where the quote has it. */
interface Beside {
  readonly words: readonly (readonly [Word, readonly Word[]])[];
  readonly quantities: readonly (readonly [Placed, Placed])[];
  /** Pairs of both. */
  readonly size: number;
}

function besideOf(
  sentence: Statement,
  { words, quantities }: Shared,
  stated: Placed,
): Beside {
  sentence.steps.take(words.size + quantities.size);
  const near = [...words].filter(
    ([word]) =>
      word.clause === stated.clause && isNearest(sentence, word.start, stated),
  );
  const dates = [...quantities].filter(
    ([one]) => one !== stated && one.clause === stated.clause,
  );
  const size = near.reduce((sum, [, equals]) => sum + equals.length, 0);
  return { words: near, quantities: dates, size: size + dates.length };
}

function sides(
  quote: Statement,
  near: Beside,
  stated: Placed,
  own: Placed,
  other: Placed,
): Sides {
  let [here, there, names] = [0, 0, false];
  const count = (isOwn: boolean, isOther: boolean, isName: boolean): void => {
    if (isOwn === isOther) return;
    if (isOther) there += 1;
    else here += 1;
    if (isOther && isName) names = true;
  };
  quote.steps.take(2 * near.size);
  for (const [word, equals] of near.words) {
    const isName =
      word.isName || word.isFirst || equals.some((one) => one.isName);
    count(
      equals.some((one) => belongs(quote, one, own)),
      equals.some((one) => belongs(quote, one, other)),
      isName,
    );
  }
  let dates = 0;
  for (const [one, equal] of near.quantities) {
    if (equal === other) continue;
    const isOwn = belongs(quote, equal, own);
    const isDate =
      one.kind === 'date' || (one.kind === 'number' && one.isYearLike);
    if (!isDate || isOwn === belongs(quote, equal, other)) continue;
    if (isOwn) dates += 1;
    else names = true;
  }
  const relation = stated.kind === 'number' ? stated.relation : '';
  if (relation !== '' && own.kind === 'number' && other.kind === 'number')
    count(own.relation === relation, other.relation === relation, false);
  return { here, there, dates, names };
}

/** Where the rivals of a number in its clause begin: the nearest on each side, and the first. */
interface Rivals {
  readonly previous: number;
  readonly next: number;
  readonly first: number;
}

const known = new WeakMap<Placed, Rivals>();

function rivalsOf(statement: Statement, owner: Placed): Rivals {
  const before = known.get(owner);
  if (before) return before;
  statement.steps.take(statement.quantities.length);
  let [previous, next, first] = [-1, Infinity, Infinity];
  for (const one of statement.quantities) {
    if (one === owner || one.clause !== owner.clause || !isRival(owner, one))
      continue;
    first = Math.min(first, one.start);
    if (one.start < owner.start) previous = Math.max(previous, one.start);
    if (one.start > owner.start) next = Math.min(next, one.start);
  }
  const found = { previous, next, first };
  known.set(owner, found);
  return found;
}

/** Within a clause of several numbers of a sentence, a word belongs to the numbers beside it. */
function isNearest(sentence: Statement, at: number, stated: Placed): boolean {
  const { previous, next } = rivalsOf(sentence, stated);
  return at >= previous && at <= next;
}

/** Words of the number's clause, but for those that stand behind another number of its kind. */
function belongs(
  quote: Statement,
  {
    start,
    clause,
    isName,
  }: { start: number; clause: number; isName?: boolean },
  owner: Placed,
): boolean {
  if (clause !== owner.clause)
    return clause === owner.clause - 1 && isInherited(quote, owner, isName);
  const { previous, next, first } = rivalsOf(quote, owner);
  return start <= next && (start > previous || start < first);
}

/** A clause without words has those of the clause before; one that begins with a pronoun has its names. */
function isInherited(
  quote: Statement,
  { clause }: Placed,
  isName = false,
): boolean {
  if (isName && quote.pronouns.has(clause)) return true;
  return !quote.worded.has(clause);
}

function hasOtherName(quote: Statement, shared: Shared, own: Placed): boolean {
  quote.steps.take(quote.words.length);
  return quote.words.some(
    (word) =>
      word.clause === own.clause &&
      (word.isName || word.isFirst) &&
      !shared.known.has(word),
  );
}

/** Sentence and quote list the same numbers and the same words in the same order. */
function isInOrder(
  { steps }: Statement,
  shared: Shared,
  stated: Placed,
  other: Placed,
): boolean {
  steps.take(2 * shared.size);
  const [partner] =
    [...shared.quantities].find(([, own]) => own === other) ?? [];
  if (partner === undefined) return false;
  const clauses = new Set([stated.clause, partner.clause]);
  const places = [
    ...shared.words,
    ...[...shared.quantities].map(([one, own]) => [one, [own]] as const),
  ]
    .filter(([one]) => clauses.has(one.clause))
    .sort(([left], [right]) => left.start - right.start)
    .map(([, equals]) => Math.min(...equals.map(({ start }) => start)));
  return places.every(
    (place, index) => index === 0 || place > places[index - 1],
  );
}
