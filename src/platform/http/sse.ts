import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  resetKeepAlive,
  startKeepAlive,
  stopKeepAlive,
} from './sse-keep-alive';

export interface SseFrame {
  id?: string;
  /** Absent in a protocol whose frames are data alone. */
  event?: string;
  data?: unknown;
  /** `data` as JSON, so that an event with a thousand subscribers is serialised once. */
  json?: string;
}

export interface EventStreamOptions {
  /** Ends the stream with a comment, e.g. at shutdown. The client reconnects with its last id. */
  signal?: AbortSignal;
}

/**
 * Opens an event stream and sends every frame. Errors must be raised before: after this call the status is 200.
 * Resolves when the frames end, the client disconnects or `signal` aborts; the last two also stop the iterator. An
 * error of the iterator closes the connection without an end, so that the client reconnects, and is rethrown.
 */
export async function sendEventStream(
  request: FastifyRequest,
  reply: FastifyReply,
  frames: AsyncIterable<SseFrame>,
  { signal }: EventStreamOptions = {},
): Promise<void> {
  reply.hijack();
  const response = reply.raw;
  response.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  response.flushHeaders();
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  request.raw.socket.setNoDelay(true);
  const interruption = new Interruption(response, signal);
  startKeepAlive(response);
  try {
    await sendFrames(frames, response, interruption);
    if (signal?.aborted && !response.destroyed)
      // An idle connection would delay the shutdown.
      response.end(': the server is shutting down\n\n', () =>
        request.raw.socket.end(),
      );
    else response.end();
  } catch (error) {
    response.destroy();
    throw error;
  } finally {
    stopKeepAlive(response);
    interruption.dispose();
  }
}

async function sendFrames(
  frames: AsyncIterable<SseFrame>,
  response: ServerResponse,
  interruption: Interruption,
): Promise<void> {
  const iterator = frames[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await interruption.race(iterator.next());
      if (step === undefined) break;
      if (step.done) return;
      resetKeepAlive(response);
      if (response.write(encodeFrame(step.value))) continue;
      await interruption.race(drained(response));
      if (interruption.interrupted) break;
    }
  } catch (error) {
    stop(iterator);
    throw error;
  }
  stop(iterator);
}

/** Not awaited: a generator that waits for its next event ends only when that event arrives. */
function stop(iterator: AsyncIterator<SseFrame>): void {
  // An error of its cleanup has no receiver any more.
  iterator.return?.().catch(() => undefined);
}

function encodeFrame({ id, event, data, json }: SseFrame): string {
  if (/[\r\n]/.test(event ?? '') || (id !== undefined && /[\r\n\0]/.test(id)))
    throw new TypeError('The id or event of a frame holds a line break.');
  const head =
    (id === undefined ? '' : `id: ${id}\n`) +
    (event === undefined ? '' : `event: ${event}\n`);
  return `${head}data: ${json ?? JSON.stringify(data ?? null)}\n\n`;
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once('drain', resolve));
}

/** Interrupts a wait when the client disconnects or the signal aborts. */
class Interruption {
  interrupted = false;
  private resolveEarly: () => void = () => undefined;
  private readonly onInterrupt = (): void => {
    this.interrupted = true;
    this.resolveEarly();
  };

  constructor(
    private readonly response: ServerResponse,
    private readonly signal?: AbortSignal,
  ) {
    if (signal?.aborted || response.destroyed) this.interrupted = true;
    response.once('close', this.onInterrupt);
    signal?.addEventListener('abort', this.onInterrupt, { once: true });
  }

  /** `Promise.race` with one long-lived promise would keep every wait of a long stream in memory. */
  race<T>(wait: Promise<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      wait.then(resolve, reject);
      this.resolveEarly = () => resolve(undefined);
      if (this.interrupted) this.resolveEarly();
    });
  }

  dispose(): void {
    this.response.removeListener('close', this.onInterrupt);
    this.signal?.removeEventListener('abort', this.onInterrupt);
  }
}
