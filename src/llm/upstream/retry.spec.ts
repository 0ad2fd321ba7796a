import { PAUSES } from '../../platform/pause';
import { AppError } from '../../platform/errors';
import { pauseBeforeRetry, withRetries } from './retry';
import { TurnTimeout } from '../turns/turn-timeout';
import { replyError, UpstreamError } from './upstream-error';

const failing = (status: number, headers = {}, code?: string) =>
  replyError(status, headers, JSON.stringify({ error: { code } }));

describe(pauseBeforeRetry.name, () => {
  it.each([408, 409, 429, 500, 502, 503])('repeats after a %i', (status) => {
    const first = pauseBeforeRetry(failing(status), 0, 30_000)!;
    expect(first).toBeGreaterThanOrEqual(375);
    expect(first).toBeLessThanOrEqual(500);
    const second = pauseBeforeRetry(failing(status), 1, 30_000)!;
    expect(second).toBeGreaterThanOrEqual(750);
    expect(second).toBeLessThanOrEqual(1_000);
  });

  it('repeats after a broken connection', () => {
    const broken = new UpstreamError('upstream_unreachable', 'unknown');
    expect(pauseBeforeRetry(broken, 0, 30_000)).toBeDefined();
  });

  it('repeats at most twice', () => {
    expect(pauseBeforeRetry(failing(500), 2, 30_000)).toBeUndefined();
  });

  it.each([400, 401, 403, 404, 422])('does not repeat after a %i', (status) => {
    expect(pauseBeforeRetry(failing(status), 0, 30_000)).toBeUndefined();
  });

  it('does not wait for an exhausted quota', () => {
    const empty = failing(429, {}, 'insufficient_quota');
    expect(pauseBeforeRetry(empty, 0, 30_000)).toBeUndefined();
  });

  it('waits as long as `retry-after` asks, if the turn has the time', () => {
    const busy = failing(429, { 'retry-after': '20' });
    expect(pauseBeforeRetry(busy, 0, 30_000)).toBe(20_000);
    expect(pauseBeforeRetry(busy, 0, 10_000)).toBeLessThanOrEqual(500);
  });

  it('fails at once when no pause fits into the turn', () => {
    expect(pauseBeforeRetry(failing(500), 0, 300)).toBeUndefined();
  });

  it('does not repeat after an error that is not of the endpoint', () => {
    const late = new AppError('upstream_timeout');
    expect(pauseBeforeRetry(late, 0, 30_000)).toBeUndefined();
    expect(pauseBeforeRetry(new TypeError(), 0, 30_000)).toBeUndefined();
  });
});

describe(withRetries.name, () => {
  const loading = () => replyError(503, {}, 'no healthy upstream');

  beforeAll(() => {
    PAUSES.scale = 0.001;
  });

  it('repeats for as long as nothing was begun, besides two repeats of calls that may have been', async () => {
    const signal = new AbortController().signal;
    const faults = [500, 503, 429, 503, 429, 429, 502].map((status) =>
      status === 503 ? loading() : failing(status),
    );
    const call = jest.fn(async () => {
      const fault = faults.shift();
      if (fault) throw fault;
      return 'answer';
    });
    const deadline = { leftMs: 30_000, signal };
    await expect(withRetries(deadline, call)).resolves.toBe('answer');
    expect(call).toHaveBeenCalledTimes(8);
  });

  it('says for how long it has asked, and which setting ended that', async () => {
    const signal = new AbortController().signal;
    let leftMs = 40_000;
    const deadline = {
      signal,
      get leftMs() {
        return (leftMs -= 1_000);
      },
    };
    const ended = withRetries(deadline, () => Promise.reject(loading()));
    await expect(ended).rejects.toMatchObject({
      code: 'upstream_error',
      message: expect.stringMatching(
        /asked again for \d\d s; RELAY_TIMEOUT_SECONDS/,
      ),
    });
  });

  it('returns the first result', async () => {
    const clock = new TurnTimeout(30_000, new AbortController().signal);
    const answers = [failing(500, { 'retry-after-ms': 0 }), 'answer'];
    const call = jest.fn(async () => {
      const next = answers.shift();
      if (next instanceof Error) throw next;
      return next;
    });
    await expect(withRetries(clock, call)).resolves.toBe('answer');
    expect(call).toHaveBeenCalledTimes(2);
    clock.stop();
  });

  it('ends a pause when the caller aborts', async () => {
    const caller = new AbortController();
    const clock = new TurnTimeout(3_600_000, caller.signal);
    const reason = new Error('gone');
    const call = async () => {
      queueMicrotask(() => caller.abort(reason));
      throw failing(429, { 'retry-after': '3000' });
    };
    await expect(withRetries(clock, call)).rejects.toBe(reason);
    clock.stop();
  });
});
