import { type Citation, codePoints } from '../../../platform/message/citation';
import type {
  AgentCitation,
  BoundSection,
  BoundSentence,
  LayoutBlock,
  Note,
  ReadSource,
} from '../agent.types';
import { linkLabel, linkTarget } from '../text/clean-text';

/** Links after one sentence. */
const MAX_LINKS = 3;
/** Sentences of one paragraph of a report. */
const PARAGRAPH = 5;

/** A text under construction, with what cites in it. Offsets count code points. */
export interface CitedText {
  text: string;
  citations: AgentCitation[];
}

export interface Cited {
  notes: ReadonlyMap<string, Note>;
  sources: readonly ReadSource[];
  /** Whether the text shows its sources. */
  links: boolean;
}

/** A sentence with a link to each of its sources, as hosted research writes them. */
export function citedSentence(
  { text, noteIds, verdict, checkedBy, detail }: BoundSentence,
  { notes, sources, links }: Cited,
): CitedText {
  const cited = [
    ...new Map(
      noteIds.flatMap((id) => {
        const note = notes.get(id);
        return note ? [[note.source, note] as const] : [];
      }),
    ).values(),
  ].slice(0, MAX_LINKS);
  const citations: AgentCitation[] = [];
  let written = text;
  for (const note of cited) {
    const source = sources[note.source - 1];
    const start = links ? codePoints(written) + 1 : 0;
    if (links) written += ` (${reference(source)})`;
    citations.push({
      url: source.url,
      title: source.title,
      start_index: start,
      end_index: codePoints(written),
      quote: note.quote,
      source: note.source,
      ...(verdict && { verdict }),
      ...(checkedBy && { checked_by: checkedBy }),
      ...(detail && { detail }),
    });
  }
  return { text: written, citations };
}

/** One section in Markdown. @param asPoints the form of a section that has no layout. */
export function sectionText(
  section: BoundSection,
  cited: Cited,
  asPoints: boolean,
): CitedText {
  const { title, sentences } = section;
  const cells = cellsOf(section);
  const pieces = sentences.map((one, at) =>
    citedSentence(
      cells.has(at) ? { ...one, text: inCell(one.text) } : one,
      cited,
    ),
  );
  const text = title ? `## ${escaped(title)}\n\n` : '';
  const result: CitedText = { text, citations: [] };
  layoutOf(section, asPoints).forEach((block, at) => {
    if (at > 0) append(result, '\n\n');
    appendBlock(result, block, pieces);
  });
  return result;
}

function layoutOf(
  { sentences, layout }: BoundSection,
  asPoints: boolean,
): LayoutBlock[] {
  if (layout) return layout;
  const all = [...sentences.keys()];
  if (asPoints) return [{ type: 'list', ordered: false, items: all }];
  const starts = all.filter((at) => at % PARAGRAPH === 0);
  return starts.map((at) => ({
    type: 'paragraph',
    sentences: all.slice(at, at + PARAGRAPH),
  }));
}

function appendBlock(
  to: CitedText,
  block: LayoutBlock,
  pieces: readonly CitedText[],
): void {
  const add = (before: string, at: number): void => {
    append(to, before);
    const piece = pieces[at] ?? EMPTY;
    append(to, piece.text, piece.citations);
  };
  switch (block.type) {
    case 'heading':
      return append(to, `### ${escaped(block.text)}`);
    case 'paragraph':
      return block.sentences.forEach((at, n) => add(n === 0 ? '' : ' ', at));
    case 'list':
      return block.items.forEach((at, n) => {
        const mark = block.ordered ? `${n + 1}.` : '-';
        add(`${n === 0 ? '' : '\n'}${mark} `, at);
      });
    case 'table':
      return appendTable(to, block, pieces);
  }
}

/** What stands in a cell of which nothing is known. */
const EMPTY: CitedText = { text: '–', citations: [] };

function appendTable(
  to: CitedText,
  { columns, heads, rows }: Extract<LayoutBlock, { type: 'table' }>,
  pieces: readonly CitedText[],
): void {
  const width = Math.max(...rows.map((row) => row.length));
  const titles = [...Array(width + 1).keys()].map((at) => columns[at] ?? '');
  append(to, `| ${titles.map(escaped).join(' | ')} |\n`);
  append(to, `|${' --- |'.repeat(width + 1)}`);
  rows.forEach((row, line) => {
    append(to, `\n| ${escaped(heads[line])} |`);
    for (let at = 0; at < width; at += 1) {
      append(to, ' ');
      const piece = pieces[row[at]] ?? EMPTY;
      append(to, piece.text, piece.citations);
      append(to, ' |');
    }
  });
}

function cellsOf({ layout = [] }: BoundSection): ReadonlySet<number> {
  return new Set(
    layout.flatMap((one) => (one.type === 'table' ? one.rows.flat() : [])),
  );
}

/** A pipe would end the cell. */
function inCell(text: string): string {
  return text.replaceAll('|', '\\|');
}

export function titleText(title: string): string {
  return title ? `# ${escaped(title)}\n\n` : '';
}

/** Adds a text and what cites in it. */
export function append(
  to: CitedText,
  text: string,
  citations: readonly AgentCitation[] = [],
): void {
  to.citations.push(...movedBy(citations, codePoints(to.text)));
  to.text += text;
}

export function movedBy<T extends Citation>(
  citations: readonly T[],
  by: number,
): T[] {
  return citations.map((one) => ({
    ...one,
    start_index: one.start_index + by,
    end_index: one.end_index + by,
  }));
}

/** The citations whose text a guardrail has left, where it stands now. */
export function relocated(cited: CitedText, text: string): AgentCitation[] {
  if (text === cited.text) return cited.citations;
  const points = Array.from(cited.text);
  let from = 0;
  return cited.citations.flatMap((citation) => {
    const { start_index, end_index } = citation;
    const range = points.slice(start_index, end_index).join('');
    const at = text.indexOf(range, from);
    if (at < 0) return [];
    from = at + range.length;
    const start = codePoints(text.slice(0, at));
    const end = start + end_index - start_index;
    return { ...citation, start_index: start, end_index: end };
  });
}

function reference({ url, title }: ReadSource): string {
  const label = linkLabel(title, url);
  return /^https?:/i.test(url) ? `[${label}](${linkTarget(url)})` : label;
}

function escaped(title: string): string {
  return title.replace(/[\\`*_[\]<>#|~&]/g, '\\$&');
}
