import { refusesImages, withoutImages } from '../models/refusals';
import { withRetries } from '../upstream/retry';
import type { DeltaEmitter } from './delta.emitter';
import type { TurnTimeout } from './turn-timeout';
import type { UpstreamCall, UpstreamClient } from '../upstream/upstream.client';
import { UpstreamError } from '../upstream/upstream.error';

/** Reads one streamed turn: emits its deltas and builds the complete reply. */
export interface TurnReader<Event, Reply> {
  /**
   * Returns true once the reply is complete.
   * @throws UpstreamError for an error in the stream.
   */
  take(event: Event): boolean;
  /** Null until the turn is complete. */
  reply(): Reply | null;
}

type TurnPost = Omit<UpstreamCall, 'method' | 'signal'> & { body: object };

/**
 * Requests one turn of a model. Repeats it after a temporary failure, and without its images if they were refused; but
 * never after a delta was sent, or if a hosted tool may have run. A stream that breaks off is a failure, whatever it
 * contained.
 * @throws UpstreamError, or the reason of the timeout's signal.
 */
export async function postTurn<Event, Reply extends object>(
  upstream: UpstreamClient,
  post: TurnPost,
  timeout: TurnTimeout,
  emitter: DeltaEmitter,
  newReader: () => TurnReader<Event, Reply>,
): Promise<Reply> {
  try {
    return await postWithRetries(upstream, post, timeout, emitter, newReader);
  } catch (error) {
    if (!emitter.unsent || !refusesImages(error, post.body)) throw error;
    const imageless = { ...post, body: withoutImages(post.body) };
    return postWithRetries(upstream, imageless, timeout, emitter, newReader);
  }
}

function postWithRetries<Event, Reply extends object>(
  upstream: UpstreamClient,
  post: TurnPost,
  timeout: TurnTimeout,
  emitter: DeltaEmitter,
  newReader: () => TurnReader<Event, Reply>,
): Promise<Reply> {
  const call = { ...post, method: 'POST' as const, signal: timeout.signal };
  return withRetries(
    timeout,
    async () => {
      if (!emitter.streams) return replyIn<Reply>(await upstream.json(call));
      emitter.restartTurn();
      const body = { ...post.body, stream: true };
      const streamed = await upstream.stream<Event>({ ...call, body });
      if (streamed.kind === 'json') return replyIn<Reply>(streamed.body);
      try {
        return await read(streamed.events, newReader());
      } finally {
        streamed.close();
      }
    },
    (error) =>
      emitter.unsent && !(mayHaveStarted(error) && hasHostedTools(post.body)),
  );
}

function mayHaveStarted(error: unknown): boolean {
  return !(error instanceof UpstreamError) || error.effect === 'unknown';
}

/** Whether the request contains hosted tools: they are charged per call and may have effects. */
function hasHostedTools({ tools }: { tools?: unknown }): boolean {
  return (
    Array.isArray(tools) &&
    tools.some((tool: { type?: unknown }) => tool?.type !== 'function')
  );
}

async function read<Event, Reply>(
  events: AsyncIterator<Event[]>,
  reader: TurnReader<Event, Reply>,
): Promise<Reply> {
  let failure: unknown;
  try {
    for (;;) {
      const { done, value } = await events.next();
      if (done || value.some((event) => reader.take(event))) break;
    }
  } catch (error) {
    failure = error;
  }
  // A connection that breaks after the end of the turn loses nothing.
  const reply = reader.reply();
  if (reply) return reply;
  throw failure ?? new UpstreamError('upstream_error', 'unknown');
}

function replyIn<Reply extends object>(body: unknown): Reply {
  if (typeof body === 'object' && body !== null) return body as Reply;
  throw new UpstreamError('upstream_error', 'unknown');
}
