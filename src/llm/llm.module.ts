import { Module } from '@nestjs/common';
import { CompletionsEngine } from './completions.engine';
import { ModelCatalog } from './model.catalog';
import { ModelChoice } from './model.choice';
import { ModelPort } from './model.port';
import { ResponsesEngine } from './responses.engine';
import { UpstreamClient } from './upstream.client';

@Module({
  providers: [
    UpstreamClient,
    ModelCatalog,
    ModelChoice,
    ResponsesEngine,
    CompletionsEngine,
    ModelPort,
  ],
  exports: [UpstreamClient, ModelCatalog, ModelChoice, ModelPort],
})
export class LlmModule {}
