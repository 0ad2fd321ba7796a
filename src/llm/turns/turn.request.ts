import { refusesImages, withoutImages } from '../models/refusals';
import { withRetries } from '../upstream/retry';
import type { DeltaEmitter } from './delta.emitter';
import type { TurnTimeout } from './turn-timeout';
import type { UpstreamCall, UpstreamClient } from '../upstream/upstream.client';
import { UpstreamError } from '../upstream/upstream.error';

/** Tells what one streamed turn says, and puts together the reply that it stands for. */
export interface TurnReader<Event, Reply> {
  /**
   * True once the reply is whole and nothing belongs to it any more.
   * @throws UpstreamError for an error within the stream.
   */
  take(event: Event): boolean;
  /** Null while the turn has not come to its end. */
  reply(): Reply | null;
}

type Post = Omit<UpstreamCall, 'method' | 'signal'> & { body: object };

/**
 * Asks for one turn of a model, and again if that failed in passing, or without its images if it was refused for them; but
 * never once something of it was told, or a hosted tool may have been called for it. A stream that does not come to its
 * end is a failure, whatever it brought.
 * @throws UpstreamError, or the reason of the clock's signal.
 */
export async function postTurn<Event, Reply extends object>(
  upstream: UpstreamClient,
  post: Post,
  clock: TurnTimeout,
  telling: DeltaEmitter,
  begin: () => TurnReader<Event, Reply>,
): Promise<Reply> {
  try {
    return await repeated(upstream, post, clock, telling, begin);
  } catch (error) {
    if (!telling.quiet || !refusesImages(error, post.body)) throw error;
    const blind = { ...post, body: withoutImages(post.body) };
    return repeated(upstream, blind, clock, telling, begin);
  }
}

function repeated<Event, Reply extends object>(
  upstream: UpstreamClient,
  post: Post,
  clock: TurnTimeout,
  telling: DeltaEmitter,
  begin: () => TurnReader<Event, Reply>,
): Promise<Reply> {
  const call = { ...post, method: 'POST' as const, signal: clock.signal };
  return withRetries(
    clock,
    async () => {
      if (!telling.streams) return replyIn<Reply>(await upstream.json(call));
      telling.retakeTurn();
      const body = { ...post.body, stream: true };
      const streamed = await upstream.stream<Event>({ ...call, body });
      if (streamed.kind === 'json') return replyIn<Reply>(streamed.body);
      try {
        return await read(streamed.events, begin());
      } finally {
        streamed.close();
      }
    },
    (error) =>
      telling.quiet && !(mayHaveActed(error) && offersHosted(post.body)),
  );
}

function mayHaveActed(error: unknown): boolean {
  return !(error instanceof UpstreamError) || error.effect === 'unknown';
}

/** Whether the endpoint may search or compute for the turn: charged by the call, and not always without effects. */
function offersHosted({ tools }: { tools?: unknown }): boolean {
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
  // What breaks after its end has lost nothing.
  const reply = reader.reply();
  if (reply) return reply;
  throw failure ?? new UpstreamError('upstream_error', 'unknown');
}

function replyIn<Reply extends object>(body: unknown): Reply {
  if (typeof body === 'object' && body !== null) return body as Reply;
  throw new UpstreamError('upstream_error', 'unknown');
}
