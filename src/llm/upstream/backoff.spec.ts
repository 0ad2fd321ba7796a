import { timerMs } from './backoff';

describe(timerMs.name, () => {
  it.each([
    ['as long as it is', 61_000, 61_000],
    ['115 days as the longest that a timer keeps', 9_999_999_000, 2 ** 31 - 1],
    ['for ever as the longest that a timer keeps', Infinity, 2 ** 31 - 1],
    ['less than none as none', -1, 0],
    ['no number as none', NaN, 0],
  ])('takes %s', (_, ms, taken) => {
    expect(timerMs(ms)).toBe(taken);
  });
});
