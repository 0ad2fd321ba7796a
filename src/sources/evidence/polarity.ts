import type { Shared } from './shared';
import { oppositeOf } from './words/concepts';
import type { Statement, Steps, Word } from './statement';
import { isOrder } from './words/polarity-marks';

/** Clauses of a sentence and of a quote that speak of the same. */
interface Pairing {
  readonly stated: Set<number>;
  readonly quoted: Set<number>;
}

/** Why sentence and quote do not say it with the same negations, hedges, directions and orders; undefined where they do. */
export function polarityFault(
  sentence: Statement,
  quote: Statement,
  shared: Shared,
): string | undefined {
  if (isOrder(quote.text) && !isOrder(sentence.text))
    return 'The quote is an order to its reader.';
  const { steps } = sentence;
  const size = sentence.words.length + quote.words.length;
  for (const pairing of pairings(sentence, quote, shared)) {
    steps.take(size);
    const fault = pairFault(sentence, quote, pairing);
    if (fault) return fault;
  }
  for (const [stated, quoted] of shared.quantities) {
    steps.take(size);
    const left = sentence.words.filter(
      ({ clause }) => clause === stated.clause,
    );
    const right = quote.words.filter(({ clause }) => clause === quoted.clause);
    const fault = oppositeFault(steps, left, right);
    if (fault) return fault;
  }
  return undefined;
}

function pairFault(
  sentence: Statement,
  quote: Statement,
  { stated, quoted }: Pairing,
): string | undefined {
  const wordsIn = (side: Statement, clauses: ReadonlySet<number>): Word[] =>
    side.words.filter(({ clause }) => clauses.has(clause));
  const sum = (
    counts: readonly number[],
    clauses: ReadonlySet<number>,
  ): number =>
    [...clauses].reduce((total, clause) => total + (counts[clause] ?? 0), 0);
  const [left, right] = [wordsIn(sentence, stated), wordsIn(quote, quoted)];
  const { steps } = sentence;
  const prefixes =
    negativePrefixes(steps, left, right) - negativePrefixes(steps, right, left);
  if (
    sum(sentence.negations, stated) + prefixes !==
    sum(quote.negations, quoted)
  )
    return 'A negation stands on one side only.';
  if (sum(sentence.hedges, stated) > 0 !== sum(quote.hedges, quoted) > 0)
    return 'A hedge stands on one side only.';
  return oppositeFault(steps, left, right) ?? scopeFault(left, right);
}

function oppositeFault(
  steps: Steps,
  left: readonly Word[],
  right: readonly Word[],
): string | undefined {
  const has = (words: readonly Word[], concept: string): boolean =>
    words.some(({ concepts }) => concepts.includes(concept));
  for (const word of left)
    for (const concept of word.concepts) {
      const opposite = oppositeOf(concept);
      if (opposite) steps.take(right.length);
      if (opposite && !has(right, concept) && has(right, opposite))
        return `The quote says the opposite of "${word.text}".`;
    }
  return undefined;
}

/** "some", "only" and their like cannot be dropped. */
function scopeFault(
  left: readonly Word[],
  right: readonly Word[],
): string | undefined {
  const scopes = (words: readonly Word[]): string[] =>
    words.flatMap(({ concepts }) =>
      concepts.filter((one) => one.startsWith('scope:')),
    );
  const kept = new Set(scopes(left));
  const dropped = scopes(right).find((scope) => !kept.has(scope));
  return dropped && `The quote limits it by "${dropped.slice(6)}".`;
}

/** How many words say "im-possible" where the other side has "possible". */
function negativePrefixes(
  steps: Steps,
  words: readonly Word[],
  others: readonly Word[],
): number {
  const stems = others.map(({ stem }) => stem);
  const whole = new Set(stems);
  return words.filter(({ stem }) => {
    const base =
      /^(?:un|in|im|ir|il|non|dis|mis|불|비|미|무|탈|반)(.{2,})$/.exec(
        stem,
      )?.[1];
    if (base === undefined || whole.has(stem)) return false;
    steps.take(stems.length);
    return stems.some((other) => other.startsWith(base));
  }).length;
}

/**
 * Each clause of the sentence belongs to the quote's clause with which it has the most in common; what it has in
 * common with others only brings them in too. Clauses that belong together are compared as one.
 */
function pairings(
  sentence: Statement,
  quote: Statement,
  shared: Shared,
): Pairing[] {
  const links = linksOf(shared);
  const found: Pairing[] = [];
  let pending = new Set<number>();
  sentence.negations.forEach((_, clause) => {
    const quoted = quotedClauses(sentence.steps, links.get(clause) ?? []);
    pending.add(clause);
    if (quoted.size === 0) return;
    sentence.steps.take(found.length * quoted.size);
    join(found, { stated: pending, quoted });
    pending = new Set();
  });
  if (found.length === 0) {
    const all = (counts: readonly number[]): Set<number> =>
      new Set(counts.keys());
    return [{ stated: all(sentence.negations), quoted: all(quote.negations) }];
  }
  const last = found.at(-1);
  pending.forEach((clause) => last?.stated.add(clause));
  return found;
}

/** Per clause of the sentence, the clauses of the quote that each of its words and numbers stands in. */
function linksOf(shared: Shared): Map<number, number[][]> {
  const links = new Map<number, number[][]>();
  const add = (from: number, to: number[]): void => {
    links.set(from, links.get(from) ?? []);
    links.get(from)?.push(to);
  };
  for (const [word, equals] of shared.words)
    add(
      word.clause,
      equals.map(({ clause }) => clause),
    );
  for (const [stated, quoted] of shared.quantities)
    add(stated.clause, [quoted.clause]);
  return links;
}

/** The fewest clauses that hold what was found, by always taking the one that holds most. */
function quotedClauses(
  steps: Steps,
  places: readonly (readonly number[])[],
): Set<number> {
  const taken = new Set<number>();
  let open = places;
  while (open.length > 0) {
    steps.take(2 * open.reduce((sum, { length }) => sum + length, 0));
    const counts = new Map<number, number>();
    for (const clauses of open)
      for (const clause of new Set(clauses))
        counts.set(clause, (counts.get(clause) ?? 0) + 1);
    const [best] = [...counts].reduce((left, right) =>
      right[1] > left[1] ? right : left,
    );
    taken.add(best);
    open = open.filter((clauses) => !clauses.includes(best));
  }
  return taken;
}

function join(found: Pairing[], added: Pairing): void {
  const stated = new Set(added.stated);
  const quoted = new Set(added.quoted);
  for (let i = found.length - 1; i >= 0; i -= 1) {
    if (![...found[i].quoted].some((clause) => quoted.has(clause))) continue;
    found[i].stated.forEach((clause) => stated.add(clause));
    found[i].quoted.forEach((clause) => quoted.add(clause));
    found.splice(i, 1);
  }
  found.push({ stated, quoted });
}
