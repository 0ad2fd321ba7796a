import { ATTEMPTS, pauseAfter, readRetryAfter } from './webhook.backoff';

const HOUR = 3_600_000;

describe('the schedule of webhooks', () => {
  const pauses = (retryAfterMs?: number): (number | undefined)[] =>
    Array.from({ length: ATTEMPTS }, (_, i) => pauseAfter(i, retryAfterMs));

  it('tries nine times in about two days, at growing distances', () => {
    const all = pauses();
    expect(all.pop()).toBeUndefined();
    const [first] = all;
    expect(first).toBeGreaterThanOrEqual(4_500);
    expect(first).toBeLessThanOrEqual(5_500);
    expect(all).toEqual(all.toSorted((a, b) => a! - b!));
    const sum = all.reduce<number>((total, pause) => total + pause!, 0);
    expect(sum).toBeGreaterThan(46 * HOUR);
    expect(sum).toBeLessThan(57 * HOUR);
  });

  it('keeps receivers that failed together from being called together', () => {
    const seen = new Set(Array.from({ length: 50 }, () => pauseAfter(3)));
    expect(seen.size).toBeGreaterThan(1);
  });

  it('waits as long as the receiver asks for, but never for days', () => {
    expect(pauseAfter(0, 60_000)).toBe(60_000);
    expect(pauseAfter(0, 1_000)).toBeGreaterThan(1_000);
    expect(pauseAfter(0, 1_000 * HOUR)).toBe(20 * HOUR);
  });

  it('gives up after the last try whatever the receiver asks for', () => {
    expect(pauseAfter(ATTEMPTS - 1, 60_000)).toBeUndefined();
    expect(pauseAfter(ATTEMPTS + 5)).toBeUndefined();
  });

  it('reads Retry-After as seconds or as a date', () => {
    expect(readRetryAfter('120')).toBe(120_000);
    const date = new Date(Date.now() + HOUR).toUTCString();
    expect(readRetryAfter(date)).toBeGreaterThan(HOUR / 2);
    expect(readRetryAfter('Wed, 01 Jan 2020 00:00:00 GMT')).toBe(0);
    for (const nonsense of [undefined, '', '-1', 'soon', ['1', '2']])
      expect(readRetryAfter(nonsense)).toBeUndefined();
  });
});
