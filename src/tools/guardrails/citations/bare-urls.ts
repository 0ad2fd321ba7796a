import { textsOf } from '../nested-texts';

/** Where a URL begins in a text, whether or not it is marked as a link. */
export const URL_START = String.raw`(?:https?|ftp):\/\/|(?<![\w.@/-])www\.(?=[\w-])`;
/**
 * A URL ends at white space, or at a character that URLs do not contain: brackets, quotes, Korean and Chinese punctuation.
 */
const BODY =
  /(?:\[[\da-f:.]+\])?[^\s<>"`|\\^{}[\]\p{Cc}\p{Cf}\u2013\u2014\u2018-\u201f\u3001-\u3003\u3008-\u3011\uff08\uff09\uff0c\uff1b]*/iuy;
const PUNCTUATION = /[.,;:!?'*_~…]/;
/** Korean attaches particles to the preceding word. */
const ATTACHED = /(?<=[A-Za-z\d])\p{sc=Hangul}+$/u;
const PARTICLE =
  /(?<=\p{sc=Hangul})(?:이라고|이라는|입니다|에서는|에서|에게|에는|에도|으로|까지|부터|처럼|보다|이나|라고|라는|이며|이고|이다|은|는|이|가|을|를|의|에|로|와|과|도|만)$/u;

export interface BareUrl {
  start: number;
  end: number;
  /** Candidates for the URL, the longest first: what follows it belongs to the sentence. */
  readings: string[];
}

/** Every URL of a text, in linear time for any input. */
export function bareUrls(text: string): BareUrl[] {
  const start = new RegExp(URL_START, 'gi');
  const found: BareUrl[] = [];
  for (let hit = start.exec(text); hit; hit = start.exec(text)) {
    const url = bareUrlAt(text, hit.index, start.lastIndex);
    start.lastIndex = Math.max(url.end, start.lastIndex);
    found.push(url);
  }
  return found;
}

/** @param afterStart where the match of `URL_START` ends. */
export function bareUrlAt(
  text: string,
  start: number,
  afterStart: number,
): BareUrl {
  BODY.lastIndex = afterStart;
  const [body] = BODY.exec(text)!;
  const written = text.slice(start, afterStart) + balanced(body);
  const whole = withoutPunctuation(written);
  const bare = whole.replace(ATTACHED, '');
  const readings = [written, whole, bare, whole.replace(PARTICLE, '')];
  return {
    start,
    end: start + bare.length,
    readings: [...new Set(readings)],
  };
}

/** All URLs in the strings of a value at any depth, e.g. of a conversation or a tool result. */
export function urlsIn(value: unknown): string[] {
  const urls = textsOf(value).flatMap(bareUrls);
  return [...new Set(urls.flatMap(({ readings }) => readings))];
}

/** The URL up to a closing parenthesis that was opened before it. */
function balanced(body: string): string {
  let depth = 0;
  for (let at = 0; at < body.length; at += 1) {
    if (body[at] === '(') depth += 1;
    if (body[at] === ')') depth -= 1;
    if (depth < 0) return body.slice(0, at);
  }
  return body;
}

function withoutPunctuation(url: string): string {
  let end = url.length;
  while (PUNCTUATION.test(url[end - 1])) end -= 1;
  return url.slice(0, end);
}
