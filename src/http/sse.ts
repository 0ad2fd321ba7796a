import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  resetKeepAlive,
  startKeepAlive,
  stopKeepAlive,
} from './sse-keep-alive';

export interface SseFrame {
  id?: string;
  event: string;
  data?: unknown;
  /** `data` as JSON already, so that a thousand followers of one event do not serialise it a thousand times. */
  json?: string;
}

export interface EventStreamOptions {
  /** Ends the stream politely, e.g. at shutdown. The client reconnects with its last id. */
  signal?: AbortSignal;
}

/**
 * Opens an event stream and sends every frame. Refuse first: once this is called the status is 200. Resolves when the
 * frames end, the client goes away or `signal` aborts; in the latter two the iterator is told to stop. An error of the
 * iterator cuts the connection without an end, so that the client reconnects, and is thrown on.
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
    await pump(frames, response, interruption);
    if (signal?.aborted && !response.destroyed)
      // An idle connection would keep the server from closing.
      response.end(': the server is going away\n\n', () =>
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

async function pump(
  frames: AsyncIterable<SseFrame>,
  response: ServerResponse,
  interruption: Interruption,
): Promise<void> {
  const iterator = frames[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await interruption.or(iterator.next());
      if (step === undefined) break;
      if (step.done) return;
      resetKeepAlive(response);
      if (response.write(encodeFrame(step.value))) continue;
      await interruption.or(drained(response));
      if (interruption.happened) break;
    }
  } catch (error) {
    stop(iterator);
    throw error;
  }
  stop(iterator);
}

/** Not awaited: a generator that waits for its next event ends only when that one comes. */
function stop(iterator: AsyncIterator<SseFrame>): void {
  // Nobody is left to tell about a fault of its clean-up.
  iterator.return?.().catch(() => undefined);
}

function encodeFrame({ id, event, data, json }: SseFrame): string {
  if (/[\r\n]/.test(event) || (id !== undefined && /[\r\n\0]/.test(id)))
    throw new TypeError('The id or event of a frame holds a line break.');
  const head = id === undefined ? '' : `id: ${id}\n`;
  return `${head}event: ${event}\ndata: ${json ?? JSON.stringify(data ?? null)}\n\n`;
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once('drain', resolve));
}

/** The client going away or the signal, as something a wait can be cut short by. */
class Interruption {
  happened = false;
  private leave: () => void = () => undefined;
  private readonly interrupt = (): void => {
    this.happened = true;
    this.leave();
  };

  constructor(
    private readonly response: ServerResponse,
    private readonly signal?: AbortSignal,
  ) {
    if (signal?.aborted || response.destroyed) this.happened = true;
    response.once('close', this.interrupt);
    signal?.addEventListener('abort', this.interrupt, { once: true });
  }

  /** Not `Promise.race` with one long promise: that would keep every wait of a long stream in memory. */
  or<T>(wait: Promise<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      wait.then(resolve, reject);
      this.leave = () => resolve(undefined);
      if (this.happened) this.leave();
    });
  }

  dispose(): void {
    this.response.removeListener('close', this.interrupt);
    this.signal?.removeEventListener('abort', this.interrupt);
  }
}
