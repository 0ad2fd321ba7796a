import {
  citationsCheck,
  REMOVED_LINK,
} from '../../../tools/guardrails/citations/citations-check';

const check = citationsCheck('redact');
const PLACEHOLDER = new RegExp(
  String.raw`\s*[([]?${REMOVED_LINK.replace(/[[\]]/g, '\\$&')}[)\]]?`,
  'g',
);
/** A link in parentheses of its own is a reference: nothing of it is the sentence's. */
const REFERENCE =
  /(?<!\s)\s*\(\s*!?\[[^\]\n]{0,500}\]\([^()\n]{0,2000}\)\s*\)/g;
const NONE: ReadonlySet<string> = new Set();

/** A model's sentence as plain text on one line: its links are removed, and their labels stay. Empty if nothing is left. */
export function plainSentence(text: string): string {
  return withoutLinks(
    text
      .replace(REFERENCE, '')
      .replace(/[\p{Cc}\s\u200b\u2028\u2029]+/gu, ' ')
      .replace(/^(?:\s*(?:#{1,6}|[-*+>|]|\d+[.)])\s+)+/, ''),
  );
}

/** A model's title as plain text. */
export function plainTitle(title: string): string {
  return plainSentence(title).replace(/[\s.:]+$/, '');
}

/** The text of a link in Markdown, in which no title can end the link or begin another. */
export function linkLabel(title: string, url: string): string {
  const label = title.replace(/\s+/g, ' ').trim() || url;
  return Array.from(label.replace(/(?:https?|ftp):\/\//gi, ''))
    .slice(0, 120)
    .join('')
    .replace(/[\\`*_{}[\]()<>#!|~&]/g, '\\$&');
}

/** The target of a link in Markdown. */
export function linkTarget(url: string): string {
  return url.replace(
    /[()<>\s\\[\]`"']/g,
    (one) =>
      `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

function withoutLinks(text: string): string {
  try {
    const plain = check(text, {
      consulted: NONE,
      signal: new AbortController().signal,
    }) as string;
    return plain.replace(PLACEHOLDER, '').replace(/\s+/g, ' ').trim();
  } catch {
    // What still forms links after some passes is no sentence.
    return '';
  }
}
