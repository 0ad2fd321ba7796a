import { Module } from '@nestjs/common';
import { CompletionsEngine } from './completions/completions.engine';
import { ModelCatalog } from './models/model.catalog';
import { ModelChoice } from './models/model.choice';
import { ModelClient } from './model.client';
import { ResponsesEngine } from './responses/responses.engine';
import { UpstreamClient } from './upstream/upstream.client';

@Module({
  providers: [
    UpstreamClient,
    ModelCatalog,
    ModelChoice,
    ResponsesEngine,
    CompletionsEngine,
    ModelClient,
  ],
  exports: [UpstreamClient, ModelCatalog, ModelChoice, ModelClient],
})
export class LlmModule {}
