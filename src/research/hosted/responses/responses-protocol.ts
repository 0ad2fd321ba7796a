import { Injectable } from '@nestjs/common';
import type {
  Response,
  ResponseCreateParamsStreaming,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import type {
  EventStream,
  StreamReply,
} from '../../../llm/upstream/upstream.client';
import {
  frameError,
  UpstreamError,
} from '../../../llm/upstream/upstream-error';
import { isObject } from '../../../platform/message/call-arguments';
import type { ActiveRun } from '../../../runs/worker/active-run';
import type { Rescheduled } from '../../../runs/worker/run-outcome';
import type { HostedRunWriter } from '../record/hosted-run-writer';
import { researchPrompt } from '../research.prompt';
import type {
  BoughtRun,
  CreateRequest,
  PurchasedRun,
  ResearchProtocol,
} from '../research-protocol';
import { Follow } from './follow';
import { belongsTo } from './response-identity';
import { ResponsesClient } from './responses.client';

const FAILURES = ['error', 'response.failed'];

/** Research over Responses: it runs in background mode and can be read again. */
@Injectable()
export class ResponsesProtocol implements ResearchProtocol {
  readonly name = 'responses';
  readonly path = '/responses';
  readonly background = true;

  constructor(
    private readonly client: ResponsesClient,
    private readonly follow: Follow,
  ) {}

  /** Asked last: endpoints write ids as they like. */
  owns(): boolean {
    return true;
  }

  body(request: CreateRequest): ResponseCreateParamsStreaming {
    const { model, profile, hosted, args, maxTokens, metadata } = request;
    return {
      model,
      input: [{ type: 'message', role: 'user', content: researchPrompt(args) }],
      ...(args.system_prompt && { instructions: args.system_prompt }),
      ...(hosted.tools.length > 0 && { tools: hosted.tools }),
      ...(hosted.include.length > 0 && { include: hosted.include }),
      ...(profile.reasoning && { reasoning: profile.reasoning }),
      ...(args.text_format && { text: { format: args.text_format } }),
      ...(maxTokens !== undefined && { max_output_tokens: maxTokens }),
      background: true,
      store: true,
      stream: true,
      metadata,
    };
  }

  async purchased(
    reply: StreamReply<ResponseStreamEvent>,
    { id: attemptId, runId }: { id: string; runId: string },
  ): Promise<PurchasedRun> {
    const purchased = { attemptId, background: true };
    if (reply.kind === 'stream')
      return { ...purchased, ...(await readId(reply, runId)) };
    const response = reply.body as Response;
    const upstreamId: unknown = response?.id;
    if (
      typeof upstreamId !== 'string' ||
      upstreamId === '' ||
      !belongsTo({ id: runId, upstreamId }, response)
    )
      throw failureIn(reply.body);
    return { ...purchased, upstreamId, response };
  }

  toEnd(
    purchased: PurchasedRun,
    writer: HostedRunWriter,
    run: ActiveRun,
  ): Promise<Response | Rescheduled> {
    return this.follow.toEnd(purchased, writer, run);
  }

  requestCancel(bought: BoughtRun, signal: AbortSignal): Promise<unknown> {
    return this.client.requestCancel(bought, signal);
  }

  cancel(
    bought: BoughtRun,
    signal: AbortSignal,
  ): Promise<Response | undefined> {
    return this.client.cancel(bought, signal);
  }
}

/**
 * Reads the stream up to the id of the run; the events read come first in the stream that is returned. A stream that
 * begins with a failure has no id: a proxy whose connection broke before the first event invents a response of its own.
 */
async function readId(
  { events, close }: EventStream<ResponseStreamEvent>,
  runId: string,
): Promise<Pick<PurchasedRun, 'upstreamId' | 'stream'>> {
  const read: ResponseStreamEvent[][] = [];
  for (;;) {
    const { value, done } = await events.next();
    const batch = (done ? [] : value) as ResponseStreamEvent[];
    read.push(batch);
    const response = batch.map(responseIn).find((found) => found?.id);
    if (response && belongsTo({ id: runId, upstreamId: response.id }, response))
      return {
        upstreamId: response.id,
        stream: { events: prepend(read, events), close },
      };
    const fails = batch.some(({ type }) => FAILURES.includes(type));
    if (response || done || fails) {
      close();
      throw failureIn(batch.find(({ type }) => FAILURES.includes(type)));
    }
  }
}

/** The cause of a failure in the place of a response, as far as it is reported. Something may have been begun. */
function failureIn(reply: unknown): UpstreamError {
  const report = isObject(reply) ? (reply.response ?? reply) : {};
  return (
    frameError(Object(report)) ?? new UpstreamError('upstream_error', 'unknown')
  );
}

function responseIn(event: ResponseStreamEvent): Response | undefined {
  if (FAILURES.includes(event.type) || !('response' in event)) return undefined;
  return event.response;
}

async function* prepend<T>(
  read: T[],
  rest: AsyncIterator<T>,
): AsyncGenerator<T> {
  yield* read;
  for (let next = await rest.next(); !next.done; next = await rest.next())
    yield next.value;
}
