import {
  type BoundSection,
  type BoundSentence,
  EMPTY_CELL,
  type LayoutBlock,
} from '../agent.types';
import type {
  WrittenBlock,
  WrittenSection,
  WrittenSentence,
} from '../prompts/section.prompt';
import { plainSentence, plainTitle } from './clean-text';

/** Sentences and cells of one section. */
const MAX_SENTENCES = 160;

/** The sentences of a written section in reading order, in plain text, and their places. */
export function flattened({ blocks }: WrittenSection): {
  sentences: WrittenSentence[];
  layout: LayoutBlock[];
} {
  const sentences: WrittenSentence[] = [];
  const place = (given: WrittenSentence): number => {
    const text = plainSentence(given.text);
    const isEmpty = /^[\s.\-–—]*$/.test(text);
    if (isEmpty || sentences.length === MAX_SENTENCES) return EMPTY_CELL;
    return sentences.push({ ...given, text }) - 1;
  };
  const layout = blocks.map((block) => placed(block, place));
  return { sentences, layout: layout.flatMap(withoutEmpty) };
}

function placed(
  { type, title, sentences, columns, rows }: WrittenBlock,
  place: (sentence: WrittenSentence) => number,
): LayoutBlock {
  switch (type) {
    case 'heading':
      return { type, text: plainTitle(title) };
    case 'paragraph':
      return { type, sentences: sentences.map(place) };
    case 'list':
    case 'steps': {
      const ordered = type === 'steps';
      return { type: 'list', ordered, items: sentences.map(place) };
    }
    case 'table':
      return {
        type,
        columns: columns.map(plainTitle),
        heads: rows.map((row) => plainTitle(row.title)),
        rows: rows.map(({ cells }) => cells.map(place)),
      };
  }
}

/** The section without the sentences that are not kept. A cell becomes empty; a row, a list or a paragraph that is empty goes. */
export function kept(
  section: BoundSection,
  keep: (sentence: BoundSentence) => boolean,
): BoundSection {
  const { sentences, layout } = section;
  const left = sentences.filter(keep);
  const places = new Map(left.map((one, at) => [one, at]));
  const moved = (at: number): number => places.get(sentences[at]) ?? EMPTY_CELL;
  return {
    ...section,
    sentences: left,
    ...(layout && {
      layout: withoutIdleHeadings(
        layout.map((block) => withPlaces(block, moved)).flatMap(withoutEmpty),
      ),
    }),
  };
}

function withPlaces(
  block: LayoutBlock,
  moved: (at: number) => number,
): LayoutBlock {
  switch (block.type) {
    case 'heading':
      return block;
    case 'paragraph':
      return { ...block, sentences: block.sentences.map(moved) };
    case 'list':
      return { ...block, items: block.items.map(moved) };
    case 'table':
      return { ...block, rows: block.rows.map((row) => row.map(moved)) };
  }
}

/** The block without the places that are empty; none if nothing is left of it. */
function withoutEmpty(block: LayoutBlock): LayoutBlock[] {
  const isFilled = (at: number): boolean => at !== EMPTY_CELL;
  switch (block.type) {
    case 'heading':
      return block.text === '' ? [] : [block];
    case 'paragraph': {
      const sentences = block.sentences.filter(isFilled);
      return sentences.length > 0 ? [{ ...block, sentences }] : [];
    }
    case 'list': {
      const items = block.items.filter(isFilled);
      return items.length > 0 ? [{ ...block, items }] : [];
    }
    case 'table': {
      const filled = block.rows.map((row) => row.some(isFilled));
      const rows = block.rows.filter((_, at) => filled[at]);
      const heads = block.heads.filter((_, at) => filled[at]);
      return rows.length > 0 ? [{ ...block, heads, rows }] : [];
    }
  }
}

function withoutIdleHeadings(layout: readonly LayoutBlock[]): LayoutBlock[] {
  const isHeading = (block?: LayoutBlock): boolean =>
    block === undefined || block.type === 'heading';
  return layout.filter(
    (block, at) => !isHeading(block) || !isHeading(layout[at + 1]),
  );
}

/** The sentences, each cell with the titles of its row and its column: "Debian 12 — Kernel: 6.1". */
export function withSubjects(section: BoundSection): string[] {
  const subjects = subjectsOf(section);
  return section.sentences.map(({ text }, at) =>
    subjects[at] ? `${subjects[at]}: ${text}` : text,
  );
}

/** Under which titles each sentence stands: "Debian 12 — Kernel" of a cell, which says nothing without its row and its column; of any other, none. */
function subjectsOf({ sentences, layout }: BoundSection): string[] {
  const subjects = sentences.map(() => '');
  for (const block of layout ?? [])
    if (block.type === 'table')
      block.rows.forEach((row, line) =>
        row.forEach((at, column) => {
          const titles = [block.heads[line], block.columns[column + 1]];
          if (at !== EMPTY_CELL)
            subjects[at] = titles.filter(Boolean).join(' — ');
        }),
      );
  return subjects;
}
