import { Injectable } from '@nestjs/common';
import type {
  Response,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { AppError } from '../../../errors';
import type {
  EventStream,
  StreamReply,
} from '../../../llm/upstream/upstream.client';
import { UpstreamError } from '../../../llm/upstream/upstream.error';
import type { ActiveRun } from '../../../runs/worker/active-run';
import { CompletionEvents } from './completion.events';
import type { HostedRunWriter } from '../hosted-run.writer';

/** The prefix of the ids of runs that no endpoint stores: only the connection that purchased one can read it. */
const PREFIX = 'chat:';
const REST_MS = 10_000;

interface PurchasedCompletion {
  upstreamId: string;
  attemptId?: string;
  background: boolean;
  stream?: EventStream<ResponseStreamEvent>;
  response?: Response;
}

export const isConnectionBound = (upstreamId: string): boolean =>
  upstreamId.startsWith(PREFIX);

/** The endpoint has begun: whatever happens to the connection, this run is never purchased again. */
export function purchasedCompletion(
  reply: StreamReply<unknown>,
  attemptId: string,
  model: string,
): PurchasedCompletion {
  const upstreamId = `${PREFIX}${attemptId}`;
  const events = new CompletionEvents(upstreamId, model);
  const purchased = { upstreamId, attemptId, background: false };
  if (reply.kind === 'json')
    return { ...purchased, response: events.whole(reply.body) };
  const chunks = reply.events as AsyncIterator<never[]>;
  const { close } = reply;
  return { ...purchased, stream: { events: events.of(chunks), close } };
}

/** Reads a run that is bound to its connection to its end. */
@Injectable()
export class CompletionRun {
  /**
   * @throws AppError `upstream_response_gone` if the connection is lost, or belonged to another worker; RunLost; the signal's
   * reason.
   */
  async toEnd(
    { stream, response }: Pick<PurchasedCompletion, 'stream' | 'response'>,
    writer: HostedRunWriter,
    run: ActiveRun,
  ): Promise<Response> {
    if (response) return response;
    if (!stream) throw new AppError('upstream_response_gone');
    const { events, close } = stream;
    try {
      for (let next = this.read(events); ;) {
        const batch = await run.rest(REST_MS, next);
        run.signal.throwIfAborted();
        if (typeof batch === 'string') continue;
        if (batch.done) throw new AppError('upstream_response_gone');
        const ended = await writer.appendEvents(batch.value);
        if (ended) return ended;
        next = this.read(events);
      }
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      throw new AppError('upstream_response_gone', undefined, { cause: error });
    } finally {
      close();
      void events.return?.();
    }
  }

  private read(
    events: AsyncIterator<ResponseStreamEvent[]>,
  ): Promise<IteratorResult<ResponseStreamEvent[]>> {
    const next = events.next();
    // A read that fails after the run was stopped is not an unhandled rejection.
    next.catch(() => undefined);
    return next;
  }
}
