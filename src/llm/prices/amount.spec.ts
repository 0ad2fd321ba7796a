import { countIn, isAmount } from './amount';

const NONE = [-1, NaN, Infinity, 1e308, '7', null, undefined, {}, true];

describe('what an endpoint reports', () => {
  it.each(NONE)('of %p is no count of tokens, and costs nothing', (value) => {
    expect(countIn(value)).toBeUndefined();
    expect(isAmount(value)).toBe(false);
  });

  it('is a count of tokens only if it is whole', () => {
    expect([0, 7, 1e9, 1.5, 1e9 + 1].map(countIn)).toEqual([
      0,
      7,
      1e9,
      undefined,
      undefined,
    ]);
  });
});
