import { bareUrls } from '../citations/bare.urls';
import { findCards } from './pii.cards';
import { findEmails } from './pii.emails';
import { findPrivateKeys, findTokens } from './pii.keys';
import { findInternationalPhones, findKoreanPhones } from './pii.phones';
import { findResidentNumbers } from './pii.resident-numbers';
import { type Span, withSpans } from '../text.spans';

export type Pii = 'email' | 'phone' | 'residentNumber' | 'card' | 'key';
export interface Found extends Span {
  kind: Pii;
}

/** In this order: each sees what those before it have left. */
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
 * Personal data and keys, in the order of the text. URLs are left alone, unless they hold a key. Takes time in proportion
 * to the length of the text, whatever it holds.
 */
export function findPii(text: string): Found[] {
  const found: Found[] = [];
  let left = narrow(text);
  for (const [kind, find] of FINDERS) {
    const spans = find(left);
    if (kind !== 'url') found.push(...spans.map((at) => ({ kind, ...at })));
    left = withSpans(left, spans, nothing);
  }
  return found.toSorted((a, b) => a.start - b.start);
}

/** Characters of full width, and the many kinds of dashes, dots and spaces, each as one plain character. */
function narrow(text: string): string {
  return text
    .replace(/[\uff01-\uff5e]/g, (wide) =>
      String.fromCharCode(wide.charCodeAt(0) - 0xfee0),
    )
    .replace(/[\u2010-\u2015\u2212\ufe58\ufe63]/g, '-')
    .replace(/[\u00b7\u2024\u2219\u30fb]/g, '.')
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ');
}

/** As long as the span, and part of no word or number. */
function nothing({ start, end }: Span): string {
  return '\0'.repeat(end - start);
}

/** In a list, the next entry is no part of the URL. */
function findUrls(text: string): Span[] {
  return bareUrls(text).map(({ start, end }) => {
    const comma = text.slice(start, end).search(/[,;]/);
    return { start, end: comma < 0 ? end : start + comma };
  });
}
