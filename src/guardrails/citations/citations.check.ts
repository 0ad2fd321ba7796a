import type { GuardrailMode } from '../../config/config';
import { bareUrls } from './bare.urls';
import type { Checker } from '../guardrail';
import { addressOf } from './link.destination';
import { type MarkdownLink, markdownLinks } from './markdown.links';
import { type Span, withSpans } from '../text.spans';
import { Tripwire } from '../tripwire';
import { urlKeys } from './url.key';

const REMOVED = '[link removed]';
/** What is left of a link that was taken out can form another one with the text around it. */
const MAX_PASSES = 5;

type Removal = Span & { instead: string };

/** Holds an answer to the pages that were consulted: removes links to any other, or refuses the answer. */
export function citationsCheck(mode: GuardrailMode): Checker['check'] {
  return (text, { consulted }) => {
    const known = new Set([...consulted].flatMap(urlKeys));
    const isKnown = (url: string): boolean =>
      urlKeys(url).some((key) => known.has(key));
    let left = text.replace(/\r\n?/g, '\n');
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      const removals = foreignLinks(left, isKnown);
      if (removals.length === 0) return pass === 0 ? text : left;
      if (mode === 'refuse') break;
      left = withSpans(left, removals, ({ instead }) => instead);
    }
    throw new Tripwire('The answer cited a source that was not consulted.');
  };
}

/** What to take out of a text, in its order; the words of a link stay. */
function foreignLinks(
  text: string,
  isKnown: (url: string) => boolean,
): Removal[] {
  const links = markdownLinks(text);
  if (!links) return [{ start: 0, end: text.length, instead: REMOVED }];
  const allowed = (link: MarkdownLink): boolean => {
    const address = link.href === undefined ? '' : addressOf(link.href);
    return address === undefined || isKnown(address);
  };
  const [kept, foreign] = [true, false].map((is) =>
    links.filter((link) => allowed(link) === is),
  );
  const bare = bareUrls(text).filter(({ readings }) => !readings.some(isKnown));
  return apart([
    ...kept.flatMap(({ destination }) => destination ?? []),
    ...foreign.flatMap(removalsOf(text)),
    ...bare.map(({ start, end }) => ({ start, end, instead: REMOVED })),
  ]).filter((span): span is Removal => 'instead' in span);
}

const removalsOf =
  (text: string) =>
  ({ start, end, words }: MarkdownLink): Removal[] =>
    words && text.slice(words.start, words.end).trim()
      ? [
          { start, end: words.start, instead: '' },
          { start: words.end, end, instead: '' },
        ]
      : [{ start, end, instead: REMOVED }];

/** Without the spans that begin within another one, e.g. the URL in the destination of an allowed link. */
function apart(spans: Span[]): Span[] {
  const sorted = spans.sort((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return sorted.filter((span) => {
    if (span.start < end) return false;
    end = span.end;
    return true;
  });
}
