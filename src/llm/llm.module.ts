import { Module } from '@nestjs/common';
import { CompletionsEngine } from './completions.engine';
import { ModelCatalog } from './model.catalog';
import { ModelPort } from './model.port';
import { ResponsesEngine } from './responses.engine';
import { UpstreamClient } from './upstream.client';

@Module({
  providers: [
    UpstreamClient,
    ModelCatalog,
    ResponsesEngine,
    CompletionsEngine,
    ModelPort,
  ],
  exports: [UpstreamClient, ModelCatalog, ModelPort],
})
export class LlmModule {}
