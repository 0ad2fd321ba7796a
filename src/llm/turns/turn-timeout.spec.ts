import type { UpstreamClient } from '../upstream/upstream.client';
import { DeltaEmitter } from './delta-emitter';
import { postTurn } from './turn-request';
import { TurnTimeout } from './turn-timeout';

const never = new AbortController().signal;

/** An endpoint that never replies. */
function neverReplies({ signal }: TurnTimeout): UpstreamClient {
  const reply = () =>
    new Promise((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error)),
    );
  return { reply } as unknown as UpstreamClient;
}

describe(TurnTimeout.name, () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('ends a turn whose first token does not come, and names the setting', () => {
    const timeout = new TurnTimeout(30_000, never);
    jest.advanceTimersByTime(29_999);
    expect(timeout.signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(timeout.signal.reason).toMatchObject({
      code: 'upstream_timeout',
      message: expect.stringMatching(/for 30 s: RELAY_TIMEOUT_SECONDS/),
    });
  });

  it('does not end a turn while tokens come, and ends it at a silence', () => {
    const timeout = new TurnTimeout(30_000, never);
    for (let token = 0; token < 20; token += 1) {
      jest.advanceTimersByTime(20_000);
      timeout.heard();
    }
    expect(timeout.leftMs).toBe(30_000);
    jest.advanceTimersByTime(29_999);
    expect(timeout.signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(timeout.signal.reason).toMatchObject({ code: 'upstream_timeout' });
  });

  it('does not end a streamed turn while its events come', async () => {
    const timeout = new TurnTimeout(30_000, never);
    let left = 20;
    const next = async () => {
      jest.advanceTimersByTime(20_000);
      timeout.signal.throwIfAborted();
      left -= 1;
      return { done: false, value: [{}] };
    };
    const streamed = { kind: 'stream', headers: {}, events: { next } };
    const upstream = { stream: async () => ({ ...streamed, close: () => {} }) };
    const reply = await postTurn(
      upstream as unknown as UpstreamClient,
      { path: '/responses', body: {} },
      timeout,
      new DeltaEmitter(() => undefined),
      () => ({
        take: () => left === 0,
        reply: () => (left === 0 ? { id: 'whole' } : null),
        reported: undefined,
      }),
    );
    expect(reply).toEqual({ id: 'whole' });
  });

  it('waits ten times as long for a reply that is not streamed, and names the setting', async () => {
    const timeout = new TurnTimeout(30_000, never);
    const turn = postTurn(
      neverReplies(timeout),
      { path: '/responses', body: {} },
      timeout,
      new DeltaEmitter(),
      () => {
        throw new Error('There is no stream');
      },
    );
    const ended = turn.catch((error: unknown) => error);
    jest.advanceTimersByTime(299_999);
    expect(timeout.signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(await ended).toMatchObject({
      code: 'upstream_timeout',
      message: expect.stringMatching(/for 300 s: .* RELAY_TIMEOUT_SECONDS/),
    });
  });

  it('gives a reply that was refused no longer to be asked for again', async () => {
    const timeout = new TurnTimeout(30_000, never);
    const refused = timeout.whole(Promise.reject(new Error('refused')));
    await expect(refused).rejects.toThrow('refused');
    expect(timeout.leftMs).toBe(30_000);
    jest.advanceTimersByTime(30_000);
    expect(timeout.signal.aborted).toBe(true);
  });

  it('ends a turn that never falls silent after an hour', () => {
    const timeout = new TurnTimeout(30_000, never);
    for (let second = 0; second < 3_600; second += 1) {
      expect(timeout.signal.aborted).toBe(false);
      timeout.heard();
      jest.advanceTimersByTime(1_000);
    }
    expect(timeout.signal.reason).toMatchObject({
      code: 'upstream_timeout',
      message: expect.stringContaining('The turn took 3600 s.'),
    });
  });

  it('ends no turn that is over', () => {
    const timeout = new TurnTimeout(30_000, never);
    timeout.heard();
    timeout.stop();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('ends with the reason of its parent', () => {
    const parent = new AbortController();
    const timeout = new TurnTimeout(30_000, parent.signal);
    const reason = new Error('gone');
    parent.abort(reason);
    expect(timeout.signal.reason).toBe(reason);
    timeout.stop();
  });
});
