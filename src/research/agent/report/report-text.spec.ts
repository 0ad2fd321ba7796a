import type { BoundSection, Note, ReadSource } from '../agent.types';
import { type Cited, sectionText } from './report-text';

const source = (number: number): ReadSource => ({
  number,
  url: `https://s${number}.example/`,
  title: `Page ${number}`,
  sha256: '',
  fetchedAt: '2026-11-25T00:00:00.000Z',
  private: false,
});
const note = (id: string, of: number) =>
  ({ id, source: of, quote: `Quote ${id}.` }) as Note;
const cited: Cited = {
  notes: new Map(
    [note('n1', 1), note('n2', 2)].map((one) => [one.id, one] as const),
  ),
  sources: [source(1), source(2)],
  links: true,
};
const said = (text: string, ...noteIds: string[]) => ({ text, noteIds });

describe(sectionText.name, () => {
  it('is a table in Markdown, in which no text ends a cell', () => {
    const section: BoundSection = {
      title: 'Compared',
      sentences: [said('a|b'), said('much')],
      layout: [
        { type: 'heading', text: 'By *use*' },
        {
          type: 'table',
          columns: ['Of', 'x|y'],
          heads: ['Age', 'Cost|price'],
          rows: [
            [0, -1],
            [-1, 1],
          ],
        },
      ],
    };
    expect(sectionText(section, cited, false).text).toBe(
      [
        '## Compared',
        '',
        '### By \\*use\\*',
        '',
        '| Of | x\\|y |  |',
        '| --- | --- | --- |',
        '| Age | a\\|b | – |',
        '| Cost\\|price | – | much |',
      ].join('\n'),
    );
  });

  it('has paragraphs, points and steps', () => {
    const section: BoundSection = {
      title: '',
      sentences: [said('A.'), said('B.'), said('C.'), said('D.'), said('E.')],
      layout: [
        { type: 'paragraph', sentences: [0, 1] },
        { type: 'list', ordered: false, items: [2] },
        { type: 'list', ordered: true, items: [3, 4] },
      ],
    };
    expect(sectionText(section, cited, false).text).toBe(
      'A. B.\n\n- C.\n\n1. D.\n2. E.',
    );
  });
});
