import { createHash } from 'node:crypto';
import type {
  Align,
  Block,
  Inline,
  ReportCitation,
  ReportDocument,
  TextRun,
} from '../report.types';
import { STYLE } from './html-style';
import { labelsOf, notesOf, remarksOn, titleOf } from './labels';

const hash = createHash('sha256').update(STYLE).digest('base64');
/** Nothing is loaded and nothing runs; the style is the one of this file. */
export const CONTENT_POLICY = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;

type ListBlock = Extract<Block, { type: 'list' }>;
type TableBlock = Extract<Block, { type: 'table' }>;

/** One file that needs no other. */
export function writeHtml(document: ReportDocument): string {
  const { language, blocks, citations, consulted } = document;
  const labels = labelsOf(document);
  const title = escaped(titleOf(document));
  const notes = notesOf(document).map(
    (note) => `<p class="note">${escaped(note)}</p>`,
  );
  const others = consulted.map((one) => `<li>${linked(one.title, one.href)}`);
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${CONTENT_POLICY}">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<meta name="referrer" content="no-referrer"><title>${title}</title>`,
    `<style>${STYLE}</style></head><body><main><h1>${title}</h1>`,
    ...notes,
    ...blocks.map(blockHtml),
    listed(labels.consulted, '<ul>', others, '</ul>'),
    listed(
      labels.citations,
      '<ol class="citations">',
      citations.map((one) => citationHtml(one, document)),
      '</ol>',
    ),
    '</main></body></html>',
  ].join('\n');
}

function listed(
  title: string,
  open: string,
  items: readonly string[],
  close: string,
): string {
  if (items.length === 0) return '';
  return [`<h2>${escaped(title)}</h2>${open}`, ...items, close].join('\n');
}

function citationHtml(
  citation: ReportCitation,
  document: ReportDocument,
): string {
  const { number, url, href, title, quote, window, verdict } = citation;
  const remarks = remarksOn(citation, document);
  const kept = verdict ? ` data-verdict="${escaped(verdict)}"` : '';
  return [
    `<li id="c${number}" value="${number}"${kept}><cite>${linked(title, href)}</cite>`,
    title === url ? '' : `<div class="address">${escaped(url)}</div>`,
    quote ? `<blockquote>${escaped(quote)}</blockquote>` : '',
    window
      ? `<details><summary>${labelsOf(document).around}</summary><p>${escaped(window)}</p></details>`
      : '',
    remarks && `<div class="remarks">${escaped(remarks)}</div>`,
  ].join('');
}

function blockHtml(block: Block): string {
  switch (block.type) {
    case 'heading': {
      const tag = `h${block.level}`;
      return `<${tag}>${inlineHtml(block.content)}</${tag}>`;
    }
    case 'paragraph':
      return `<p>${inlineHtml(block.content)}</p>`;
    case 'list':
      return listHtml(block);
    case 'quote':
      return `<blockquote>${block.blocks.map(blockHtml).join('\n')}</blockquote>`;
    case 'code':
      return `<pre><code>${escaped(block.text)}</code></pre>`;
    case 'table':
      return tableHtml(block);
    case 'rule':
      return '<hr>';
  }
}

function listHtml({ start, items }: ListBlock): string {
  const [open, close] =
    start === null ? ['<ul>', '</ul>'] : [`<ol start="${start}">`, '</ol>'];
  const written = items.map((item) => `<li>${itemHtml(item)}</li>`);
  return [open, ...written, close].join('\n');
}

/** A single paragraph of an item stands without a distance. */
function itemHtml(blocks: readonly Block[]): string {
  const [first, ...rest] = blocks;
  if (first?.type !== 'paragraph') return blocks.map(blockHtml).join('\n');
  return [inlineHtml(first.content), ...rest.map(blockHtml)].join('\n');
}

function tableHtml({ align, rows: [head, ...rows] }: TableBlock): string {
  const cells = (tag: string) => (row: Inline[][]) =>
    `<tr>${row.map((cell, at) => `<${tag}${aligned(align[at])}>${inlineHtml(cell)}</${tag}>`).join('')}</tr>`;
  return [
    '<div class="table"><table><thead>',
    cells('th')(head),
    '</thead><tbody>',
    ...rows.map(cells('td')),
    '</tbody></table></div>',
  ].join('\n');
}

function aligned(align: Align): string {
  return align ? ` class="${align}"` : '';
}

function inlineHtml(content: readonly Inline[]): string {
  return content
    .map((one) => {
      if (one.type === 'break') return '<br>';
      return one.type === 'citation'
        ? `<a class="cite" href="#c${one.number}">[${one.number}]</a>`
        : runHtml(one);
    })
    .join('');
}

function runHtml({ text, href, bold, italic, strike, code }: TextRun): string {
  let html = escaped(text);
  if (code) html = `<code>${html}</code>`;
  if (strike) html = `<s>${html}</s>`;
  if (italic) html = `<em>${html}</em>`;
  if (bold) html = `<strong>${html}</strong>`;
  return href ? anchor(html, href) : html;
}

function linked(title: string, href: string | null): string {
  return href === null ? escaped(title) : anchor(escaped(title), href);
}

/** @param href one that `safeHref` has made. */
function anchor(html: string, href: string): string {
  return `<a href="${escaped(href)}" rel="noopener nofollow">${html}</a>`;
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (one) => ENTITIES[one]);
}
