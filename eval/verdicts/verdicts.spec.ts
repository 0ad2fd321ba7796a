import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModelReplay } from '../research/model.trace';
import { figuresOf } from './figures';
import { type JudgedPair, judgePairs } from './judge';
import { directionOf, halves, type Labelled, readPairs } from './pairs';

const TRACE = join('eval', 'traces', 'strong-blind.verdicts.json');
const shareOf = (part: number, of: number): number => part / of;

describe('a strong model that sees nothing but the prompts, on labelled sentences', () => {
  let all: JudgedPair[];

  beforeAll(async () => {
    const replay = new ModelReplay(readFileSync(TRACE, 'utf8'));
    const sides = halves(readPairs()).map((pairs) =>
      judgePairs(pairs, 'strong-blind', replay),
    );
    all = (await Promise.all(sides)).flat();
  });

  it('judges every sentence, and in no half a passage twice', () => {
    expect(all).toHaveLength(readPairs().length);
    for (const half of halves(readPairs())) {
      const passages = half.map(({ heading, quotes }) =>
        JSON.stringify([heading, quotes]),
      );
      expect(new Set(passages).size).toBe(half.length);
    }
  });

  it('has at least 95 % of the honest accepted, at most 2 % of the false, and at most 3 % unchecked', () => {
    const { honest, honestAccepted, falseAccepted, unchecked, ...rest } =
      figuresOf(all);
    expect(shareOf(honestAccepted, honest)).toBeGreaterThanOrEqual(0.95);
    expect(shareOf(falseAccepted, rest.false)).toBeLessThanOrEqual(0.02);
    expect(shareOf(unchecked, all.length)).toBeLessThanOrEqual(0.03);
  });

  it.each(['ko', 'across'])(
    'accepts in %s within five points as many honest ones as in English',
    (direction) => {
      const accepted = (wanted: string): number => {
        const of = all.filter(({ pair }) => directionOf(pair) === wanted);
        const { honest, honestAccepted } = figuresOf(of);
        return shareOf(honestAccepted, honest);
      };
      expect(accepted(direction)).toBeGreaterThanOrEqual(accepted('en') - 0.05);
    },
  );

  it('has the honest and the false sentence of each passage', () => {
    const isFalse = ({ label }: Labelled): boolean =>
      label === 'contradicted' || label === 'not_stated';
    const pairs = readPairs();
    expect(pairs.filter(isFalse)).toHaveLength(pairs.length / 2);
  });
});
