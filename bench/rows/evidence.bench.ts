import type { Compared } from '../../src/sources/evidence/compared';
import { ruled } from '../../src/sources/evidence/rules';
import { judged } from '../../src/research/agent/text/judged';
import { type Figure, round } from '../table';

/** Of each input, after one more for the compiler: the least of their means, as other work of the machine only adds to it. */
const BATCHES = 5;
const ROUNDS = 15;
/** The most that a sentence of a report has, in UTF-16 units: a cell stands under its titles. */
const SENTENCE = 1_400;
const QUOTES = 12;
const QUOTE = 600;
/** Of all headings, and of all sentences before the quotes. */
const BESIDE = 2_000;
const PASSAGES = 6;
const PASSAGE = 300;
const EXPRESSION = 200;

/** What texts of the greatest length are made of. */
const UNITS = {
  'a word': 'word ',
  'a Korean word': '짜장면 ',
  'Korean without spaces': '짜장면',
  numbers: '12345 ',
  'short numbers': '7 ',
  'numbers with units': '1.5 km, ',
  'Korean amounts': '3조 2천억 원 ',
  'numbers in words': 'two hundred and fifty ',
  'numbers in Korean words': '백여 명 ',
  dates: '3 June 2018 ',
  percent: '5 percentage points, 4 % ',
  'cells of a table': 'sales 1 | ',
  marks: '"“…”-" ',
  brackets: '((((',
  'ends of sentences': 'Dr. A. ',
  'hedges and speakers': 'critics said that it may be almost all, ',
  'a letter': 'a',
  'combining marks': 'é',
  'a letter that stands for a sentence': 'ﷺ ',
} as const;

/** What comparing texts costs in the thread of the worker: per sentence, whatever the texts. */
export function evidence(): Promise<Figure[]> {
  const inputs = Object.entries(UNITS).flatMap(([name, unit]) => [
    { name, compared: comparedOf(unit, '') },
    { name: `${name}, a near copy`, compared: comparedOf(unit, ' It is so.') },
  ]);
  const answers = (
    ['supported', 'arithmetic', 'contradicted'] as const
  ).flatMap((verdict) =>
    Object.entries(UNITS).map(([name, unit]) => ({
      name: `${name}, ${verdict}`,
      compared: comparedOf(unit, ''),
      answer: {
        id: 's1',
        words: Array<string>(PASSAGES).fill(filled(unit, PASSAGE)),
        differs: filled(unit, EXPRESSION),
        expression: filled('1+2*(3-4)/5+', EXPRESSION - 1) + '1',
        verdict,
      },
    })),
  );
  return Promise.resolve([
    worst(
      'rules',
      inputs.map(({ name, compared }) => [name, () => ruled(compared)]),
    ),
    worst(
      'look-up of an answer',
      answers.map(({ name, answer, compared }) => [
        name,
        () => judged(answer, compared),
      ]),
    ),
  ]);
}

function comparedOf(unit: string, end: string): Compared {
  return {
    sentence: filled(unit, SENTENCE - end.length) + end,
    heading: filled(unit, BESIDE),
    before: filled(unit, BESIDE),
    // Not equal, so that nothing is found at once.
    quotes: Array.from({ length: QUOTES }, (_, at) => filled(unit, QUOTE - at)),
  };
}

function filled(unit: string, length: number): string {
  return unit
    .repeat(Math.ceil(length / unit.length))
    .slice(0, length)
    .toWellFormed();
}

/** The input that takes longest. */
function worst(
  what: string,
  works: readonly (readonly [name: string, work: () => unknown])[],
): Figure {
  const found = works.map(([name, work]) => ({ name, ms: leastMs(work) }));
  const [longest] = found.toSorted((a, b) => b.ms - a.ms);
  return {
    what: `${what} of one sentence, the worst of ${found.length} inputs (${longest.name}): ms of CPU`,
    sonde: round(longest.ms),
    bare: '',
    ratio: '',
    aim: '≤ 5',
  };
}

function leastMs(work: () => unknown): number {
  const means = Array.from({ length: BATCHES + 1 }, () => {
    const before = process.cpuUsage();
    for (let left = ROUNDS; left > 0; left -= 1) work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 / ROUNDS;
  });
  return Math.min(...means.slice(1));
}
