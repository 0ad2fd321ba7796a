import { isObject } from '../../../platform/message/call-arguments';
import type { Part } from '../../../platform/message/message';
import { MAX_HITS, MAX_SNIPPET } from '../hits';
import type { RawHit } from '../search.types';
import { linksInText } from './mcp-links';

const MAX_DEPTH = 5;
const MAX_ENTRIES = 200;
const URLS = ['url', 'link', 'href', 'uri', 'source_url', 'sourceUrl'];
const TITLES = ['title', 'name', 'heading'];
const TEXTS = [
  'snippet',
  'content',
  'text',
  'description',
  'summary',
  'excerpt',
  'highlights',
  'body',
  'raw_content',
];
const DATES = [
  'publishedAt',
  'publishedDate',
  'published_date',
  'published_at',
  'published',
  'date',
];

/**
 * The hits in the result of a search tool, whose form is up to its author: a list of objects with URLs anywhere in a value
 * or in a text of JSON, else the links of its texts. Undefined if it is none of these; a list without entries is an answer.
 */
export function hitsInParts(
  parts: readonly Part[],
  keepsText: boolean,
): RawHit[] | undefined {
  const values = parts.flatMap((part) => valueOf(part) ?? []);
  const lists = values.flatMap((value) => listIn(value) ?? []);
  if (lists.length > 0)
    return lists.slice(0, MAX_ENTRIES).map((one) => hitOf(one, keepsText));
  const links = parts.flatMap((part) =>
    part.type === 'text' ? linksInText(part.text) : [],
  );
  if (links.length > 0) return links.slice(0, MAX_ENTRIES);
  return values.some(isEmptyAnswer) ? [] : undefined;
}

/** A value, or the one that a text holds as JSON: in an array, so that null is one as well. */
function valueOf(part: Part): [unknown] | undefined {
  if (part.type === 'value') return [part.value];
  if (part.type !== 'text' || !/^\s*[[{]/.test(part.text)) return undefined;
  try {
    return [JSON.parse(part.text)];
  } catch {
    return undefined;
  }
}

/** The first list in a value that has entries with URLs, searched level by level. */
function listIn(value: unknown): Record<string, unknown>[] | undefined {
  let level: unknown[] = [value];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    for (const one of level) {
      const found = Array.isArray(one) ? one.filter(hasUrl) : [];
      if (found.length > 0) return found;
    }
    level = level
      .flatMap((one) =>
        typeof one === 'object' && one !== null ? Object.values(one) : [],
      )
      .slice(0, MAX_ENTRIES * MAX_HITS);
  }
  return isObject(value) && hasUrl(value) ? [value] : undefined;
}

function hasUrl(entry: unknown): entry is Record<string, unknown> {
  return isObject(entry) && /^https?:/i.test(textAt(entry, URLS) ?? '');
}

function hitOf(entry: Record<string, unknown>, keepsText: boolean): RawHit {
  const texts = TEXTS.map((name) => textAt(entry, [name]) ?? '');
  const longest = texts.reduce((a, b) => (b.length > a.length ? b : a), '');
  return {
    url: textAt(entry, URLS),
    title: textAt(entry, TITLES),
    snippet: texts.find(Boolean),
    publishedAt: textAt(entry, DATES),
    ...(keepsText && longest.length > MAX_SNIPPET && { content: longest }),
  };
}

/** The first of the fields that holds a text, or a list of texts. */
function textAt(
  entry: Record<string, unknown>,
  names: readonly string[],
): string | undefined {
  for (const name of names) {
    const value = entry[name];
    if (typeof value === 'string' && value !== '') return value;
    if (!Array.isArray(value)) continue;
    const texts = value.filter((one) => typeof one === 'string');
    if (texts.length > 0) return texts.slice(0, MAX_HITS).join(' … ');
  }
  return undefined;
}

/** `[]`, or an object that holds an empty list, such as `{"results": []}`. */
function isEmptyAnswer(value: unknown): boolean {
  const lists = isObject(value) ? Object.values(value) : [value];
  return lists.some((one) => Array.isArray(one) && one.length === 0);
}
