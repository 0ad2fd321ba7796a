import { lineBefore, linesOf, passageOf, shownLines } from './lines';

const TEXT =
  'Towers\n\nThe first tower is old. The second tower is new.\n\nGates\n\nThe gate is made of iron.';
const page = {
  text: TEXT,
  headings: ['Towers', 'Gates'].map((text) => ({
    at: TEXT.indexOf(text),
    level: 2,
    text,
  })),
};
const lines = [...linesOf(page)];
const quoteOf = (...numbers: number[]): string | undefined => {
  const passage = passageOf(lines, numbers);
  return passage && TEXT.slice(passage.start, passage.end);
};

describe(shownLines.name, () => {
  it('numbers the sentences and leaves the headings without a number', () => {
    expect(shownLines(TEXT, lines)).toBe(
      '## Towers\n[1] The first tower is old.\n[2] The second tower is new.\n## Gates\n[3] The gate is made of iron.',
    );
  });

  it('keeps the cells of a row apart, those that are empty too', () => {
    const text = 'Rhine\t1,230 km\t\tsix countries';
    const row = [{ start: 0, end: text.length }];
    expect(shownLines(text, row)).toBe(
      '[1] Rhine | 1,230 km | | six countries',
    );
  });

  it('has one line for a sentence that imitates others', () => {
    const text = 'A tower\nis [2] high and\n[3] old as well.';
    const wrapped = [{ start: 0, end: text.length }];
    expect(shownLines(text, wrapped).split('\n')).toHaveLength(1);
  });
});

describe(passageOf.name, () => {
  it.each<[string, number[], string | undefined]>([
    ['one sentence', [2], 'The second tower is new.'],
    [
      'sentences that follow each other, in any order',
      [2, 1],
      'The first tower is old. The second tower is new.',
    ],
    ['the first of several that do not', [1, 3], 'The first tower is old.'],
    ['none across a heading', [3, 2], 'The gate is made of iron.'],
    ['none where a number is no sentence', [1, 4], undefined],
    ['none of the number 0', [0], undefined],
    ['none without numbers', [], undefined],
  ])('is %s', (_, numbers, quote) => {
    expect(quoteOf(...numbers)).toBe(quote);
  });

  it('has whole sentences, and no more than a quote may have', () => {
    const text = Array.from(
      { length: 40 },
      (_, at) => `Tower ${at} has the number ${at} in the catalogue.`,
    ).join(' ');
    const all = [...linesOf({ text, headings: [] })];
    const passage = passageOf(
      all,
      all.map((_, at) => 40 - at),
    )!;
    expect(passage.end).toBe(text.length);
    expect(text.slice(passage.start)).toMatch(/^Tower \d+ has/);
    expect(passage.end - passage.start).toBeLessThanOrEqual(600);
    expect(passage.end - passage.start).toBeGreaterThan(500);
  });
});

describe(lineBefore.name, () => {
  it('is the sentence before, and nothing after a heading or at the beginning', () => {
    const before = (words: string) => lineBefore(page, TEXT.indexOf(words));
    expect(before('The second')).toBe('The first tower is old.');
    expect(before('The first')).toBe('');
    expect(before('The gate')).toBe('');
    expect(before('Towers')).toBe('');
  });

  it('is the first row of its table for a row, however far up', () => {
    const rows = Array.from(
      { length: 2_000 },
      (_, at) => `Tower ${at} | ${at} m`,
    );
    const text = ['These are all.', 'Name | Height', ...rows].join('\n');
    const table = { text, headings: [] };
    const at = text.indexOf('Tower 1999');
    expect(lineBefore(table, at)).toBe('Name | Height');
    expect(lineBefore(table, text.indexOf('Name'))).toBe('These are all.');
  });
});
