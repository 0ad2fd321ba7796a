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
import { Caller, type CallerIdentity } from '../../platform/auth/caller';
import { ChatDelivery, type ChatForm } from '../openai/chat-delivery';
import { chunkFrames } from './completion-chunks';
import { chatRequestOf, inTermsOfCompletion } from './completion-input';
import {
  completionOf,
  failedCompletion,
  headOf,
  newHead,
} from './chat-completion';
import {
  type CompletionRequest,
  readCompletionRequest,
} from './read-completion';

const ACCESS = {
  scope: 'chat',
  apiKey: 'if-configured',
  checksOrigin: true,
} satisfies FastifyContextConfig;

/** `POST /v1/chat/completions`, in the form of OpenAI: a chat with the tools of Sonde and the functions of the caller. */
@ApiExcludeController()
@Controller('v1/chat/completions')
export class CompletionsController {
  constructor(private readonly delivery: ChatDelivery) {}

  @Post()
  @HttpCode(200)
  @RouteConfig(ACCESS)
  async create(
    @Body() body: unknown,
    @Caller() caller: CallerIdentity,
    @Headers() headers: Record<string, string | undefined>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object | undefined> {
    const given = readCompletionRequest(body);
    const call = { body, caller, headers, request, reply };
    return this.delivery.deliver(chatRequestOf(given), formOf(given), call);
  }
}

function formOf({ model, stream_options }: CompletionRequest): ChatForm {
  const head = newHead(model);
  const usage = stream_options?.include_usage === true;
  return {
    whole: (reply, record) =>
      completionOf(reply, record ? headOf(record, model) : head),
    failed: (error) => failedCompletion(error, head),
    frames: (events) => chunkFrames(events, head, usage),
    inTerms: inTermsOfCompletion,
  };
}
