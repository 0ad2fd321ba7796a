import { bareUrls } from '../citations/bare-urls';
import { findCards } from './pii-cards';
import { findEmails } from './pii-emails';
import { findPrivateKeys, findTokens } from './pii-keys';
import { findInternationalPhones, findKoreanPhones } from './pii-phones';
import { findResidentNumbers } from './pii-resident-numbers';
import { type Span, withSpans } from '../text-spans';

export type Pii = 'email' | 'phone' | 'residentNumber' | 'card' | 'key';
export interface Found extends Span {
  kind: Pii;
}

/** Applied in this order: each finder gets the text without the matches of those before it. */
const FINDERS: [Pii | 'url', (text: string) => Span[]][] = [
  ['key', findPrivateKeys],
  ['key', findTokens],
  ['url', findUrls],
  ['email', findEmails],
  ['residentNumber', findResidentNumbers],
  ['card', findCards],
  ['phone', findInternationalPhones],
  ['phone', findKoreanPhones],
];

/**
 * Personal data and keys, in the order of the text. URLs are ignored unless they contain a key. Takes linear time for any
 * input.
 */
export function findPii(text: string): Found[] {
  const found: Found[] = [];
  let rest = narrow(text);
  for (const [kind, find] of FINDERS) {
    const spans = find(rest);
    if (kind !== 'url') found.push(...spans.map((at) => ({ kind, ...at })));
    rest = withSpans(rest, spans, blank);
  }
  return found.toSorted((a, b) => a.start - b.start);
}

/** Maps full-width characters, and all kinds of dashes, dots and spaces, to one plain character each. */
function narrow(text: string): string {
  return text
    .replace(/[\uff01-\uff5e]/g, (wide) =>
      String.fromCharCode(wide.charCodeAt(0) - 0xfee0),
    )
    .replace(/[\u2010-\u2015\u2212\ufe58\ufe63]/g, '-')
    .replace(/[\u00b7\u2024\u2219\u30fb]/g, '.')
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ');
}

/** A filler of the same length that is part of no word or number. */
function blank({ start, end }: Span): string {
  return '\0'.repeat(end - start);
}

/** A comma or semicolon ends a URL: the next entry of a list is not part of it. */
function findUrls(text: string): Span[] {
  return bareUrls(text).map(({ start, end }) => {
    const comma = text.slice(start, end).search(/[,;]/);
    return { start, end: comma < 0 ? end : start + comma };
  });
}
