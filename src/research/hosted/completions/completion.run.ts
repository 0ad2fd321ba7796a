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

/** How the ids of runs begin that no endpoint can be asked for: only the connection that bought one knows it. */
const HELD = 'chat:';
const REST_MS = 10_000;

interface HeldCompletion {
  upstreamId: string;
  attemptId?: string;
  background: boolean;
  stream?: EventStream<ResponseStreamEvent>;
  response?: Response;
}

export const isHeldOnly = (upstreamId: string): boolean =>
  upstreamId.startsWith(HELD);

/** The endpoint has begun: whatever becomes of the connection, this run is never bought again. */
export function boughtCompletion(
  reply: StreamReply<unknown>,
  attemptId: string,
  model: string,
): HeldCompletion {
  const upstreamId = `${HELD}${attemptId}`;
  const events = new CompletionEvents(upstreamId, model);
  const bought = { upstreamId, attemptId, background: false };
  if (reply.kind === 'json')
    return { ...bought, response: events.whole(reply.body) };
  const chunks = reply.events as AsyncIterator<never[]>;
  const { close } = reply;
  return { ...bought, stream: { events: events.of(chunks), close } };
}

/** Reads a run that lives in its connection alone, to its end. */
@Injectable()
export class CompletionRun {
  /**
   * @throws AppError `upstream_response_gone` if the connection is lost, or was another worker's; RunLost; the signal's
   * reason.
   */
  async toEnd(
    { stream, response }: Pick<HeldCompletion, 'stream' | 'response'>,
    journal: HostedRunWriter,
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
        const ended = await journal.take(batch.value);
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
    // One that fails after the run has stopped interests nobody.
    next.catch(() => undefined);
    return next;
  }
}
