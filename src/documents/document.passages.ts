/** About 300 words, or two screens of Korean: what is found is read as a whole. */
const MAX_LENGTH = 1500;
/** No passage ends before this, so that there are not many tiny ones. */
const MIN_LENGTH = MAX_LENGTH / 3;

/** Where a text may be cut, best first: before a heading, after a paragraph, a line, a sentence, a word. */
const BREAKS = [
  /\n(?=#{1,6} )/g,
  /\n[ \t\r]*\n/g,
  /\n/g,
  /[.!?…。！？]["'”’)\]」』]*(?=\s)|[。！？]/g,
  /\s/g,
];

/** Cuts a text into passages of at most `MAX_LENGTH` characters; nothing but blanks is lost. */
export function passagesOf(text: string): string[] {
  const passages: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = endOfPassage(text, start);
    const passage = text.slice(start, end).trim();
    if (passage) passages.push(passage);
    start = end;
  }
  return passages;
}

function endOfPassage(text: string, start: number): number {
  if (text.length - start <= MAX_LENGTH) return text.length;
  const window = text.slice(start, start + MAX_LENGTH);
  for (const form of BREAKS) {
    const last = [...window.matchAll(form)].at(-1);
    const end = last ? last.index + last[0].length : 0;
    if (end >= MIN_LENGTH) return start + end;
  }
  // A character outside the Basic Multilingual Plane is two units that belong together.
  const split = /[\ud800-\udbff]$/.test(window);
  return start + MAX_LENGTH - (split ? 1 : 0);
}
