import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallerIdentity } from '../../platform/auth/caller';
import { AppConfig } from '../../config/config';
import { AppError } from '../../platform/errors';
import { clientDisconnect } from '../../platform/http/client-disconnect';
import { readForwarded } from '../../platform/http/headers/headers-to-forward';
import { OpenAiRefusal } from '../../platform/http/openai/openai-error';
import {
  type FailureDocument,
  patiently,
} from '../../platform/http/patient-json';
import { Shutdown } from '../../platform/http/shutdown';
import { sendEventStream, type SseFrame } from '../../platform/http/sse';
import { waitingClient, whileWanted } from '../../runs/http/run-reply';
import { readIdempotencyKey } from '../../runs/http/run-request';
import type { RunRecord } from '../../runs/record/run-record';
import { isUnderWay } from '../../runs/record/run';
import { RunsService } from '../../runs/runs.service';
import { Budgets, VIEW_MS } from '../../tenants/spend/budgets';
import { ChatSubmitter } from '../background/chat-submitter';
import { ChatService } from '../chat.service';
import type { ChatRequest } from '../dto/chat.dto';
import type { ChatReply } from '../dto/chat-response.dto';
import { ChatOptions } from '../loop/chat-options';
import { chatView } from '../loop/chat-view';
import type { ChatEvent } from '../stream/chat-event';
import { chatEvents } from '../stream/chat-frames';
import { checkModel } from './check-model';

/** A request as it came. */
export interface OpenAiCall {
  readonly body: unknown;
  readonly caller: CallerIdentity;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** One of the forms that a chat has in OpenAI's API. */
export interface ChatForm {
  /**
   * The whole reply.
   * @param record of a chat on record: every request with its idempotency key gets the same reply.
   * @throws AppError that the chat has failed with.
   */
  whole(reply: ChatReply, record?: RunRecord): object;
  /** What takes the place of the reply where its status is sent already. */
  failed: FailureDocument;
  frames(events: AsyncIterable<ChatEvent>): AsyncGenerator<SseFrame>;
  /** An error of the chat with the parameters of this form. */
  inTerms(error: unknown): unknown;
}

/** Runs a chat for a request of OpenAI's API, and sends it in the form that was asked for. */
@Injectable()
export class ChatDelivery {
  constructor(
    private readonly chat: ChatService,
    private readonly options: ChatOptions,
    private readonly records: ChatSubmitter,
    private readonly runs: RunsService,
    private readonly config: AppConfig,
    private readonly shutdown: Shutdown,
    private readonly budgets: Budgets,
  ) {}

  /**
   * @returns the reply, unless it has been sent.
   * @throws OpenAiRefusal for a model that there is not, or a stream with an idempotency key.
   */
  async deliver(
    given: ChatRequest & { model: string },
    form: ChatForm,
    { body, caller, headers, request, reply }: OpenAiCall,
  ): Promise<object | undefined> {
    checkModel(given.model, await this.options.models());
    const key = readIdempotencyKey(headers['idempotency-key']);
    if (given.stream && key !== undefined)
      throw new OpenAiRefusal(
        'unsupported_parameter',
        "Unsupported parameter: 'stream' is not supported with Idempotency-Key.",
        'stream',
      );
    const { forwardedHeaders } = this.config.upstream;
    const forwarded = readForwarded(headers, forwardedHeaders);
    const client = waitingClient(reply);
    const origin = { caller, requestId: request.id, forwarded, client };
    const chat = this.options.besideFunctions(given);
    if (key === undefined) await this.budgets.check(caller, VIEW_MS);
    const disconnected = clientDisconnect(request, reply);
    const { signal } = this.shutdown;
    try {
      if (key !== undefined) {
        const idempotency = { key, body };
        const whole = this.onRecord(
          { request: chat, origin, mode: 'foreground', idempotency },
          form,
          request,
          reply,
        );
        return await patiently(reply, whole, form.failed);
      }
      if (given.stream) {
        // Throws for invalid input here, while an error status can still be sent.
        const work = this.chat.stream(chat, origin, disconnected, signal);
        const frames = form.frames(withResearch(chatEvents(work)));
        await sendEventStream(request, reply, frames);
        return undefined;
      }
      const answer = this.chat.reply(chat, origin, disconnected, signal);
      const whole = answer.then((done) => form.whole(done));
      return await patiently(reply, whole, form.failed);
    } catch (error) {
      if (!disconnected.aborted) throw form.inTerms(error);
      // The client has left: there is no response to send.
      reply.hijack();
      return undefined;
    }
  }

  /** The chat of an idempotency key, which a worker runs and a repeated request finds. */
  private async onRecord(
    submission: Parameters<ChatSubmitter['submit']>[0],
    form: ChatForm,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<object> {
    const { record, token, replayed } = await this.records.submit(submission);
    if (replayed) reply.header('Idempotent-Replayed', 'true');
    const wanted = whileWanted(request, reply, this.shutdown);
    const settled = await this.runs.wait(record.id, Infinity, wanted);
    if (isUnderWay(settled.status))
      throw new AppError(wanted.aborted ? 'shutting_down' : 'chat_timeout');
    return form.whole(chatView(settled, token), settled);
  }
}

/**
 * A stream of OpenAI's API has no place for a reply beside its error: one that breaks off after research ends with the
 * report, as the reply does that is not streamed.
 */
async function* withResearch(
  events: AsyncIterable<ChatEvent>,
): AsyncGenerator<ChatEvent> {
  for await (const event of events) {
    const reply = event.type === 'error' ? event.data.reply : undefined;
    if (reply?.research_summary) yield { type: 'completed', data: reply };
    else yield event;
  }
}
