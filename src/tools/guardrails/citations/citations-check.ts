import type { GuardrailMode } from '../../../config/config';
import { bareUrls } from './bare-urls';
import type { Checker } from '../guardrail';
import { addressOf } from './link-destination';
import { type MarkdownLink, markdownLinks } from './markdown-links';
import { type Span, withSpans } from '../text-spans';
import { Tripwire } from '../tripwire';
import { urlKeys } from './comparable-urls';

/** What stands in place of a link that is removed whole. */
export const REMOVED_LINK = '[link removed]';
/** What remains of a removed link can form another link with the text around it. */
const MAX_PASSES = 5;

type Removal = Span & { replacement: string };

/** Allows only links to consulted pages: removes every other link, or refuses the answer. */
export function citationsCheck(mode: GuardrailMode): Checker['check'] {
  return (text, { consulted }) => {
    const known = new Set([...consulted].flatMap(urlKeys));
    const isKnown = (url: string): boolean =>
      urlKeys(url).some((key) => known.has(key));
    let cleaned = text.replace(/\r\n?/g, '\n');
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      const removals = foreignLinks(cleaned, isKnown);
      if (removals.length === 0) return pass === 0 ? text : cleaned;
      if (mode === 'refuse') break;
      cleaned = withSpans(cleaned, removals, ({ replacement }) => replacement);
    }
    throw new Tripwire('The answer cited a source that was not consulted.');
  };
}

/** The ranges to remove, in order. The label of a link stays. */
function foreignLinks(
  text: string,
  isKnown: (url: string) => boolean,
): Removal[] {
  const links = markdownLinks(text);
  if (!links)
    return [{ start: 0, end: text.length, replacement: REMOVED_LINK }];
  const allowed = (link: MarkdownLink): boolean => {
    const address = link.href === undefined ? '' : addressOf(link.href);
    return address === undefined || isKnown(address);
  };
  const [permitted, foreign] = [true, false].map((is) =>
    links.filter((link) => allowed(link) === is),
  );
  const bare = bareUrls(text).filter(({ readings }) => !readings.some(isKnown));
  return withoutNested([
    ...permitted.flatMap(({ destination }) => destination ?? []),
    ...foreign.flatMap(removalsOf(text)),
    ...bare.map(({ start, end }) => ({
      start,
      end,
      replacement: REMOVED_LINK,
    })),
  ]).filter((span): span is Removal => 'replacement' in span);
}

const removalsOf =
  (text: string) =>
  ({ start, end, label }: MarkdownLink): Removal[] =>
    label && text.slice(label.start, label.end).trim()
      ? [
          { start, end: label.start, replacement: '' },
          { start: label.end, end, replacement: '' },
        ]
      : [{ start, end, replacement: REMOVED_LINK }];

/** Drops spans that begin inside another span, e.g. the URL in the destination of an allowed link. */
function withoutNested(spans: Span[]): Span[] {
  const sorted = spans.sort((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return sorted.filter((span) => {
    if (span.start < end) return false;
    end = span.end;
    return true;
  });
}
