import { decodeHTML } from 'entities';
import type { RawHit, SearchHit } from './search.types';
import { urlKey } from './url-key';

export const MAX_HITS = 50;
export const MAX_SNIPPET = 1_000;
const MAX_TITLE = 300;
const MAX_URL = 2_000;
const MAX_CONTENT = 100_000;
/** Of a document of the operator's own. */
const MAX_DOCUMENT = 1_000_000;
/** What is cleaned of a longer text; the rest cannot reach the result. */
const MAX_CLEANED = 8_000;

const MARKUP = /<!--[^]{0,1000}?-->|<\/?[a-z][^<>]{0,1000}>/gi;
/** Control characters, and those that reorder or hide text. */
const INVISIBLE =
  /[\p{Cc}\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/gu;
/** Line breaks and tabs stay. */
const INVISIBLE_IN_LINES =
  /[^\P{Cc}\n\t]|[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/gu;

/** The usable ones of what a provider sent, in its order, each page once, with every length bounded. */
export function cleanHits(
  raw: readonly RawHit[],
  provider: string,
  limit: number,
): SearchHit[] {
  const hits = new Map<string, SearchHit>();
  const most = Math.min(limit, MAX_HITS);
  for (const one of raw) {
    if (hits.size >= most) break;
    const hit = cleanHit(one, provider);
    if (!hit) continue;
    const key = urlKey(hit.url);
    if (!hits.has(key)) hits.set(key, hit);
  }
  return [...hits.values()];
}

function cleanHit(raw: RawHit, provider: string): SearchHit | undefined {
  const url = raw.document ?? pageUrl(raw.url);
  if (url === undefined) return undefined;
  const publishedAt = isoDate(raw.publishedAt);
  const { content } = raw;
  const most = raw.document === undefined ? MAX_CONTENT : MAX_DOCUMENT;
  return {
    url,
    title: plainLine(raw.title, MAX_TITLE) || url.slice(0, MAX_TITLE),
    snippet: plainLine(raw.snippet, MAX_SNIPPET),
    provider,
    ...(publishedAt !== undefined && { publishedAt }),
    ...(content !== undefined && {
      content: cut(
        content.slice(0, most).replace(INVISIBLE_IN_LINES, ''),
        most,
      ),
    }),
  };
}

function pageUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_URL) return undefined;
  if (!URL.canParse(value)) return undefined;
  const url = new URL(value);
  const { protocol, username, password } = url;
  if (!/^https?:$/.test(protocol) || username || password) return undefined;
  return url.href.length > MAX_URL ? undefined : url.href;
}

/** Plain text in one line: markup is dropped, then entities are resolved, so that escaped markup stays readable. */
export function plainLine(value: unknown, max: number): string {
  if (typeof value !== 'string') return '';
  const text = value.slice(0, MAX_CLEANED).replace(MARKUP, '');
  const line = decodeHTML(text).replace(INVISIBLE, ' ').replace(/\s+/g, ' ');
  return cut(line.trim(), max);
}

/** At most `max` UTF-16 units, without half a character at the end. */
export function cut(text: string, max: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= max) return whole;
  return whole.slice(0, max).replace(/[\ud800-\udbff]$/, '');
}

const DATE =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}:\d{2})(?:\.\d{1,9})?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** A time without a zone is taken as UTC. */
function isoDate(value: unknown): string | undefined {
  const [, day, time = '00:00:00', zone = 'Z'] =
    (typeof value === 'string' && DATE.exec(value)) || [];
  if (day === undefined) return undefined;
  const date = new Date(`${day}T${time}${zone}`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
