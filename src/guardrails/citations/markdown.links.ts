import MarkdownIt from 'markdown-it';
import type { Env, StateInline, Token } from 'markdown-it';
import { foreignTags } from './raw.html';
import type { Span } from '../text.spans';

/** A link as a CommonMark renderer reads it; raw HTML that is more than formatting counts as one. Offsets are UTF-16 units of the text. */
export interface MarkdownLink extends Span {
  /** Where it leads to, with escapes and entities resolved. Undefined for raw HTML that leads nowhere known. */
  href?: string;
  /** The part a reader sees. */
  words?: Span;
  /** The address, if it is written at this place. */
  destination?: Span;
}

/** No answer for people is nested deeper, and a deeper one is not read to its end. */
export const MAX_NESTING = 100;

interface Found extends Env {
  /** The content of the block that is read. */
  src?: string;
  links: MarkdownLink[];
}

const markdown = new MarkdownIt('commonmark', { maxNesting: MAX_NESTING });
// A destination that this parser would not follow may be followed by the one that renders the answer.
markdown.validateLink = () => true;
markdown.normalizeLink = (url) => url;
for (const name of ['link', 'image', 'autolink', 'html_inline'])
  recordEach(name);

/** Every link of a text whose lines end with `\n`; undefined if it is nested deeper than `MAX_NESTING`. */
export function markdownLinks(text: string): MarkdownLink[] | undefined {
  if (!/[[<]/.test(text)) return [];
  const env: Found = { links: [] };
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

function inline(token: Token, env: Found, lines: Lines): MarkdownLink[] {
  env.src = token.content;
  env.links = [];
  markdown.inline.parse(token.content, markdown, env, []);
  const place = lines.placeOf(token);
  const moved = ({ start, end }: Span): Span => ({
    start: place(start),
    end: place(end),
  });
  return env.links.map(({ href, words, destination, ...span }) => ({
    ...moved(span),
    href,
    ...(words && { words: moved(words) }),
    ...(destination && { destination: moved(destination) }),
  }));
}

function definition(token: Token, env: Found, lines: Lines): MarkdownLink {
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

/** Lets the parser's own rule decide, and records where the link stands. The text of an image is parsed apart, and renders no links. */
function recordEach(name: string): void {
  const own = new MarkdownIt('commonmark').inline.ruler;
  own.enableOnly(name);
  const [rule] = own.getRules('');
  markdown.inline.ruler.at(name, (state, silent) => {
    const start = state.pos;
    const before = state.tokens.length;
    if (!rule(state, silent)) return false;
    const { src, links } = state.env as Found;
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
    words: { start: opening + 1, end: close },
    destination: destinationAfter(state, close),
  };
}

/** `(https://a.example "Title")` holds it; a link by reference has none at its place. */
function destinationAfter(state: StateInline, close: number): Span | undefined {
  if (state.src[close + 1] !== '(') return undefined;
  let start = close + 2;
  while (/\s/.test(state.src[start])) start += 1;
  const { helpers } = state.md;
  const { ok, pos } = helpers.parseLinkDestination(state.src, start, state.posMax); // prettier-ignore
  return ok ? { start, end: pos } : undefined;
}

/** The lines of a text, to find again in it what a block holds. */
class Lines {
  private readonly starts: number[];

  constructor(readonly text: string) {
    this.starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
      this.starts.push(at + 1);
  }

  /** From the first line to before the second, without the line end. */
  span([from, to]: [number, number]): Span {
    const end = (this.starts[to] ?? this.text.length + 1) - 1;
    return { start: this.starts[from], end };
  }

  /** Where an offset of the block's content stands in the text: each line of the content is what indentation and marks leave of one of the text. */
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
