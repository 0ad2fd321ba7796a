import { backoff, pause, timerMs } from './pause';

describe(timerMs.name, () => {
  it.each([
    ['an ordinary delay unchanged', 61_000, 61_000],
    ['115 days as the longest delay of a timer', 9_999_999_000, 2 ** 31 - 1],
    ['infinity as the longest delay of a timer', Infinity, 2 ** 31 - 1],
    ['a negative delay as none', -1, 0],
    ['NaN as none', NaN, 0],
  ])('takes %s', (_, ms, taken) => {
    expect(timerMs(ms)).toBe(taken);
  });
});

describe(pause.name, () => {
  it('ends without an error when the signal aborts', async () => {
    const hour = 3_600_000;
    const stop = new AbortController();
    const paused = pause(hour, stop.signal);
    stop.abort(new Error('stopped'));
    await paused;
    await pause(hour, stop.signal);
  });
});

describe(backoff.name, () => {
  it.each([
    [0, 75, 100],
    [1, 150, 200],
    [9, 750, 1_000],
  ])('doubles up to the maximum, attempt %d', (attempt, least, most) => {
    const ms = backoff(attempt, 100, 1_000);
    expect(ms).toBeGreaterThan(least - 1);
    expect(ms).toBeLessThanOrEqual(most);
  });
});
