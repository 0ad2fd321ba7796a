import { readRetryAfter } from '../../platform/egress/retry-after';
import { ATTEMPTS, backoffMs } from './webhook-backoff';

const HOUR = 3_600_000;

describe('the backoff of webhooks', () => {
  const delays = (retryAfterMs?: number): (number | undefined)[] =>
    Array.from({ length: ATTEMPTS }, (_, i) => backoffMs(i, retryAfterMs));

  it('makes nine attempts in about two days, with growing delays', () => {
    const all = delays();
    expect(all.pop()).toBeUndefined();
    const [first] = all;
    expect(first).toBeGreaterThanOrEqual(4_500);
    expect(first).toBeLessThanOrEqual(5_500);
    expect(all).toEqual(all.toSorted((a, b) => a! - b!));
    const sum = all.reduce<number>((total, delay) => total + delay!, 0);
    expect(sum).toBeGreaterThan(46 * HOUR);
    expect(sum).toBeLessThan(57 * HOUR);
  });

  it('spreads the retries of receivers that failed together', () => {
    const seen = new Set(Array.from({ length: 50 }, () => backoffMs(3)));
    expect(seen.size).toBeGreaterThan(1);
  });

  it('waits as long as the receiver requests, but never for days', () => {
    expect(backoffMs(0, 60_000)).toBe(60_000);
    expect(backoffMs(0, 1_000)).toBeGreaterThan(1_000);
    expect(backoffMs(0, 1_000 * HOUR)).toBe(20 * HOUR);
  });

  it('fails for good after the last attempt, whatever the receiver requests', () => {
    expect(backoffMs(ATTEMPTS - 1, 60_000)).toBeUndefined();
    expect(backoffMs(ATTEMPTS + 5)).toBeUndefined();
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
