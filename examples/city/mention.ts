/** An entry with names in Korean and English. */
export interface Named {
  readonly names: readonly string[];
}

/** Part of every result: the data must not be relied upon. */
export const NOTE =
  'Example data, made up for a demonstration. 예시용으로 지어낸 자료입니다.';

/** The entry that a text mentions; of several the one with the longest name, as 알루미늄 캔 is more specific than 캔. */
export function mentioned<T extends Named>(
  text: string,
  things: readonly T[],
): T | undefined {
  return allMentioned(text, things).at(0);
}

export function allMentioned<T extends Named>(
  text: string,
  things: readonly T[],
): T[] {
  const folded = text.normalize('NFKC').toLowerCase();
  return things
    .map((thing) => ({ thing, length: longest(folded, thing.names) }))
    .filter(({ length }) => length > 0)
    .sort((a, b) => b.length - a.length)
    .map(({ thing }) => thing);
}

/** Formats a list of entries: 소파, 매트리스. */
export function listed(things: readonly Named[]): string {
  return things.map(({ names }) => names[0]).join(', ');
}

function longest(folded: string, names: readonly string[]): number {
  return Math.max(
    0,
    ...names.filter((name) => occurs(folded, name)).map(({ length }) => length),
  );
}

/** Korean appends particles to words and uses blanks freely; in other languages whole words must match. */
function occurs(folded: string, name: string): boolean {
  if (/\p{sc=Hangul}/u.test(name))
    return folded.replace(/\s/g, '').includes(name.replace(/\s/g, ''));
  return new RegExp(`(?<![a-z0-9])${name}(?:e?s)?(?![a-z0-9])`).test(folded);
}
