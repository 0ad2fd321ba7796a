import { Clock, type CallOptions } from './clock.js';
import { SondeConnectionError } from '../errors.js';
import { reconnectDelay, isTransient } from './retry.js';

/** Longest time that one request asks the service to delay its reply, in seconds. */
const MAX_POLL_SECONDS = 50;
/** Time added to each request for the network, in milliseconds. */
const NETWORK_ALLOWANCE_MS = 15_000;
/** Milliseconds without any reply after which polling fails. */
const GIVE_UP_AFTER_MS = 300_000;

/**
 * Polls until `isFinal` returns true, retrying after broken connections. `poll` receives the seconds that the service
 * may delay its reply. `pauseOf` returns the milliseconds between the nth poll, which took `tookMs`, and the next.
 */
export async function pollUntil<R>(
  poll: (seconds: number, options: CallOptions) => Promise<R>,
  isFinal: (reply: R) => boolean,
  pauseOf: (n: number, tookMs: number) => number,
  { timeoutMs = 3_600_000, signal }: CallOptions = {},
): Promise<R> {
  const clock = new Clock(timeoutMs, signal);
  let lastReplyAt = Date.now();
  let failures = 0;
  try {
    for (let n = 0; ; n += 1) {
      const { remaining } = clock;
      const seconds = Math.max(
        1,
        Math.min(MAX_POLL_SECONDS, Math.ceil(remaining / 1000)),
      );
      const began = Date.now();
      try {
        const reply = await poll(seconds, {
          timeoutMs: Math.max(
            1,
            Math.min(remaining, seconds * 1000 + NETWORK_ALLOWANCE_MS),
          ),
          signal,
        });
        if (isFinal(reply)) return reply;
        lastReplyAt = Date.now();
        failures = 0;
        await clock.sleep(pauseOf(n, lastReplyAt - began));
      } catch (error) {
        if (signal?.aborted || !isTransient(error)) throw error;
        if (clock.remaining === 0) throw clock.timeout();
        if (Date.now() - lastReplyAt >= GIVE_UP_AFTER_MS)
          throw new SondeConnectionError(
            `no response for ${GIVE_UP_AFTER_MS / 1000} s; work already started may continue`,
          );
        await clock.sleep(reconnectDelay(failures, error));
        failures += 1;
      }
    }
  } finally {
    clock.stop();
  }
}
