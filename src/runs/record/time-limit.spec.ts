import { timeLimit, waitLimit, within } from './time-limit';

const never = new AbortController().signal;
const ended = (signal: AbortSignal) =>
  new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );

describe(timeLimit.name, () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('ends with its parent, whose reason it has', () => {
    const parent = new AbortController();
    const { signal } = timeLimit(1_000, parent.signal);
    parent.abort('shutdown');
    expect(signal.reason).toBe('shutdown');
  });

  it('is extended once, by as much as it is told', async () => {
    const { signal } = timeLimit(1_000, never, () => Promise.resolve(500));
    await jest.advanceTimersByTimeAsync(1_499);
    expect(signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(signal.aborted).toBe(true);
  });

  it.each([
    ['there is no more', () => Promise.resolve(0)],
    ['the remaining time is unknown', () => Promise.reject(new Error('away'))],
  ])('ends where %s', async (_, more) => {
    const { signal } = timeLimit(1_000, never, more);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(signal.aborted).toBe(true);
  });

  it('once cleared leaves no timer, not even that of an extension', async () => {
    const { promise: more, resolve: extend } = Promise.withResolvers<number>();
    const limit = timeLimit(1_000, never, () => more);
    await jest.advanceTimersByTimeAsync(1_000);
    limit.clear();
    extend(500);
    await more;
    expect(jest.getTimerCount()).toBe(0);
    expect(limit.signal.aborted).toBe(false);
  });

  it('is cleared with the work that it is for, which may fail', async () => {
    const limit = timeLimit(1_000, never);
    const work = () => Promise.reject(new Error('broken'));
    await expect(within(limit, work)).rejects.toThrow('broken');
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe(waitLimit.name, () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it.each([
    [undefined, 1_000],
    [5_001, 1_000],
    [5_000, 26_000],
    [0, 21_000],
  ])(
    'of a run that ends in %s ms, a second of wait is %d ms',
    async (endsInMs, ms) => {
      const { signal } = waitLimit(1_000, never, async () => endsInMs);
      const over = ended(signal);
      await jest.advanceTimersByTimeAsync(ms - 1);
      expect(signal.aborted).toBe(false);
      await jest.advanceTimersByTimeAsync(1);
      await over;
    },
  );
});
