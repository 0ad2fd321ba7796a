import { stat } from 'node:fs/promises';
import { backoff, pause, pauseAfter, timerMs, within } from './pause';

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

describe(within.name, () => {
  const never = new Promise<never>(() => undefined);

  afterEach(() => jest.useRealTimers());

  it('gives the outcome of work that ends in time, and leaves no timer', async () => {
    jest.useFakeTimers();
    const fault = new Error('failed');
    await expect(within(9, Promise.resolve(1))).resolves.toBe(1);
    await expect(within(9, Promise.reject(fault))).rejects.toBe(fault);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('gives undefined, or the outcome of `late`, once the time is up', async () => {
    const fault = new Error('late');
    const fail = (): never => {
      throw fault;
    };
    await expect(within(1, never)).resolves.toBeUndefined();
    await expect(within(1, never, () => 'late')).resolves.toBe('late');
    await expect(within(1, never, fail)).rejects.toBe(fault);
  });

  it('gives the outcome that was there in time to a process that did not run meanwhile', async () => {
    // Its timers are due before it reads.
    await new Promise(setImmediate);
    const found = within(10, stat(__filename));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    await expect(found).resolves.toHaveProperty('size');
  });

  // Jest fails a test that leaves a rejection unhandled.
  it('takes no notice of work that fails late', async () => {
    let fail!: (error: Error) => void;
    const work = new Promise<never>((_, reject) => (fail = reject));
    await within(1, work);
    fail(new Error('failed'));
    await new Promise(setImmediate);
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

describe(pauseAfter.name, () => {
  const PACE = { firstMs: 1_000, maxMs: 8_000, askedMs: 60_000 };

  it.each([undefined, 0, -1, -Infinity, NaN, 10])(
    'is our own backoff where the other side asks for %p',
    (asked) => {
      for (const [failures, most] of [
        1_000, 2_000, 4_000, 8_000, 8_000,
      ].entries()) {
        const ms = pauseAfter(failures, PACE, asked);
        expect(ms).toBeGreaterThanOrEqual(most * 0.75);
        expect(ms).toBeLessThanOrEqual(most);
      }
    },
  );

  it.each([
    [20_000, 20_000],
    [1e308, 60_000],
    [Infinity, 60_000],
  ])('is longer where it asks for %p', (asked, ms) => {
    expect(pauseAfter(0, PACE, asked)).toBe(ms);
  });
});
