import type { Heading } from '../page.types';

export const MAX_HEADINGS = 500;
export const MAX_HEADING_CHARS = 200;
export const MAX_IDS = 8;

const MARKDOWN_HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** The headings of a Markdown text, `#` to `######`, outside of code. */
export function markdownHeadings(text: string): Heading[] {
  const headings: Heading[] = [];
  let fence: string | undefined;
  for (let at = 0; at < text.length && headings.length < MAX_HEADINGS;) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    // Whatever a longer line is, it is no heading.
    const line = text.slice(at, Math.min(end, at + 1_000)).trimEnd();
    const mark = FENCE.exec(line)?.[1];
    if (fence === undefined) {
      const [, marks, title] = MARKDOWN_HEADING.exec(line) ?? [];
      if (mark !== undefined) fence = mark;
      else if (title !== undefined) {
        const name = headingText(title.replace(/[\s#]+$/, ''));
        if (name) headings.push({ at, level: marks.length, text: name });
      }
    } else if (mark?.startsWith(fence)) fence = undefined;
    at = end + 1;
  }
  return headings;
}

/** One line of bounded length. */
export function headingText(text: string): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return line.slice(0, MAX_HEADING_CHARS).toWellFormed();
}
