import { Clock, sleep } from './clock.js';
import {
  SondeConnectionError,
  SondeError,
  SondeProtocolError,
} from '../errors.js';
import { reconnectDelay, isTransient } from './retry.js';
import { SseParser, type SseFrame } from './sse.js';

export interface EventsOptions {
  /** Start after this event instead of at the first. */
  lastEventId?: string;
  /** Milliseconds without any bytes, heartbeats included, after which a connection is closed and reopened; 45,000. */
  idleTimeoutMs?: number;
  /** Milliseconds without any bytes on any connection after which the iteration fails; 300,000. */
  giveUpAfterMs?: number;
  /** Ends the iteration, which then rejects with the reason of the signal. */
  signal?: AbortSignal;
}

const TERMINAL_EVENTS = ['completed', 'error', 'gap'];

/** The data of a frame is not valid JSON, or not of the form of its event type. */
export class MalformedFrame extends SondeError {}

/** Yields every event once and in order, reconnecting as often as needed. */
export async function* follow<E extends { type: string }>(
  connect: (lastEventId: string | undefined, clock: Clock) => Promise<Response>,
  parse: (frame: SseFrame) => E,
  { lastEventId, signal, ...limits }: EventsOptions = {},
): AsyncGenerator<E, void, undefined> {
  const { idleTimeoutMs: idle = 45_000, giveUpAfterMs = 300_000 } = limits;
  const seen = new Set<string>();
  let lastSeenId = lastEventId;
  if (lastSeenId !== undefined) seen.add(lastSeenId);
  let malformed: string | undefined;
  let lastReceivedAt = Date.now();
  for (let failures = 0; ; failures += 1) {
    const remaining = giveUpAfterMs - (Date.now() - lastReceivedAt);
    const clock = new Clock(Math.max(1, Math.min(idle, remaining)), signal);
    let failure: unknown;
    try {
      const response = await connect(lastSeenId, clock);
      for await (const frame of framesOf(response, clock, idle, () => {
        lastReceivedAt = Date.now();
      })) {
        if (frame.id && seen.has(frame.id)) continue;
        const event = parse(frame);
        failures = 0;
        if (frame.id !== undefined) lastSeenId = frame.id || undefined;
        if (frame.id) seen.add(frame.id);
        yield event;
        if (TERMINAL_EVENTS.includes(event.type)) return;
        // Time that the consumer took does not count as silence of the service.
        lastReceivedAt = Date.now();
      }
    } catch (thrown) {
      failure = clock.errorOf(thrown);
      if (signal?.aborted) throw failure;
      if (failure instanceof MalformedFrame) {
        const place = `after ${lastSeenId ?? 'the start'}`;
        if (malformed === place)
          throw new SondeProtocolError(`malformed events ${place}`);
        malformed = place;
      } else if (!isTransient(failure)) throw failure;
    } finally {
      clock.abort();
    }
    const delay = reconnectDelay(failures, failure);
    if (Date.now() + delay - lastReceivedAt >= giveUpAfterMs)
      throw new SondeConnectionError(
        `no events for ${giveUpAfterMs / 1000} s; the run may still be in progress`,
      );
    await sleep(delay, signal);
  }
}

/** The frames of one connection. Throws if no bytes arrive for `idleMs`. */
export async function* framesOf(
  response: Response,
  clock: Clock,
  idleMs: number,
  onBytes: () => void = () => undefined,
): AsyncGenerator<SseFrame, void, undefined> {
  const reader = response.body!.getReader();
  const parser = new SseParser();
  for (;;) {
    clock.restart(idleMs);
    const { done, value } = await reader.read();
    if (done) return;
    onBytes();
    clock.pause();
    for (const frame of parser.push(value)) {
      if (clock.signal.aborted) throw clock.signal.reason;
      yield frame;
    }
  }
}

/** Parses the data of a frame as JSON. */
export function dataOf({ data }: SseFrame): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch {
    throw new MalformedFrame('an event is not valid JSON');
  }
}
