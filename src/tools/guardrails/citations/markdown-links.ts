import MarkdownIt from 'markdown-it';
import type { Env, StateInline, Token } from 'markdown-it';
import { foreignTags } from './raw-html';
import type { Span } from '../text-spans';

/** A link as a CommonMark renderer reads it; raw HTML that is more than formatting counts as one. Offsets are UTF-16 units of the text. */
export interface MarkdownLink extends Span {
  /** The target, with escapes and entities resolved. Undefined for raw HTML without a readable target. */
  href?: string;
  /** The part that is shown to a reader. */
  label?: Span;
  /** The range of the address, if it is written inside the link. */
  destination?: Span;
}

/** Text that is nested deeper is not parsed to its end; no ordinary answer is nested this deep. */
export const MAX_NESTING = 100;

interface LinkEnv extends Env {
  /** The content of the block that is being parsed. */
  src?: string;
  links: MarkdownLink[];
}

const markdown = new MarkdownIt('commonmark', { maxNesting: MAX_NESTING });
// A renderer may follow a destination that this parser would reject.
markdown.validateLink = () => true;
markdown.normalizeLink = (url) => url;
for (const name of ['link', 'image', 'autolink', 'html_inline'])
  recordEach(name);

/** Every link of a text whose lines end with `\n`; undefined if it is nested deeper than `MAX_NESTING`. */
export function markdownLinks(text: string): MarkdownLink[] | undefined {
  if (!/[[<]/.test(text)) return [];
  const env: LinkEnv = { links: [] };
  const lines = new Lines(text);
  const links: MarkdownLink[] = [];
  const tokens: Token[] = [];
  markdown.block.parse(text, markdown, env, tokens);
  for (const token of tokens) {
    if (token.level >= MAX_NESTING - 1) return undefined;
    if (token.type === 'inline') links.push(...inline(token, env, lines));
    else if (token.type === 'html_block')
      links.push(...foreignTags(text, lines.span(token.map!)));
    else if (token.type === 'reference_definition')
      links.push(definition(token, env, lines));
  }
  return links;
}

function inline(token: Token, env: LinkEnv, lines: Lines): MarkdownLink[] {
  env.src = token.content;
  env.links = [];
  markdown.inline.parse(token.content, markdown, env, []);
  const place = lines.placeOf(token);
  const moved = ({ start, end }: Span): Span => ({
    start: place(start),
    end: place(end),
  });
  return env.links.map(({ href, label, destination, ...span }) => ({
    ...moved(span),
    href,
    ...(label && { label: moved(label) }),
    ...(destination && { destination: moved(destination) }),
  }));
}

function definition(token: Token, env: LinkEnv, lines: Lines): MarkdownLink {
  const { start, end } = lines.span(token.map!);
  const { label } = token.meta as { label: string };
  const from = lines.text.indexOf('[', start);
  return {
    start: from,
    end,
    href: env.references?.[label]?.href,
    destination: { start: from, end },
  };
}

/**
 * Wraps the parser's own rule to record the position of each link. The text of an image is parsed separately and renders no
 * links.
 */
function recordEach(name: string): void {
  const own = new MarkdownIt('commonmark').inline.ruler;
  own.enableOnly(name);
  const [rule] = own.getRules('');
  markdown.inline.ruler.at(name, (state, silent) => {
    const start = state.pos;
    const before = state.tokens.length;
    if (!rule(state, silent)) return false;
    const { src, links } = state.env as LinkEnv;
    if (silent || state.src !== src) return true;
    const span = { start, end: state.pos };
    const token = state.tokens
      .slice(before)
      .find(({ type }) => type !== 'text')!;
    if (token.type === 'html_inline') links.push(...foreignTags(src, span));
    else links.push({ ...span, ...partsOf(name, token, state, span) });
    return true;
  });
}

function partsOf(
  name: string,
  token: Token,
  state: StateInline,
  { start, end }: Span,
): Omit<MarkdownLink, keyof Span> {
  const href = String(token.attrGet('href') ?? token.attrGet('src') ?? '');
  if (name === 'autolink') return { href, destination: { start, end } };
  const opening = start + (name === 'image' ? 1 : 0);
  const close = state.md.helpers.parseLinkLabel(state, opening, true);
  return {
    href,
    label: { start: opening + 1, end: close },
    destination: destinationAfter(state, close),
  };
}

/** The destination in `(https://a.example "Title")`; a reference link has none. */
function destinationAfter(state: StateInline, close: number): Span | undefined {
  if (state.src[close + 1] !== '(') return undefined;
  let start = close + 2;
  while (/\s/.test(state.src[start])) start += 1;
  const { helpers } = state.md;
  const { ok, pos } = helpers.parseLinkDestination(
    state.src,
    start,
    state.posMax,
  );
  return ok ? { start, end: pos } : undefined;
}

/** The lines of a text, to map offsets in a block back to the text. */
class Lines {
  private readonly starts: number[];

  constructor(readonly text: string) {
    this.starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
      this.starts.push(at + 1);
  }

  /** The range from line `from` up to, but not including, line `to`, without its final line break. */
  span([from, to]: [number, number]): Span {
    const end = (this.starts[to] ?? this.text.length + 1) - 1;
    return { start: this.starts[from], end };
  }

  /**
   * Maps an offset of the block's content to the text: each line of the content is a line of the text without its
   * indentation and block markers.
   */
  placeOf({ content, map }: Token): (offset: number) => number {
    const rows: { start: number; place: number }[] = [];
    let start = 0;
    content.split('\n').forEach((row, n) => {
      const line = this.span([map![0] + n, map![0] + n + 1]);
      const shown = row.trimStart();
      const column = this.text.slice(line.start, line.end).lastIndexOf(shown);
      const lead = row.length - shown.length;
      rows.push({ start, place: line.start + Math.max(column - lead, 0) });
      start += row.length + 1;
    });
    return (offset) => {
      let [low, high] = [0, rows.length - 1];
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (rows[middle].start <= offset) low = middle;
        else high = middle - 1;
      }
      return rows[low].place + offset - rows[low].start;
    };
  }
}
