import type { Spending } from '../prices/spending';
import { report } from '../../platform/metrics/facts';
import { refusesImages, withoutImages } from '../models/refusals';
import type { Span } from '../../platform/tracing/tracing';
import { describeReply, modelCall } from '../upstream/model-span';
import { withRetries } from '../upstream/retry';
import type { DeltaEmitter } from './delta-emitter';
import { seenTokens } from './seen-tokens';
import type { TurnTimeout } from './turn-timeout';
import {
  costIn,
  costInHeader,
  labelIn,
  tokensIn,
} from '../upstream/reply-fields';
import type { UpstreamClient } from '../upstream/upstream.client';
import { frameError, UpstreamError } from '../upstream/upstream-error';

/** Reads one streamed turn: emits its deltas and builds the complete reply. */
export interface TurnReader<Event, Reply> {
  /**
   * Returns true once the reply is complete.
   * @throws UpstreamError for an error in the stream.
   */
  take(event: Event): boolean;
  /** Null until the turn is complete. */
  reply(): Reply | null;
  /** The model and the usage of the turn; undefined while the stream reports neither its end nor its usage. */
  readonly reported: Reported | undefined;
}

/** The parts of a reply that decide what it cost. */
interface Reported {
  model?: unknown;
  usage?: unknown;
}

interface TurnPost {
  path: string;
  body: object;
  /** Receives the cost of every reply, also of one that is not used. */
  spending?: Spending;
}

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
  const { path, body } = post;
  const { signal } = timeout;
  const once = hasHostedTools(body);
  const call = { method: 'POST' as const, path, body, signal, once };
  const attempt = async (span: Span): Promise<Reply> => {
    if (!emitter.streams) {
      const whole = timeout.whole(upstream.reply(call));
      const { body: reply, headers } = await whole;
      settle(post, Object(reply) as Reported, costInHeader(headers), span);
      return replyIn<Reply>(reply);
    }
    emitter.restartTurn();
    const streamed = await upstream.stream<Event>({
      ...call,
      body: { ...body, stream: true },
    });
    const inHeader = costInHeader(streamed.headers);
    if (streamed.kind === 'json') {
      settle(post, Object(streamed.body) as Reported, inHeader, span);
      return replyIn<Reply>(streamed.body);
    }
    const reader = newReader();
    try {
      return await read(streamed.events, reader, timeout);
    } finally {
      // The headers of a stream are sent before its cost is known: zero means nothing there.
      const reported = reader.reported ?? seenOf(body, emitter);
      if (reported) settle(post, reported, inHeader || undefined, span);
      streamed.close();
    }
  };
  const { model } = body as Reported;
  return withRetries(
    timeout,
    () => modelCall(String(model), attempt),
    (error) => emitter.unsent && !(mayHaveStarted(error) && once),
  );
}

/** Adds the cost of a reply to the spending of the chat, and what it reports to its span. */
function settle(
  { spending, body }: TurnPost,
  { model, usage }: Reported,
  inHeader: number | undefined,
  span: Span,
): void {
  describeReply(span, { model, usage });
  const names = [(body as Reported).model, model];
  const models = names.flatMap((name) => labelIn(name) ?? []);
  const paid = spending?.add({
    usd: inHeader ?? costIn(usage),
    tokens: tokensIn(usage),
    models,
  });
  if (paid && paid.usd !== null)
    report('chat_paid', {
      model: models[0],
      usd: paid.usd,
      source: paid.source,
    });
}

/** Of a turn that broke off, or that its caller has left; undefined if nothing of it was seen. */
function seenOf(body: object, emitter: DeltaEmitter): Reported | undefined {
  const usage = seenTokens(body, emitter);
  return usage && { usage };
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
  timeout: TurnTimeout,
): Promise<Reply> {
  let failure: unknown;
  try {
    for (;;) {
      const { done, value } = await events.next();
      timeout.heard();
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
  const isReply = typeof body === 'object' && body !== null;
  const isEmpty = isReply && !('choices' in body) && !('output' in body);
  const error = isEmpty ? frameError(body) : null;
  if (error) throw error;
  if (isReply) return body as Reply;
  throw new UpstreamError('upstream_error', 'unknown');
}
