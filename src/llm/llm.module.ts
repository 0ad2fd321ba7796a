import { Module } from '@nestjs/common';
import { ModelCatalog } from './model.catalog';
import { ResponsesEngine } from './responses.engine';
import { UpstreamClient } from './upstream.client';

@Module({
  providers: [UpstreamClient, ModelCatalog, ResponsesEngine],
  exports: [UpstreamClient, ModelCatalog, ResponsesEngine],
})
export class LlmModule {}
