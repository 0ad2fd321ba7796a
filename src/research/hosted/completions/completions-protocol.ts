import { Injectable } from '@nestjs/common';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type {
  Response,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { AppError } from '../../../platform/errors';
import type { StreamReply } from '../../../llm/upstream/upstream.client';
import { UpstreamError } from '../../../llm/upstream/upstream-error';
import type { ActiveRun } from '../../../runs/worker/active-run';
import type { HostedRunWriter } from '../record/hosted-run-writer';
import type {
  CreateRequest,
  PurchasedRun,
  ResearchProtocol,
} from '../research-protocol';
import { CompletionEvents } from './completion-events';
import { buildCompletionRequest } from './build-completion';

/** The prefix of the ids of runs that no endpoint stores: only the connection that purchased one can read it. */
const PREFIX = 'chat:';
const REST_MS = 10_000;

/** Research over Chat Completions: a run is bound to the connection that purchased it, and ends with it. */
@Injectable()
export class CompletionsProtocol implements ResearchProtocol {
  readonly name = 'completions';
  readonly path = '/chat/completions';
  readonly background = false;

  owns(upstreamId: string): boolean {
    return upstreamId.startsWith(PREFIX);
  }

  body(request: CreateRequest): ChatCompletionCreateParamsStreaming {
    return buildCompletionRequest(request);
  }

  /** The endpoint has begun: whatever happens to the connection, this run is never purchased again. */
  purchased(
    reply: StreamReply<unknown>,
    { id: attemptId, model }: { id: string; model: string },
  ): PurchasedRun {
    const upstreamId = `${PREFIX}${attemptId}`;
    const events = new CompletionEvents(upstreamId, model);
    const purchased = { upstreamId, attemptId, background: false };
    if (reply.kind === 'json')
      return { ...purchased, response: events.whole(reply.body) };
    const chunks = reply.events as AsyncIterator<never[]>;
    const { close } = reply;
    return { ...purchased, stream: { events: events.of(chunks), close } };
  }

  /** @throws AppError `upstream_response_gone` if the connection is lost, or belonged to another worker. */
  async toEnd(
    { stream, response }: PurchasedRun,
    writer: HostedRunWriter,
    run: ActiveRun,
  ): Promise<Response> {
    if (response) return response;
    if (!stream) throw new AppError('upstream_response_gone');
    const { events, close } = stream;
    try {
      for (let next = read(events); ;) {
        const batch = await run.rest(REST_MS, next);
        run.signal.throwIfAborted();
        if (typeof batch === 'string') continue;
        if (batch.done) throw new AppError('upstream_response_gone');
        const ended = await writer.appendEvents(batch.value);
        if (ended) return ended;
        next = read(events);
      }
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      throw new AppError('upstream_response_gone', undefined, { cause: error });
    } finally {
      close();
      void events.return?.();
    }
  }

  /** The run ended with its connection. */
  requestCancel(): Promise<void> {
    return Promise.resolve();
  }

  cancel(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}

function read(
  events: AsyncIterator<ResponseStreamEvent[]>,
): Promise<IteratorResult<ResponseStreamEvent[]>> {
  const next = events.next();
  // A read that fails after the run was stopped is not an unhandled rejection.
  next.catch(() => undefined);
  return next;
}
