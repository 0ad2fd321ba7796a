import type { Span } from '../text-spans';

const LONGEST_LOCAL = 64;
const LONGEST_DOMAIN = 255;
const LOCAL = /[\w.%+-]/;
const DOMAIN =
  /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?:xn--[a-z\d-]{1,59}|[a-z]{2,63})(?![a-z\d])/i;
/** `logo@2x.png` is a file. */
const FILE = /\.(?:png|jpe?g|gif|svg|webp|css|m?js|json|html?|txt|pdf)$/i;

/** `mailto:kim@example.com`: the address alone. */
export function findEmails(text: string): Span[] {
  const found: Span[] = [];
  let past = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const start = startOf(text, at, past);
    const [domain] =
      DOMAIN.exec(text.slice(at + 1, at + 1 + LONGEST_DOMAIN)) ?? [];
    if (start === at || !domain || FILE.test(domain)) continue;
    const end = at + 1 + domain.length;
    // The SSH address of a repository: `git@host:path`.
    if (text.slice(start, at) === 'git' && text[end] === ':') continue;
    found.push({ start, end });
    past = end;
  }
  return found;
}

/** Leading dots and signs belong to the text around the address. */
function startOf(text: string, at: number, past: number): number {
  const least = Math.max(past, at - LONGEST_LOCAL);
  let start = at;
  while (start > least && LOCAL.test(text[start - 1])) start -= 1;
  while (start < at && /[.%+-]/.test(text[start])) start += 1;
  return start;
}
