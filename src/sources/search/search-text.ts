import { cut } from './hits';

const MAX_QUERY = 400;
/** More are refused by some. */
const MAX_WORDS = 50;
/** A word of more than this is cut within, rather than left out. */
const MAX_LAST_WORD = 40;

/** A query as every provider takes it: one line without control characters, of at most 400 characters and 50 words. */
export function queryText(text: string): string {
  const line = text
    .slice(0, 10 * MAX_QUERY)
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .split(' ', MAX_WORDS)
    .join(' ');
  const short = cut(line, MAX_QUERY);
  if (short.length === line.length) return short;
  const space = short.lastIndexOf(' ');
  const whole =
    space > MAX_QUERY - MAX_LAST_WORD ? short.slice(0, space) : short;
  return whole.trim();
}
