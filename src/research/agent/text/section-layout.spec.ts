import { type BoundSection, EMPTY_CELL } from '../agent.types';
import { sectionPrompt } from '../prompts/section.prompt';
import { flattened, kept, withSubjects } from './section-layout';

const said = (text: string) => ({ text, note_ids: ['n1'] });

const flat = (...blocks: object[]) =>
  flattened(sectionPrompt.schema.parse({ blocks }));

const { sentences, layout } = flat(
  { type: 'heading', title: '## Uses' },
  { type: 'paragraph', sentences: [said('A.'), said(''), said('B.')] },
  { type: 'steps', sentences: [said('1. C.')] },
  {
    type: 'table',
    columns: ['Of', 'stable', 'testing'],
    rows: [
      { title: 'Age', cells: [said('old'), said('–')] },
      { title: 'Upkeep', cells: [said('little'), said('constant')] },
    ],
  },
);
const SECTION: BoundSection = {
  title: 'Uses',
  sentences: sentences.map(({ text }) => ({ text, noteIds: ['n1'] })),
  layout,
};
const without = (...texts: string[]) =>
  kept(SECTION, ({ text }) => !texts.includes(text));

describe(flattened.name, () => {
  it('gives all sentences in reading order, and the blocks by their places', () => {
    expect(sentences.map(({ text }) => text)).toEqual([
      'A.',
      'B.',
      'C.',
      'old',
      'little',
      'constant',
    ]);
    expect(layout).toEqual([
      { type: 'heading', text: 'Uses' },
      { type: 'paragraph', sentences: [0, 1] },
      { type: 'list', ordered: true, items: [2] },
      {
        type: 'table',
        columns: ['Of', 'stable', 'testing'],
        heads: ['Age', 'Upkeep'],
        rows: [
          [3, EMPTY_CELL],
          [4, 5],
        ],
      },
    ]);
  });

  it('takes at most 160 sentences, however many cells there are', () => {
    const cells = Array.from({ length: 7 }, () => said('cell'));
    const rows = Array.from({ length: 20 }, () => ({ title: 'row', cells }));
    const table = { type: 'table', columns: [], rows };
    const { sentences: all } = flat(...Array<object>(12).fill(table));
    expect(all).toHaveLength(160);
  });
});

describe(kept.name, () => {
  it('empties the cell of a sentence that goes, and moves the others', () => {
    const { sentences: left, layout: blocks } = without('A.', 'little');
    expect(left.map(({ text }) => text)).toEqual([
      'B.',
      'C.',
      'old',
      'constant',
    ]);
    expect(blocks).toMatchObject([
      { type: 'heading' },
      { sentences: [0] },
      { items: [1] },
      {
        rows: [
          [2, EMPTY_CELL],
          [EMPTY_CELL, 3],
        ],
      },
    ]);
  });

  it('leaves out rows, lists, paragraphs and tables that are empty, and headings of nothing', () => {
    expect(without('C.', 'old').layout).toMatchObject([
      { type: 'heading' },
      { type: 'paragraph' },
      { type: 'table', heads: ['Upkeep'], rows: [[2, 3]] },
    ]);
    expect(
      without('A.', 'B.', 'C.', 'old', 'little', 'constant').layout,
    ).toEqual([]);
  });
});

describe(withSubjects.name, () => {
  it('names the row and the column of a cell', () => {
    expect(withSubjects(SECTION)).toEqual([
      'A.',
      'B.',
      'C.',
      'Age — stable: old',
      'Upkeep — stable: little',
      'Upkeep — testing: constant',
    ]);
  });
});
