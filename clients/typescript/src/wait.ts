import { Clock, type CallOptions } from './clock.js';
import { SondeConnectionError } from './errors.js';
import { delayOfReconnect, mayPass } from './retry.js';

/** How long one request may ask the service to hold its reply, in seconds. */
const LONGEST_POLL = 60;
/** What a reply may take on its way, in milliseconds. */
const ON_ITS_WAY = 15_000;
/** After so many milliseconds without any reply, nobody is there. */
const GIVE_UP_AFTER = 300_000;

/**
 * Polls until `isFinal`, also over broken connections. `poll` is told how many seconds the service may hold its reply;
 * `pauseOf` says how many milliseconds to leave between the nth poll, which took `tookMs`, and the next.
 */
export async function untilFinal<R>(
  poll: (seconds: number, options: CallOptions) => Promise<R>,
  isFinal: (reply: R) => boolean,
  pauseOf: (n: number, tookMs: number) => number,
  { timeoutMs = 3_600_000, signal }: CallOptions = {},
): Promise<R> {
  const clock = new Clock(timeoutMs, signal);
  let heardAt = Date.now();
  let failures = 0;
  try {
    for (let n = 0; ; n += 1) {
      const { rest } = clock;
      const seconds = Math.max(
        1,
        Math.min(LONGEST_POLL, Math.ceil(rest / 1000)),
      );
      const began = Date.now();
      try {
        const reply = await poll(seconds, {
          timeoutMs: Math.max(1, Math.min(rest, seconds * 1000 + ON_ITS_WAY)),
          signal,
        });
        if (isFinal(reply)) return reply;
        heardAt = Date.now();
        failures = 0;
        await clock.sleep(pauseOf(n, heardAt - began));
      } catch (error) {
        if (signal?.aborted || !mayPass(error)) throw error;
        if (clock.rest === 0) throw clock.timeout();
        if (Date.now() - heardAt >= GIVE_UP_AFTER)
          throw new SondeConnectionError(
            `no response for ${GIVE_UP_AFTER / 1000} s; work already started may continue`,
          );
        await clock.sleep(delayOfReconnect(failures, error));
        failures += 1;
      }
    }
  } finally {
    clock.stop();
  }
}
