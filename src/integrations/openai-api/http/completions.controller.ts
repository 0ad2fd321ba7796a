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
import { ApiKeyGuard } from '../../../platform/auth/api-key.guard';
import { Caller, type CallerIdentity } from '../../../platform/auth/caller';
import { AppConfig } from '../../../config/config';
import { noSuchModel } from '../../../platform/http/openai/openai-error';
import { ChatModels } from '../chat-models';
import {
  inTermsOfCompletion,
  readCompletionCreate,
} from '../create/completion-create';
import { ProjectedRuns } from '../projection/projected-runs';
import { isResearchModel, modelIn } from '../research-models';
import { ResearchCalls } from './research-calls';

/** The scope depends on the model. */
const ACCESS = {
  scope: 'any',
  apiKey: 'if-configured',
  checksOrigin: true,
} satisfies FastifyContextConfig;

/** `POST /v1/chat/completions`, in the form of OpenAI. */
@ApiExcludeController()
@Controller('v1/chat/completions')
export class CompletionsController {
  constructor(
    private readonly research: ResearchCalls,
    private readonly projected: ProjectedRuns,
    private readonly config: AppConfig,
    private readonly keys: ApiKeyGuard,
    @Optional() private readonly chats?: ChatModels,
  ) {}

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
    const model = modelIn(body) ?? '';
    const call = { body, caller, headers, request, reply };
    if (!isResearchModel(model)) {
      if (this.chats) return this.chats.complete(call);
      throw noSuchModel(model);
    }
    // A repeated request joins the run of the same caller.
    this.keys.checkKnown(request);
    try {
      const create = readCompletionCreate(body, this.config.hosted);
      return await this.research.answer(call, create, (record) =>
        this.projected.completionForm(record, create.includeUsage),
      );
    } catch (error) {
      throw inTermsOfCompletion(error);
    }
  }
}
