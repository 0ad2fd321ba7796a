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
import { noSuchModel } from '../../../platform/http/openai/openai-error';
import { ChatModels } from '../chat-models';
import { readCreate } from '../create/create-request';
import { ReferencedItems } from '../create/referenced-items';
import { ProjectedRuns } from '../projection/projected-runs';
import { isResearchModel, modelIn } from '../research-models';
import { ResearchCalls } from './research-calls';

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
    private readonly research: ResearchCalls,
    private readonly references: ReferencedItems,
    private readonly projected: ProjectedRuns,
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
    const call = { body: given, caller, headers, request, reply };
    const body = await this.references.resolve(given, caller);
    if (model !== undefined && !isResearchModel(model)) {
      if (this.chats) return this.chats.respond({ ...call, body });
      throw noSuchModel(model);
    }
    const create = readCreate(body, this.config.hosted);
    return this.research.answer(call, create, (record) =>
      this.projected.responseForm(record),
    );
  }
}
