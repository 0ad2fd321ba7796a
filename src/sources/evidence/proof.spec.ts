import { compute } from './arithmetic';
import type { Compared } from './compared';
import { isComputed, isNamed, isShown } from './proof';

const GIVEN: Compared = {
  sentence: 'The herd gave 71,400 litres more than in the year before.',
  heading: 'Dairy farm Brookend › Figures',
  before: 'The herd has 90 cows.',
  quotes: [
    'The herd gave 612,000 litres in 2020.',
    'In 2021 it gave 683,400 litres.',
  ],
};

describe(isShown.name, () => {
  it.each([
    [['612,000 litres'], true],
    [['Dairy farm', 'the HERD has 90 cows'], true],
    [['The herd gave … in 2020.'], true],
    [['"In 2021 it gave 683,400 litres"'], true],
    [['612,000 litres in 2021'], false],
    [['612,000 litres', 'in the year before'], false],
    [[''], false],
    [[], false],
  ])('finds all of %j in the evidence: %s', (words, isThere) => {
    expect(isShown(words, GIVEN)).toBe(isThere);
  });
});

it('what differs stands in the sentence or in the evidence', () => {
  expect(isNamed('the year before', GIVEN)).toBe(true);
  expect(isNamed('90 cows', GIVEN)).toBe(true);
  expect(isNamed('a hundred goats', GIVEN)).toBe(false);
  expect(isNamed('', GIVEN)).toBe(false);
});

describe(compute.name, () => {
  it.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['-4 / (2 - 4)', 2],
    ['(420,000 − 315,000) ÷ 420,000 × 100 = 25', 25],
    ['50% * 80', 40],
  ])('computes %s', (expression, value) => {
    expect(compute(expression)?.value).toBeCloseTo(value);
  });

  it.each([
    '',
    '1 +',
    '(1',
    '1 2',
    'a + 1',
    '1 / 0',
    '1'.repeat(300),
    `${'('.repeat(99)}1${')'.repeat(99)}`,
    'constructor',
    '1e9',
  ])('takes %j for no expression', (expression) => {
    expect(compute(expression)).toBeUndefined();
  });
});

describe(isComputed.name, () => {
  const given = (sentence: string): Compared => ({ ...GIVEN, sentence });

  it.each([
    ['683400 - 612000', 'It gave 71,400 litres more.'],
    ['683,400 - 612,000', 'It gave about 70,000 litres more.'],
    ['(683400 - 612000) / 612000 * 100', 'It gave 11.7 % more.'],
    ['(683400 - 612000) / 612000', 'It gave 12 percent more.'],
    ['2021 - 2020', 'It was one year later.'],
    ['(2021 - 2020) * 12', 'It was 12 months later.'],
  ])('takes %s for %s', (expression, sentence) => {
    expect(isComputed(expression, given(sentence))).toBe(true);
  });

  it.each([
    ['683400 - 612000', 'It gave 81,400 litres more.'],
    ['683400 - 602000', 'It gave 81,400 litres more.'],
    ['683400 - 612000', 'It gave 71,000 litres more.'],
    ['71400', 'It gave 71,400 litres more.'],
    ['71400 + 0', 'It gave 71,400 litres more.'],
    ['683400 - 612000', 'It gave more.'],
  ])('does not take %s for %s', (expression, sentence) => {
    expect(isComputed(expression, given(sentence))).toBe(false);
  });
});
