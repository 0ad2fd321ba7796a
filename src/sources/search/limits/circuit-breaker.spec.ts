import { CircuitBreaker } from './circuit-breaker';

describe(CircuitBreaker.name, () => {
  let now: number;
  let breaker: CircuitBreaker;

  beforeEach(() => {
    now = 0;
    breaker = new CircuitBreaker(() => now);
  });

  const fail = (times = 1): (number | undefined)[] =>
    Array.from({ length: times }, () => {
      breaker.enter();
      return breaker.fail();
    });

  it('opens for 30 s at the third failure in a row', () => {
    expect(fail(3)).toEqual([undefined, undefined, 30_000]);
    expect(breaker.enter()).toBe(false);
    now = 29_999;
    expect(breaker.isOpen).toBe(true);
    now = 30_000;
    expect(breaker.enter()).toBe(true);
  });

  it('counts failures anew after a success', () => {
    fail(2);
    breaker.enter();
    expect(breaker.succeed()).toBe(false);
    expect(fail(2)).toEqual([undefined, undefined]);
    expect(breaker.isOpen).toBe(false);
  });

  it('lets one call at a time through after the pause, whose success closes it', () => {
    fail(3);
    now = 30_000;
    expect([breaker.enter(), breaker.enter()]).toEqual([true, false]);
    expect(breaker.succeed()).toBe(true);
    expect([breaker.enter(), breaker.enter()]).toEqual([true, true]);
  });

  it('pauses twice as long after each failed call, up to ten minutes', () => {
    fail(3);
    const pauses = Array.from({ length: 7 }, () => {
      now += 600_000;
      return fail()[0];
    });
    expect(pauses).toEqual([
      60_000, 120_000, 240_000, 480_000, 600_000, 600_000, 600_000,
    ]);
  });

  it('lets the next call through where the first one ended without a result', () => {
    fail(3);
    now = 30_000;
    breaker.enter();
    breaker.release();
    expect(breaker.enter()).toBe(true);
  });

  it('is not opened for longer by calls that began before it opened', () => {
    Array.from({ length: 5 }, () => breaker.enter());
    const pauses = Array.from({ length: 5 }, () => breaker.fail());
    expect(pauses).toEqual([
      undefined,
      undefined,
      30_000,
      undefined,
      undefined,
    ]);
    now = 30_000;
    expect(breaker.isOpen).toBe(false);
  });
});
