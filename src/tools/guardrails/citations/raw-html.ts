import type { Span } from '../text-spans';

/** Elements that format text and load nothing. */
const FORMATTING = new Set(
  (
    'abbr b blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i ins ' +
    'kbd li mark ol p pre q rp rt ruby s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul var wbr'
  ).split(' '),
);
/** Attributes that hold no address, with values that do not look like one. */
const HARMLESS =
  /^(?:\s+(?:align|valign|colspan|rowspan|width|height|start|reversed|lang|dir|open)(?:=(?:"[\w %-]*"|'[\w %-]*'|[\w%-]+))?)*\s*\/?$/i;
const TAG = /<\/?([a-z][a-z\d]*)([^<>]*)>/iy;
const LINK = /^\s+href=(?:"([^"'<>]*)"|'([^"'<>]*)')\s*$/i;
const COMMENT = /<!--(?!-?>)(?:(?!--)[^])*-->/y;

/**
 * The tags within a span that may load or link to something: all except formatting and comments. A link has its `href`. A
 * tag that is not closed extends to the end of the span.
 */
export function foreignTags(
  text: string,
  { start, end }: Span,
): (Span & { href?: string })[] {
  const found: (Span & { href?: string })[] = [];
  let at = text.indexOf('<', start);
  while (at >= 0 && at < end) {
    const tag = matchAt(TAG, text, at);
    const comment = tag ? null : matchAt(COMMENT, text, at);
    const next = at + (tag ?? comment ?? '<')[0].length;
    if (tag && !isFormatting(tag)) {
      const [, double, single] = isLink(tag) ? LINK.exec(tag[2])! : [];
      found.push({ start: at, end: next, href: double ?? single });
    } else if (!tag && !comment && /[a-z/!?]/i.test(text[at + 1] ?? '')) {
      const close = text.indexOf('>', at);
      const stop = close < 0 || close >= end ? end : close + 1;
      found.push({ start: at, end: stop });
      at = text.indexOf('<', stop);
      continue;
    }
    at = text.indexOf('<', next);
  }
  return found;
}

function isFormatting([whole, name, rest]: RegExpExecArray): boolean {
  const element = name.toLowerCase();
  if (whole.startsWith('</'))
    return (FORMATTING.has(element) || element === 'a') && !rest.trim();
  return FORMATTING.has(element) && HARMLESS.test(rest);
}

function isLink([whole, name, rest]: RegExpExecArray): boolean {
  return !whole.startsWith('</') && /^a$/i.test(name) && LINK.test(rest);
}

function matchAt(pattern: RegExp, text: string, at: number) {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
