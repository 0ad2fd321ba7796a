// By hand: serializers of Markdown leave what a text itself holds of Markdown or HTML as it is.
import type {
  Block,
  Inline,
  ReportCitation,
  ReportDocument,
  TextRun,
} from '../report.types';
import { labelsOf, notesOf, remarksOn, titleOf } from './labels';

type TableBlock = Extract<Block, { type: 'table' }>;

const DIVIDERS = { left: ':--', center: ':-:', right: '--:', none: '---' };

/** Markdown of GitHub's kind: citations are footnotes. Nothing in a text is read as Markdown or HTML again. */
export function writeMarkdown(document: ReportDocument): string {
  const { blocks, citations, consulted } = document;
  const labels = labelsOf(document);
  const parts = [
    `# ${escaped(titleOf(document))}`,
    ...notesOf(document).map((note) => `_${escaped(note)}_`),
    ...blocks.map(blockText),
  ];
  if (consulted.length > 0)
    parts.push(
      `## ${labels.consulted}`,
      consulted.map((one) => `- ${linked(one.title, one.href)}`).join('\n'),
    );
  if (citations.length > 0)
    parts.push(
      `## ${labels.citations}`,
      citations.map((one) => footnote(one, document)).join('\n'),
    );
  return `${parts.join('\n\n')}\n`;
}

function footnote(citation: ReportCitation, document: ReportDocument): string {
  const { number, url, href, title, quote } = citation;
  const address = href === null && title !== url ? ` (${escaped(url)})` : '';
  const remarks = remarksOn(citation, document);
  const words = quote && ` — “${escaped(quote.replace(/\s+/g, ' '))}”`;
  return `[^${number}]: ${linked(title, href)}${address}${words ?? ''}${remarks && ` (${escaped(remarks)})`}`;
}

function blockText(block: Block): string {
  switch (block.type) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${lineText(block.content)}`;
    case 'paragraph':
      return inlineText(block.content, '\\\n');
    case 'list':
      return block.items
        .map((item, at) =>
          itemText(item, block.start === null ? '-' : `${block.start + at}.`),
        )
        .join('\n');
    case 'quote':
      return prefixed(block.blocks.map(blockText).join('\n\n'), '> ');
    case 'code':
      return fenced(block.text, block.language);
    case 'table':
      return tableText(block);
    case 'rule':
      return '***';
  }
}

function itemText(blocks: readonly Block[], bullet: string): string {
  const indent = ' '.repeat(bullet.length + 1);
  const text = blocks.map(blockText).join('\n\n');
  return `${bullet} ${prefixed(text, indent).slice(indent.length)}`;
}

function prefixed(text: string, prefix: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? prefix.trimEnd() : `${prefix}${line}`))
    .join('\n');
}

function tableText({ align, rows: [head, ...rows] }: TableBlock): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const dividers = align.map((one) => DIVIDERS[one ?? 'none']);
  return [head.map(cellText), dividers, ...rows.map((row) => row.map(cellText))]
    .map(line)
    .join('\n');
}

/** A pipe of code would end the cell. */
function cellText(content: readonly Inline[]): string {
  return lineText(content).replace(/(?<!\\)\|/g, '\\|');
}

function fenced(text: string, language: string | null): string {
  const longest = [...text.matchAll(/`{3,}/g)].map(([run]) => run.length);
  const fence = '`'.repeat(Math.max(3, ...longest.map((one) => one + 1)));
  const info = /^[\w+#.-]{1,40}$/.test(language ?? '') ? language! : '';
  return `${fence}${info}\n${text}\n${fence}`;
}

function lineText(content: readonly Inline[]): string {
  return inlineText(content, ' ');
}

function inlineText(content: readonly Inline[], lineBreak: string): string {
  return content
    .map((one) => {
      if (one.type === 'break') return lineBreak;
      return one.type === 'citation' ? `[^${one.number}]` : runText(one);
    })
    .join('')
    .trim();
}

/** A style surrounds no space: it would not be read as one. */
function runText({ text, href, ...style }: TextRun): string {
  const [, before, bare, after] = /^(\s*)([^]*?)(\s*)$/.exec(text)!;
  if (bare === '') return text;
  let written = style.code ? codeText(bare) : escaped(bare);
  if (href) written = `[${written}](<${href}>)`;
  if (style.strike) written = `~~${written}~~`;
  if (style.italic) written = `*${written}*`;
  if (style.bold) written = `**${written}**`;
  return `${before}${written}${after}`;
}

function codeText(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  const runs = [...line.matchAll(/`+/g)].map(([run]) => run.length);
  const ticks = '`'.repeat(runs.length > 0 ? Math.max(...runs) + 1 : 1);
  const space = /^`|`$/.test(line) ? ' ' : '';
  return `${ticks}${space}${line}${space}${ticks}`;
}

function linked(title: string, href: string | null): string {
  return href === null ? escaped(title) : `[${escaped(title)}](<${href}>)`;
}

/** Everything that Markdown or HTML could read, and what makes a block of a line. */
function escaped(text: string): string {
  return text
    .replace(/[\\`*_{}[\]<>#|~&!]/g, '\\$&')
    .replace(/^(\s*)([-+=])/gm, '$1\\$2')
    .replace(/^(\s*\d{1,9})([.)])/gm, '$1\\$2');
}
