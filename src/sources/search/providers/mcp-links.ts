import MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';
import { MAX_SNIPPET } from '../hits';

const MAX_TEXT = 200_000;
/** What search tools write before a title, an address or an extract. */
const LABEL =
  /^[\s>*#_-]*(?:\d+[.)]\s*)?[*_]*(?:title|name|url|link|source|href|text|content|snippet|summary|description)[*_]*\s*:[*_]*\s*/i;
const MARKER = /^[\s>*#_-]*(?:\d+[.)]\s+)?[*_]*/;

interface Link {
  url: string;
  title: string;
  snippet: string;
}

/** Plain addresses are links as well; addresses without a scheme are not. */
const markdown = new MarkdownIt({ linkify: true });
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

/** The http(s) links of a text, Markdown or plain: each with the text up to the next one. */
export function linksInText(text: string): Link[] {
  const links: Link[] = [];
  /** The lines since the last link, the last one under way. */
  let lines = [''];
  const finish = (): void => {
    const last = links.at(-1);
    if (!last) return;
    const more = lines.map((line) => line.replace(LABEL, '').trim());
    last.snippet = more.filter(Boolean).join(' ').slice(0, MAX_SNIPPET);
  };
  const tokens = markdown.parse(text.slice(0, MAX_TEXT), {});
  for (const token of tokens) {
    if (isBlockEnd(token)) lines.push('');
    const children = token.children ?? [token];
    for (let i = 0; i < children.length; i += 1) {
      const child = children[i];
      const url = String(child.attrGet('href') ?? '');
      if (child.type === 'link_open' && /^https?:/i.test(url)) {
        const close = closing(children, i);
        const label = children
          .slice(i + 1, close)
          .map(textOf)
          .join('');
        const bare = child.markup === 'linkify' || child.markup === 'autolink';
        const title = bare ? takeTitle(lines) : label;
        finish();
        links.push({ url, title, snippet: '' });
        lines = [''];
        i = close;
      } else if (child.type.endsWith('break')) lines.push('');
      else lines[lines.length - 1] += textOf(child);
    }
  }
  finish();
  return links;
}

/** The line before an address, or the words before it in its own line; they belong to this link, not to the one before. */
function takeTitle(lines: string[]): string {
  while (lines.length > 0) {
    const line = lines.pop()!.replace(LABEL, '').replace(MARKER, '').trim();
    const title = line.replace(/[\s:–—-]+$/, '');
    if (title !== '') return title;
  }
  return '';
}

function closing(children: readonly Token[], from: number): number {
  const close = children.findIndex(
    ({ type }, i) => i > from && type === 'link_close',
  );
  return close < 0 ? children.length : close;
}

function isBlockEnd({ type }: Token): boolean {
  return type.endsWith('_close') || type === 'fence' || type === 'code_block';
}

function textOf({ type, content }: Token): string {
  return /^(text|code_inline|code_block|fence|image)$/.test(type)
    ? content
    : '';
}
