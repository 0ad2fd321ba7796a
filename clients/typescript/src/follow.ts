import { Clock, sleep } from './clock.js';
import {
  SondeConnectionError,
  SondeError,
  SondeProtocolError,
} from './errors.js';
import { delayOfReconnect, mayPass } from './retry.js';
import { SseParser, type SseFrame } from './sse.js';

export interface EventsOptions {
  /** Begin behind this event instead of at the first. */
  lastEventId?: string;
  /** After so many milliseconds without anything, not even a heartbeat, the connection is taken for dead; 45,000. */
  idleTimeoutMs?: number;
  /** After so many milliseconds in which no connection brought anything, it gives up; 300,000. */
  giveUpAfterMs?: number;
  /** Ends it; it then rejects with the reason of the signal. */
  signal?: AbortSignal;
}

const LAST = ['completed', 'error', 'gap'];

/** A frame whose data is no JSON, or not what its events are. */
export class UnreadableFrame extends SondeError {}

/** Every event once and in order, over as many connections as it takes. */
export async function* follow<E extends { type: string }>(
  open: (lastEventId: string | undefined, clock: Clock) => Promise<Response>,
  read: (frame: SseFrame) => E,
  { lastEventId, signal, ...limits }: EventsOptions = {},
): AsyncGenerator<E, void, undefined> {
  const { idleTimeoutMs: idle = 45_000, giveUpAfterMs = 300_000 } = limits;
  const seen = new Set<string>();
  let last = lastEventId;
  if (last !== undefined) seen.add(last);
  let unreadable: string | undefined;
  let heardAt = Date.now();
  for (let failures = 0; ; failures += 1) {
    const patience = giveUpAfterMs - (Date.now() - heardAt);
    const clock = new Clock(Math.max(1, Math.min(idle, patience)), signal);
    let failure: unknown;
    try {
      const response = await open(last, clock);
      for await (const frame of framesOf(response, clock, idle, () => {
        heardAt = Date.now();
      })) {
        if (frame.id && seen.has(frame.id)) continue;
        const event = read(frame);
        failures = 0;
        if (frame.id !== undefined) last = frame.id || undefined;
        if (frame.id) seen.add(frame.id);
        yield event;
        if (LAST.includes(event.type)) return;
        // How long the reader took is not the service's silence.
        heardAt = Date.now();
      }
    } catch (thrown) {
      failure = clock.errorOf(thrown);
      if (signal?.aborted) throw failure;
      if (failure instanceof UnreadableFrame) {
        const place = `after ${last ?? 'the start'}`;
        if (unreadable === place)
          throw new SondeProtocolError(`malformed events ${place}`);
        unreadable = place;
      } else if (!mayPass(failure)) throw failure;
    } finally {
      clock.abort();
    }
    const delay = delayOfReconnect(failures, failure);
    if (Date.now() + delay - heardAt >= giveUpAfterMs)
      throw new SondeConnectionError(
        `no events for ${giveUpAfterMs / 1000} s; the run may still be in progress`,
      );
    await sleep(delay, signal);
  }
}

/** The frames of one connection; it is left where nothing comes for `idleMs`. */
export async function* framesOf(
  response: Response,
  clock: Clock,
  idleMs: number,
  heard: () => void = () => undefined,
): AsyncGenerator<SseFrame, void, undefined> {
  const reader = response.body!.getReader();
  const parser = new SseParser();
  for (;;) {
    clock.restart(idleMs);
    const { done, value } = await reader.read();
    if (done) return;
    heard();
    clock.hold();
    for (const frame of parser.push(value)) {
      if (clock.signal.aborted) throw clock.signal.reason;
      yield frame;
    }
  }
}

/** The JSON of a frame. */
export function dataOf({ data }: SseFrame): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch {
    throw new UnreadableFrame('an event is not valid JSON');
  }
}
