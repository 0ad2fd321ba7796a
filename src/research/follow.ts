import { Injectable } from '@nestjs/common';
import type { Response } from 'openai/resources/responses/responses';
import { AppError } from '../errors';
import { type EventStream, UpstreamClient } from '../llm/upstream.client';
import { UpstreamError } from '../llm/upstream.error';
import { backoff, pause } from '../llm/backoff';
import type { RunJournal } from './run.journal';
import type { Bought } from './submit';

const POLL_FIRST_MS = 1_000;
const POLL_MOST_MS = 10_000;
/** After so long a silence of the stream, the response itself is looked at. */
const SILENCE_MS = 30_000;
/** Streams that were opened again in vain before only polling is left. */
const MAX_EMPTY_STREAMS = 3;

/**
 * Follows a run to its end: by its stream while there is one, for that is where progress and text come from, else by
 * asking. The response is the truth; whatever happens to a stream is no failure of the run.
 */
@Injectable()
export class Follow {
  constructor(private readonly upstream: UpstreamClient) {}

  /** @throws AppError if the run cannot be known any more, RunLost, or the signal's reason. */
  async toEnd(
    bought: Bought,
    journal: RunJournal,
    signal: AbortSignal,
  ): Promise<Response> {
    const { upstreamId, response } = bought;
    if (response && isOver(response)) return response;
    let { stream } = bought;
    let empty = 0;
    for (let poll = 0; ; poll += 1) {
      if (stream) {
        const before = journal.upstreamSeq;
        const ended = await this.read(upstreamId, stream, journal, signal);
        if (ended) return ended;
        empty = journal.upstreamSeq === before ? empty + 1 : 0;
        if (empty === 0) poll = 0;
      }
      const current = await this.ask(upstreamId, signal);
      if (isOver(current)) return current;
      const reopened =
        empty < MAX_EMPTY_STREAMS
          ? await this.reopen(upstreamId, journal, signal)
          : 'refused';
      stream = typeof reopened === 'object' ? reopened : undefined;
      if (reopened === 'refused') empty = MAX_EMPTY_STREAMS;
      if (reopened === 'failed') empty += 1;
      if (!stream || empty > 0)
        await pause(backoff(poll, POLL_FIRST_MS, POLL_MOST_MS), signal);
      signal.throwIfAborted();
    }
  }

  /** Asks for the response until there is an answer. A blip is no answer; a definite refusal is. */
  async ask(upstreamId: string, signal: AbortSignal): Promise<Response> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const path = `/responses/${encodeURIComponent(upstreamId)}`;
        return await this.upstream.json<Response>({
          method: 'GET',
          path,
          signal,
        });
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        if (error.fault.status === 404)
          throw new AppError('upstream_response_gone', undefined, {
            cause: error,
          });
        if (error.definite) throw error;
        await pause(
          error.fault.retryAfterMs ??
            backoff(attempt, POLL_FIRST_MS, POLL_MOST_MS),
          signal,
        );
        signal.throwIfAborted();
      }
    }
  }

  /** Asks the upstream to stop until it answers. Answers what became of the run, if the upstream says so. */
  async cancel(
    upstreamId: string,
    signal: AbortSignal,
  ): Promise<Response | undefined> {
    const path = `/responses/${encodeURIComponent(upstreamId)}`;
    for (let attempt = 0; ; attempt += 1) {
      try {
        await this.upstream.json({
          method: 'POST',
          path: `${path}/cancel`,
          signal,
        });
        break;
      } catch (error) {
        if (!(error instanceof UpstreamError)) return undefined;
        // A run that has ended in the meantime cannot be cancelled; how it ended is asked next.
        if (error.definite) break;
        await pause(backoff(attempt, POLL_FIRST_MS, POLL_MOST_MS), signal);
      }
    }
    return this.ask(upstreamId, signal).catch(() => undefined);
  }

  /** Reads to the end of the stream, or of the run. Looks at the response when the stream falls silent. */
  private async read(
    upstreamId: string,
    { events, close }: EventStream,
    journal: RunJournal,
    signal: AbortSignal,
  ): Promise<Response | undefined> {
    try {
      let next = events.next();
      for (;;) {
        const batch = await within(SILENCE_MS, next, signal);
        signal.throwIfAborted();
        if (batch === 'silent') {
          const current = await this.ask(upstreamId, signal);
          if (isOver(current)) return current;
          continue;
        }
        if (batch.done) return undefined;
        const ended = await journal.take(batch.value);
        if (ended && isOver(ended)) return ended;
        next = events.next();
      }
    } catch (error) {
      if (error instanceof UpstreamError) return undefined;
      throw error;
    } finally {
      close();
    }
  }

  /** The stream from where it broke off. `refused`: the upstream has none to give, now or later. */
  private async reopen(
    upstreamId: string,
    { upstreamSeq, isEmpty }: RunJournal,
    signal: AbortSignal,
  ): Promise<EventStream | 'refused' | 'failed'> {
    // A stream without numbers cannot be resumed, only read from its start.
    if (upstreamSeq === undefined && !isEmpty) return 'refused';
    const after =
      upstreamSeq === undefined ? '' : `&starting_after=${upstreamSeq}`;
    const path = `/responses/${encodeURIComponent(upstreamId)}?stream=true${after}`;
    try {
      const reply = await this.upstream.stream({ method: 'GET', path, signal });
      return reply.kind === 'stream' ? reply : 'refused';
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      return error.definite ? 'refused' : 'failed';
    }
  }
}

/** The four ends of a response. Any other status, known or not, is not one. */
function isOver({ status }: Response): boolean {
  return ['completed', 'failed', 'cancelled', 'incomplete'].includes(
    status ?? '',
  );
}

/** What `promise` gives, or `silent` after `ms` or when `signal` aborts. */
async function within<T>(
  ms: number,
  promise: Promise<T>,
  signal: AbortSignal,
): Promise<T | 'silent'> {
  const patience = new AbortController();
  const giveUp = (): void => patience.abort();
  signal.addEventListener('abort', giveUp);
  try {
    const silent = pause(ms, patience.signal).then(() => 'silent' as const);
    // Without a reader left, a read that fails later must not count as unhandled.
    promise.catch(() => undefined);
    if (signal.aborted) return 'silent';
    return await Promise.race([promise, silent]);
  } finally {
    signal.removeEventListener('abort', giveUp);
    giveUp();
  }
}
