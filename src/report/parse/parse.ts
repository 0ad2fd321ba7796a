import MarkdownIt from 'markdown-it';
import cjkFriendly from 'markdown-it-cjk-friendly';
import { languageOf } from '../../platform/message/language';
import type {
  Block,
  Inline,
  ReportDocument,
  ReportInput,
} from '../report.types';
import { withoutSourceList } from '../source-list';
import { BlockReader, citationBlock, codeBlock } from './block-reader';
import { cleanLine, cleanText, safeHref } from './clean';
import { readText } from './inline-reader';
import { markedText } from './marked-text';
import { numbered } from './numbered';

/** Deeper text would be left out by the parser. No ordinary report is nested this deep. */
const MAX_NESTING = 50;
const MAX_TITLE = 200;
/** A report in any other language is marked as English. */
const LANGUAGES = ['ko', 'ja', 'zh'];

/** Raw HTML is text. */
const markdown = new MarkdownIt({ html: false, maxNesting: MAX_NESTING });
markdown.use(cjkFriendly);
// Which addresses can be followed is decided where links are read; the text of any other link stays.
markdown.validateLink = () => true;
markdown.normalizeLink = (url) => url;

/** The one parse of a report that all formats are written from. */
export function parseReport(input: ReportInput): ReportDocument {
  const { citations, marks } = numbered(input.citations);
  const language = languageOf(input.text);
  const isNumbered = input.citations.some(
    ({ sentence_start }) => sentence_start !== undefined,
  );
  const text = markedText(
    isNumbered ? withoutSourceList(input.text) : input.text,
    marks,
  );
  const parsed = isJson(input.text) ? codeBlock(text, 'json') : blocksOf(text);
  const { title, blocks } = withTitle(parsed, input.question);
  const placed = new Set(numbersIn(blocks));
  const lost = citations.map(({ number }) => number);
  blocks.push(...citationBlock(lost.filter((number) => !placed.has(number))));
  const cited = new Set(input.citations.map(({ url }) => url));
  return {
    invocation_id: input.id,
    title,
    question: input.question && cleanText(input.question),
    language: LANGUAGES.find((one) => one === language) ?? 'en',
    incomplete: input.isIncomplete,
    reason: input.reason && cleanLine(input.reason),
    limits_reached: [...input.limits],
    model: input.model && cleanLine(input.model),
    verdicts: { ...input.verdicts },
    verifier: input.verifier && cleanLine(input.verifier),
    completed_at: input.completedAt,
    blocks,
    citations,
    consulted: input.sources
      .filter(({ url }) => !cited.has(url))
      .map(({ url, title }) => ({
        url: cleanLine(url),
        title: cleanLine(title) || cleanLine(url),
        href: safeHref(url),
      })),
  };
}

/** Of a run that was to answer in JSON. */
function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function blocksOf(text: string): Block[] {
  const tokens = markdown.parse(text, {});
  const isTooDeep = tokens.some(({ level }) => level >= MAX_NESTING - 1);
  return isTooDeep ? plainBlocks(text) : new BlockReader(tokens).blocks();
}

/** The text as it is, without what it means as Markdown. */
function plainBlocks(text: string): Block[] {
  return text
    .split(/\n\s*\n/)
    .filter((part) => part.trim() !== '')
    .map((part) => ({
      type: 'paragraph',
      content: part
        .split('\n')
        .flatMap((line, at): Inline[] =>
          at === 0 ? readText(line) : [{ type: 'break' }, ...readText(line)],
        ),
    }));
}

/** A first heading is the title, unless it cites. */
function withTitle(
  blocks: Block[],
  question: string | null,
): { title: string; blocks: Block[] } {
  const [first] = blocks;
  if (first?.type === 'heading' && first.level === 1) {
    const title = cleanLine(plainText(first.content));
    const isText = first.content.every(({ type }) => type === 'text');
    if (isText && title) return { title, blocks: blocks.slice(1) };
  }
  const points = Array.from(cleanLine(question ?? ''));
  const cut = points.length > MAX_TITLE ? '…' : '';
  return { title: points.slice(0, MAX_TITLE).join('') + cut, blocks };
}

export function plainText(content: readonly Inline[]): string {
  return content.map((one) => (one.type === 'text' ? one.text : ' ')).join('');
}

function numbersIn(blocks: readonly Block[]): number[] {
  return blocks.flatMap((block) => {
    switch (block.type) {
      case 'heading':
      case 'paragraph':
        return citedIn(block.content);
      case 'list':
        return block.items.flatMap(numbersIn);
      case 'quote':
        return numbersIn(block.blocks);
      case 'table':
        return block.rows.flat().flatMap(citedIn);
      default:
        return [];
    }
  });
}

function citedIn(content: readonly Inline[]): number[] {
  return content.flatMap((one) => (one.type === 'citation' ? one.number : []));
}
