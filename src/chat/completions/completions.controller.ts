import {
  Body,
  Controller,
  Headers,
  HttpCode,
  Post,
  Req,
  Res,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeController } from '@nestjs/swagger';
import type {
  FastifyContextConfig,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import { Caller, type CallerIdentity } from '../../auth/caller';
import { AppConfig } from '../../config/config';
import { AppError } from '../../errors';
import { clientDisconnect } from '../../http/client-disconnect';
import { readForwarded } from '../../http/headers-to-forward';
import { sendPatiently } from '../../http/openai/patient-json';
import { OpenAiRefusal } from '../../http/openai/openai-error';
import { Shutdown } from '../../http/shutdown';
import { sendEventStream } from '../../http/sse';
import { whileWanted } from '../../runs/http/run-reply';
import { readIdempotencyKey } from '../../runs/http/run-request';
import { isUnderWay } from '../../runs/run';
import { RunsService } from '../../runs/runs.service';
import { Budgets, VIEW_MS } from '../../spend/budgets';
import { ChatSubmitter } from '../background/chat.submitter';
import { ChatService } from '../chat.service';
import { ChatOptions } from '../loop/chat.options';
import { chatView } from '../loop/chat.view';
import { chatEvents } from '../stream/chat.frames';
import { chunkFrames } from './completion.chunks';
import { chatRequestOf, inTermsOfCompletion } from './completion.input';
import { checkModel } from './completion.models';
import { completionOf, headOf, newHead } from './completion.reply';
import { readCompletionRequest } from './completion.request';

const ACCESS = {
  scope: 'chat',
  apiKey: 'if-configured',
  checksOrigin: true,
} satisfies FastifyContextConfig;

/** `POST /v1/chat/completions`, in the form of OpenAI: a chat with the tools of Sonde and the functions of the caller. */
@ApiExcludeController()
@Controller('v1/chat/completions')
export class CompletionsController {
  constructor(
    private readonly chat: ChatService,
    private readonly options: ChatOptions,
    private readonly records: ChatSubmitter,
    private readonly runs: RunsService,
    private readonly config: AppConfig,
    private readonly shutdown: Shutdown,
    private readonly budgets: Budgets,
  ) {}

  @Post()
  @HttpCode(200)
  @RouteConfig(ACCESS)
  async create(
    @Body() body: unknown,
    @Caller() caller: CallerIdentity,
    @Headers() headers: Record<string, string | undefined>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const given = readCompletionRequest(body);
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
    const origin = { caller, requestId: request.id, forwarded };
    const chat = this.options.besideFunctions(chatRequestOf(given));
    if (key === undefined) await this.budgets.check(caller, VIEW_MS);
    const disconnected = clientDisconnect(request, reply);
    const { signal } = this.shutdown;
    try {
      if (key !== undefined) {
        const idempotency = { key, body };
        const completion = this.onRecord(
          { request: chat, origin, mode: 'foreground', idempotency },
          request,
          reply,
        );
        return await sendPatiently(reply, completion);
      }
      const head = newHead(given.model);
      if (given.stream) {
        // Throws for invalid input here, while an error status can still be sent.
        const work = this.chat.stream(chat, origin, disconnected, signal);
        const usage = given.stream_options?.include_usage === true;
        const frames = chunkFrames(chatEvents(work), head, usage);
        return await sendEventStream(request, reply, frames);
      }
      const answer = this.chat.reply(chat, origin, disconnected, signal);
      const completion = answer.then((done) => completionOf(done, head));
      await sendPatiently(reply, completion);
    } catch (error) {
      if (!disconnected.aborted) throw inTermsOfCompletion(error);
      // The client has left: there is no response to send.
      reply.hijack();
    }
  }

  /** The chat of an idempotency key, which a worker runs and a repeated request finds. */
  private async onRecord(
    submission: Parameters<ChatSubmitter['submit']>[0],
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<object> {
    const { record, token, replayed } = await this.records.submit(submission);
    if (replayed) reply.header('Idempotent-Replayed', 'true');
    const wanted = whileWanted(request, reply, this.shutdown);
    const settled = await this.runs.wait(record.id, Infinity, wanted);
    if (isUnderWay(settled.status))
      throw new AppError(wanted.aborted ? 'shutting_down' : 'chat_timeout');
    const { model } = submission.request;
    return completionOf(chatView(settled, token), headOf(settled, model!));
  }
}
