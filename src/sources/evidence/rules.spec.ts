import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Compared } from './compared';
import { ruled } from './rules';

interface Labelled extends Compared {
  id: string;
  label: string;
}

const read = (name: string): Labelled[] =>
  readFileSync(join('eval', 'verdicts', name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Labelled);
const PAIRS = read('pairs.jsonl');
const TABLES = read('pairs-tables.jsonl');
const isHonest = ({ label }: Labelled): boolean =>
  ['supported', 'arithmetic', 'inference'].includes(label);

const compared = (sentence: string, ...quotes: string[]): Compared => ({
  sentence,
  heading: '',
  before: '',
  quotes,
});
const verdictOf = (sentence: string, ...quotes: string[]) =>
  ruled(compared(sentence, ...quotes))?.verdict;

describe('labelled sentences', () => {
  it('have no veto among the honest ones, and no match among the false ones', () => {
    const all = [...PAIRS, ...TABLES];
    const found = all.map((one) => ({ one, rule: ruled(one)?.verdict }));
    const wrong = found.filter(
      ({ one, rule }) => rule && isHonest(one) !== (rule === 'quote_matched'),
    );
    expect(wrong.map(({ one }) => one.id)).toEqual([]);
  });

  it('are matched, and vetoed, so often', () => {
    const counts = (all: readonly Labelled[]): Record<string, number> => {
      const found: Record<string, number> = {};
      for (const one of all) {
        const rule = ruled(one)?.verdict;
        if (rule) found[rule] = (found[rule] ?? 0) + 1;
      }
      return found;
    };
    expect(counts(PAIRS)).toEqual({
      quote_matched: 2,
      number_differs: 14,
      text_differs: 1,
    });
    expect(counts(TABLES)).toEqual({ number_differs: 3 });
  });
});

describe(ruled.name, () => {
  it.each([
    ['The lake is deep.', 'It is cold. The lake is deep. It freezes.'],
    ['The “lake” is deep', 'It is cold.\nThe "lake"  is deep\nIt freezes.'],
    ['The lake is deep. It freezes.', 'The lake is deep. It freezes.'],
    ['The lake is deep.', 'It is cold. However, the lake is deep.'],
    ['호수는 깊다.', '물이 차다. 또한 호수는 깊다.'],
  ])('matches whole sentences of one quote: %s', (sentence, quote) => {
    expect(verdictOf(sentence, quote)).toBe('quote_matched');
  });

  it.each([
    ['All lakes are deep.', 'Not all lakes are deep.'],
    ['The lake is deep.', 'It is false that the lake is deep.'],
    ['The lake is deep.', 'The lake is deep, but only in May.'],
    ['The lake is deep.', 'The lake is deep?'],
    ['Brown lied.', 'According to Dr. Brown lied.'],
    ['But the lake is deep.', 'The lake is deep.'],
    ['42.', '42.'],
  ])('matches nothing else: %s of %s', (sentence, quote) => {
    expect(verdictOf(sentence, quote)).not.toBe('quote_matched');
  });

  it.each([
    ['It cost 3.5 billion euros.', 'It cost 3.5 million euros.'],
    ['예산은 3,200억 원이다.', '예산은 3조 2천억 원이다.'],
    ['The dam was built in 1931.', 'The dam was built in 1913.'],
    ['Sales rose by 5 percent.', 'Sales rose by 5 percentage points.'],
    ['The rate rose by 1 percent.', 'The rate rose from 4 % to 5 %.'],
  ])('finds a number that stands nowhere: %s', (sentence, quote) => {
    expect(verdictOf(sentence, quote)).toBe('number_differs');
  });

  it.each([
    ['It cost 3,500 million euros.', 'It cost 3.5 billion euros.'],
    ['인구는 120만 4천 명이다.', '인구는 1,204,000명이다.'],
    ['The lake covers about 2,000 km².', 'The lake covers 1,983 km².'],
    ['It takes 210 minutes.', 'It takes 3 hours 30 minutes.'],
    ['The cell holds 4.8 Ah.', 'The cell holds 4,800 mAh.'],
    ['It left on 2018-06-03.', 'It left on 3 June 2018.'],
    ['She sued in 2000.', 'She left in 1998. Two years later she sued.'],
    ['Together they are 400,000.', '212,000 men. 188,000 women.'],
    ['It opened at 17:00.', 'It opened at 5 p.m.'],
    ['Exports: 2.9 million tonnes', 'Thousand tonnes\nExports | 2,870'],
    ['The rate rose by 25 percent.', 'The rate rose from 4 % to 5 %.'],
    ['CO2 rose.', 'Carbon dioxide rose.'],
    ['It was built in the 1990s.', 'It was built in 1997.'],
    ['It is of the 20th century.', 'It was built in 1913.'],
    ['They kept 100 %.', 'They kept all of it.'],
    ['It cost 1 million euros.', 'It cost one million euros.'],
    ['It takes 3.5 hours.', 'It takes three and a half hours.'],
    ['They sold 24 eggs.', 'They sold two dozen eggs.'],
    ['It has 250 rooms.', 'It has two hundred and fifty rooms.'],
    ['It takes 14 days.', 'It takes a fortnight.'],
    ['참가자는 100명이다.', '백여 명이 참가했다.'],
    ['It is 100 years old.', 'It is a century old.'],
  ])('leaves to a judge what has another form: %s', (sentence, quote) => {
    expect(verdictOf(sentence, quote)).toBeUndefined();
  });

  it('finds what was put into a copy, and names it', () => {
    const quote = 'As of version 5, 32-bit machines are no longer supported.';
    expect(
      ruled(compared('As of version 5, 32-bit machines are supported.', quote)),
    ).toEqual({
      verdict: 'text_differs',
      detail: '… (in the quote: no longer)',
    });
    const draws = ['The X20 draws 65 watts at work.', 'The X40: 110 watts.'];
    expect(
      ruled(compared('The X20 draws 110 watts at work.', ...draws)),
    ).toEqual({ verdict: 'number_differs', detail: '110 (in the quote: 65)' });
  });

  it('says of nothing that it is missing from what is too long to compare', () => {
    const long = Array.from({ length: 24 }, (_, at) =>
      `${at + 100} `.repeat(400),
    );
    expect(verdictOf('It has 77 rooms.', ...long)).toBeUndefined();
    expect(verdictOf('It has 77 rooms.', '12345 '.repeat(300))).toBe(
      'number_differs',
    );
    expect(verdictOf('It has 77 rooms.', '1 '.repeat(900))).toBeUndefined();
    expect(
      verdictOf(`It has 77 rooms${' and more'.repeat(300)}.`, 'It has 5.'),
    ).toBeUndefined();
  });
});
