import {
  Body,
  Controller,
  Headers,
  HttpCode,
  Optional,
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
import { Caller, type CallerIdentity } from '../../../platform/auth/caller';
import { AppConfig } from '../../../config/config';
import { readForwarded } from '../../../platform/http/headers/headers-to-forward';
import { isRetry } from '../../../platform/http/headers/retry-headers';
import { readIdempotencyKey } from '../../../runs/http/run-request';
import { ChatModels } from '../chat-models';
import { readCreate } from '../create/create-request';
import { ReferencedItems } from '../create/referenced-items';
import { ResearchResponses } from '../create/research-responses';
import { isResearchModel, noSuchModel } from '../research-models';
import { ResponseDelivery } from './response-delivery';

/** The scope depends on the model. Responses belong to their caller, so one must be known. */
const ACCESS = {
  scope: 'any',
  apiKey: 'always',
  checksOrigin: true,
} satisfies FastifyContextConfig;

/** `POST /v1/responses`, in the form of OpenAI. */
@ApiExcludeController()
@Controller('v1/responses')
export class ResponsesController {
  constructor(
    private readonly research: ResearchResponses,
    private readonly references: ReferencedItems,
    private readonly delivery: ResponseDelivery,
    private readonly config: AppConfig,
    @Optional() private readonly chats?: ChatModels,
  ) {}

  @Post()
  @HttpCode(200)
  @RouteConfig(ACCESS)
  async create(
    @Body() given: unknown,
    @Caller() caller: CallerIdentity,
    @Headers() headers: Record<string, string | undefined>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object | undefined> {
    const model = modelIn(given);
    const body = await this.references.resolve(given, caller);
    if (model !== undefined && !isResearchModel(model)) {
      const call = { body, caller, headers, request, reply };
      if (this.chats) return this.chats.respond(call);
      throw noSuchModel(model);
    }
    const create = readCreate(body, this.config.hosted);
    const key = readIdempotencyKey(headers['idempotency-key']);
    if (create.stream) await this.delivery.admit(caller, reply);
    const record = await this.research.submit(given, create, {
      caller,
      requestId: request.id,
      forwarded: readForwarded(headers, this.config.upstream.forwardedHeaders),
      idempotencyKey: key,
      isRetry: isRetry(headers),
    });
    if (create.stream) {
      await this.delivery.stream(record, -1, request, reply);
      return undefined;
    }
    if (create.request.background) return this.delivery.shown(record, reply);
    return this.delivery.end(record, request, reply);
  }
}

/** Undefined where the check of the body names the fault. */
function modelIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { model } = body as { model?: unknown };
  return typeof model === 'string' ? model : undefined;
}
