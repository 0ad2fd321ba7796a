import { codePoints, moved } from '../../../platform/message/citation';
import type {
  AgentCitation,
  BoundSection,
  BoundSentence,
  LayoutBlock,
} from '../agent.types';
import { type Cited, type CitedText, citedRun, sourcesOf } from './cited-run';

/** Sentences of one paragraph of a report. */
const PARAGRAPH = 5;

/** One section in Markdown. @param asPoints the form of a section that has no layout. */
export function sectionText(
  section: BoundSection,
  cited: Cited,
  asPoints: boolean,
): CitedText {
  const { title, sentences } = section;
  const text = title ? `## ${escaped(title)}\n\n` : '';
  const result: CitedText = { text, citations: [] };
  layoutOf(section, asPoints).forEach((block, at) => {
    if (at > 0) append(result, '\n\n');
    appendBlock(result, block, sentences, cited);
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
  all: readonly BoundSentence[],
  cited: Cited,
): void {
  switch (block.type) {
    case 'heading':
      return append(to, `### ${escaped(block.text)}`);
    case 'paragraph': {
      const runs = runsOf(
        block.sentences.map((at) => all[at]),
        cited,
      );
      return runs.forEach((run, n) => {
        if (n > 0) append(to, ' ');
        appendTo(to, citedRun(run, cited));
      });
    }
    case 'list':
      return block.items.forEach((at, n) => {
        const mark = block.ordered ? `${n + 1}.` : '-';
        append(to, `${n === 0 ? '' : '\n'}${mark} `);
        appendTo(to, citedRun([all[at]], cited));
      });
    case 'table':
      return appendTable(to, block, all, cited);
  }
}

/** Sentences that follow each other and have the same sources share their marks. */
function runsOf(
  sentences: readonly BoundSentence[],
  cited: Cited,
): BoundSentence[][] {
  const runs: BoundSentence[][] = [];
  let last: string | undefined;
  for (const one of sentences) {
    const sources = sourcesOf(one, cited).join();
    if (sources === last) runs.at(-1)!.push(one);
    else runs.push([one]);
    last = sources;
  }
  return runs;
}

/** What stands in a cell of which nothing is known. */
const EMPTY = '–';

function appendTable(
  to: CitedText,
  { columns, heads, rows }: Extract<LayoutBlock, { type: 'table' }>,
  all: readonly BoundSentence[],
  cited: Cited,
): void {
  const width = Math.max(...rows.map((row) => row.length));
  const titles = [...Array(width + 1).keys()].map((at) => columns[at] ?? '');
  append(to, `| ${titles.map(escaped).join(' | ')} |\n`);
  append(to, `|${' --- |'.repeat(width + 1)}`);
  rows.forEach((row, line) => {
    append(to, `\n| ${escaped(heads[line])} |`);
    for (let at = 0; at < width; at += 1) {
      const cell = all[row[at]];
      append(to, ' ');
      if (cell) appendTo(to, citedRun([inCell(cell)], cited));
      else append(to, EMPTY);
      append(to, ' |');
    }
  });
}

/** A pipe would end the cell. */
function inCell(sentence: BoundSentence): BoundSentence {
  return { ...sentence, text: sentence.text.replaceAll('|', '\\|') };
}

function appendTo(to: CitedText, { text, citations }: CitedText): void {
  append(to, text, citations);
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
  to.citations.push(...moved(citations, codePoints(to.text)));
  to.text += text;
}

function escaped(title: string): string {
  return title.replace(/[\\`*_[\]<>#|~&]/g, '\\$&');
}
