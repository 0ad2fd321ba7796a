/** About 300 words, or two screens of Korean: a hit is read as a whole. */
const MAX_LENGTH = 1500;
/** No passage is shorter, except the last. */
const MIN_LENGTH = MAX_LENGTH / 3;

/** Where a text may be divided, best first: before a heading, after a paragraph, a line, a sentence, a word. */
const BREAKS = [
  /\n(?=#{1,6} )/g,
  /\n[ \t\r]*\n/g,
  /\n/g,
  /[.!?…。！？]["'”’)\]」』]*(?=\s)|[。！？]/g,
  /\s/g,
];

/** Splits a text into passages of at most `MAX_LENGTH` characters; only white space is lost. */
export function* passagesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = endOfPassage(text, start);
    const passage = text.slice(start, end).trim();
    if (passage) yield passage;
    start = end;
  }
}

function endOfPassage(text: string, start: number): number {
  if (text.length - start <= MAX_LENGTH) return text.length;
  const window = text.slice(start, start + MAX_LENGTH);
  for (const form of BREAKS) {
    const last = [...window.matchAll(form)].at(-1);
    const end = last ? last.index + last[0].length : 0;
    if (end >= MIN_LENGTH) return start + end;
  }
  // A character outside the Basic Multilingual Plane has two code units, which stay together.
  const splitsPair = /[\ud800-\udbff]$/.test(window);
  return start + MAX_LENGTH - (splitsPair ? 1 : 0);
}
