import {
  citationsCheck,
  REMOVED_LINK,
} from '../../../tools/guardrails/citations/citations-check';

const check = citationsCheck('redact');
const PLACEHOLDER = new RegExp(
  String.raw`\s*[([]?${REMOVED_LINK.replace(/[[\]]/g, '\\$&')}[)\]]?`,
  'g',
);
/** Begins a word such as `<command>`: only a tag with a value, or an address, leads anywhere. */
const WORD_BRACKET = /<(?![^<>]*[=:])/g;
/** Stands for such a bracket while links are looked for: a sentence has no control characters. */
const BRACKET = '\u0001';
/** A link in parentheses of its own is a reference: nothing of it is the sentence's. */
const REFERENCE =
  /(?<!\s)\s*\(\s*!?\[[^\]\n]{0,500}\]\([^()\n]{0,2000}\)\s*\)/g;
const NONE: ReadonlySet<string> = new Set();

/**
 * A model's sentence as plain text on one line: its links are removed, and their labels stay, as do words in angle brackets.
 * Empty if nothing is left.
 */
export function plainSentence(text: string): string {
  return withoutLinks(
    text
      .replace(REFERENCE, '')
      .replace(/[\p{Cc}\s\u200b\u2028\u2029]+/gu, ' ')
      .replace(/^(?:\s*(?:#{1,6}|[-*+>|]|\d+[.)])\s+)+/, '')
      .replace(WORD_BRACKET, BRACKET),
  ).replaceAll(BRACKET, '<');
}

/** A model's title as plain text. */
export function plainTitle(title: string): string {
  return plainSentence(title).replace(/[\s.:]+$/, '');
}

/**
 * In a sentence: what Markdown shows as it is written (an escape, code), and what it would not: a backtick of its own, which
 * could make code of what follows, a tag, an entity, and what looks like the mark of a source.
 */
const IN_MARKDOWN =
  /\\[!-/:-@[-`{-~]|(?<!`)(`+)(?!`).*?[^`]\1(?!`)|`+|<|&(?=#?\w{1,32};)|\[(?=\d+\])/g;

/** A sentence in Markdown. Its emphasis and its code are Markdown already; anything else of it is literal. */
export function inMarkdown(sentence: string): string {
  return sentence.replace(IN_MARKDOWN, (found, code?: string) =>
    code || found.startsWith('\\') ? found : found.replace(/./g, '\\$&'),
  );
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
