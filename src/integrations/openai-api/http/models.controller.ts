import { Controller, Get, Optional, Param } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyContextConfig } from 'fastify';
import type { Model } from 'openai/resources/models';
import { Caller, type CallerIdentity } from '../../../platform/auth/caller';
import { AppConfig } from '../../../config/config';
import { allowsRoute, allowsTool } from '../../../platform/auth/scopes';
import { noSuchModel } from '../../../platform/http/openai/openai-error';
import { ChatModels } from '../chat-models';
import { RESEARCH } from '../create/research-responses';
import { isResearchModel, researchModels } from '../research-models';

const ACCESS = {
  scope: 'any',
  apiKey: 'if-configured',
  checksOrigin: true,
} satisfies FastifyContextConfig;

/** Models have no date here. */
const CREATED = Date.UTC(2026, 0, 1) / 1_000;

/** The models that a key may name in a request. */
@ApiExcludeController()
@Controller('v1/models')
export class ModelsController {
  constructor(
    private readonly config: AppConfig,
    @Optional() private readonly chats?: ChatModels,
  ) {}

  @Get()
  @RouteConfig(ACCESS)
  async list(@Caller() caller: CallerIdentity) {
    const names = await this.namesFor(caller);
    return { object: 'list', data: names.map(modelOf) };
  }

  @Get(':id')
  @RouteConfig(ACCESS)
  async get(
    @Param('id') id: string,
    @Caller() caller: CallerIdentity,
  ): Promise<Model> {
    const isKnown = isResearchModel(id)
      ? mayResearch(caller)
      : (await this.namesFor(caller)).includes(id);
    if (!isKnown) throw noSuchModel(id);
    return modelOf(id);
  }

  /** Those that answer at once come first: programs take the first of the list for whatever they ask by themselves. */
  private async namesFor(caller: CallerIdentity): Promise<string[]> {
    const { embeddingModels } = this.config.upstream;
    const names = [
      ...((await this.chats?.models(caller.scopes)) ?? []),
      ...(mayResearch(caller) ? researchModels() : []),
      ...(allowsRoute(caller.scopes, 'chat') ? embeddingModels : []),
    ];
    return [...new Set(names)];
  }
}

function mayResearch({ scopes }: CallerIdentity): boolean {
  return allowsTool(scopes, RESEARCH);
}

function modelOf(id: string): Model {
  return { id, object: 'model', created: CREATED, owned_by: 'sonde' };
}
