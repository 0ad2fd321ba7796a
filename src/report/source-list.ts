import {
  type Citation,
  codePoints,
  withPlaces,
} from '../platform/message/citation';

/** A source as the text of a report lists it. */
export interface ListedSource {
  /** What the text shows: `[1]`. */
  number: number;
  /** In Markdown. */
  title: string;
  /** Host, dates and the like, in plain text. */
  about: readonly string[];
  /** None of a private file. */
  target?: string;
}

const TITLE = 'Sources';
/** By the primary subtag of the language of the report. */
const TITLES: Record<string, string> = { ko: '출처' };

/** Closes a report: what its marks stand for, and the definitions that make links of them. */
export function sourceList(
  sources: readonly ListedSource[],
  language: string,
): string {
  const lines = sources.map(
    ({ number, title, about }) =>
      `- [${number}] ${[title, ...about].join(', ')}`,
  );
  const definitions = sources.flatMap(({ number, target }) =>
    target ? `[${number}]: ${target}` : [],
  );
  return [
    `## ${TITLES[language] ?? TITLE}`,
    lines.join('\n'),
    definitions.join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n');
}

const LIST =
  /\n\n## [^\n]+\n\n- \[\d+\] [^\n]+(?:\n- \[\d+\] [^\n]+)*(?:\n(?:\n\[\d+\]: \S+)+)?\s*$/;

/** A file lists what its report cites in a form of its own. */
export function withoutSourceList(text: string): string {
  return text.slice(0, text.length - listOf(text).length);
}

function listOf(text: string): string {
  const at = text.lastIndexOf('\n\n## ');
  return (at >= 0 && LIST.exec(text.slice(at))?.[0]) || '';
}

interface NumberedText<T extends Citation> {
  text: string;
  citations: T[];
  /** The highest number; of a text without numbers, that of the text before it. */
  last: number;
}

/**
 * A report that follows another one in the same text, with the numbers after `last`: in Markdown a number has one definition.
 * A text without a list of sources stays as it is.
 */
export function numberedAfter<T extends Citation>(
  last: number,
  text: string,
  citations: readonly T[],
): NumberedText<T> {
  const listed = [...listOf(text).matchAll(/^- \[(\d+)\] /gm)];
  const own = new Set(listed.map(([, number]) => Number(number)));
  if (last === 0 || own.size === 0)
    return { text, citations: [...citations], last: Math.max(last, ...own) };
  // Where each mark ends, in code points, and by how much the text has grown until there.
  const ends: number[] = [];
  const grown: number[] = [0];
  let points = 0;
  let from = 0;
  const renumbered = text.replace(MARK, (mark, number, at: number) => {
    if (!own.has(Number(number))) return mark;
    const made = `[${Number(number) + last}]`;
    points += codePoints(text.slice(from, at + mark.length));
    from = at + mark.length;
    ends.push(points);
    grown.push(grown.at(-1)! + made.length - mark.length);
    return made;
  });
  const moved = (index: number): number =>
    index + grown[countUpTo(ends, index)];
  return {
    text: renumbered,
    citations: citations.map((one) => withPlaces(one, moved)),
    last: last + Math.max(...own),
  };
}

/** What a sentence has like a mark is escaped. */
const MARK = /(?<!\\)\[(\d{1,5})\]/g;

/** How many of the ascending values are at most this one. */
function countUpTo(ascending: readonly number[], most: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
