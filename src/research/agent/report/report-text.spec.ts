import MarkdownIt from 'markdown-it';
import type { BoundSection, Note, ReadSource } from '../agent.types';
import type { Cited } from './cited-run';
import { relocated } from './relocated';
import { sectionText } from './report-text';

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
const citedBy = (links = true): Cited => ({
  notes: new Map(
    [note('n1', 1), note('n2', 2), note('n3', 1)].map(
      (one) => [one.id, one] as const,
    ),
  ),
  sources: [source(1), source(2)],
  links,
  numbers: new Map(),
});
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
    expect(sectionText(section, citedBy(), false).text).toBe(
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
    expect(sectionText(section, citedBy(), false).text).toBe(
      'A. B.\n\n- C.\n\n1. D.\n2. E.',
    );
  });

  it.each([
    'Run sonde <command>; a List<T> is no <script> and no <!-- comment -->.',
    'Write &lt; or &#60; for <, and &amp; for AT&T. <https://a.example> (a@b.example)',
    'The element [1] of <b> is not [2].',
    'Keys ` and `` and ``` are <b>.',
  ])(
    'has each sentence as it is, whatever Markdown makes of others: %s',
    (text) => {
      const code = '`a[1] &lt; <img src=x>`';
      const section: BoundSection = {
        title: '',
        sentences: [said(text), said(`Code is ${code}.`), said('An \\[1].')],
      };
      const markdown = sectionText(section, citedBy(), false).text;
      const defined = `${markdown}\n\n[1]: https://a.example\n[2]: https://a.example`;
      const inline = new MarkdownIt('commonmark')
        .parse(defined, {})
        .flatMap(({ children }) => children ?? []);
      const shown = inline.map(({ type, content }) =>
        type === 'code_inline' ? `\`${content}\`` : content,
      );
      expect(shown.join('')).toBe(`${text} Code is ${code}. An [1].`);
    },
  );

  const RUNS: BoundSection = {
    title: '',
    sentences: [
      said('A 🥬.', 'n2'),
      said('B [7].', 'n2'),
      said('C.'),
      said('D.', 'n1', 'n2', 'n3'),
    ],
  };

  it('numbers its sources once after sentences that share them, in the order of the text', () => {
    const { text, citations } = sectionText(RUNS, citedBy(), false);
    expect(text).toBe('A 🥬. B \\[7]. [1] C. D. [2], [1]');
    const points = Array.from(text);
    const at = (start?: number, end?: number) =>
      points.slice(start, end).join('');
    expect(
      citations.map((one) => [
        at(one.sentence_start, one.sentence_end),
        at(one.start_index, one.end_index),
        one.quote,
      ]),
    ).toEqual([
      ['A 🥬.', '[1]', 'Quote n2.'],
      ['B \\[7].', '[1]', 'Quote n2.'],
      ['D.', '[2]', 'Quote n1.'],
      ['D.', '[1]', 'Quote n2.'],
      ['D.', '[2]', 'Quote n3.'],
    ]);
  });

  it('shows no numbers where no citations are required, and cites its sentences', () => {
    const { text, citations } = sectionText(RUNS, citedBy(false), false);
    expect(text).toBe('A 🥬. B \\[7]. C. D.');
    for (const one of citations)
      expect([one.start_index, one.end_index]).toEqual([
        one.sentence_start,
        one.sentence_end,
      ]);
  });

  it('keeps after a guardrail the citations whose marks are left, and the ranges of sentences that are as they were', () => {
    const cited = sectionText(RUNS, citedBy(), false);
    const left = (text: string) =>
      relocated(cited, text).map((one) => {
        const points = Array.from(text);
        const sentence = points.slice(one.sentence_start, one.sentence_end);
        return [
          one.sentence_end === undefined ? null : sentence.join(''),
          points.slice(one.start_index, one.end_index).join(''),
        ];
      });
    const last = [
      ['D.', '[2]'],
      ['D.', '[1]'],
      ['D.', '[2]'],
    ];
    expect(left(cited.text.replace('B \\[7]. [1]', 'B.'))).toEqual(last);
    expect(left(cited.text.replace('A 🥬.', 'Removed.'))).toEqual([
      [null, '[1]'],
      ['B \\[7].', '[1]'],
      ...last,
    ]);
  });
});
