import { Module } from '@nestjs/common';
import { CompletionsEngine } from './completions/completions-engine';
import { EmbeddingsClient } from './embeddings/embeddings.client';
import { ModelCatalog } from './models/model-catalog';
import { ModelChoice } from './models/model-choice';
import { LearntMirror } from './models/learnt-mirror';
import { LearntModels } from './models/learnt-models';
import { ModelClient } from './model.client';
import { ResponsesEngine } from './responses/responses-engine';
import { CompletionClient } from './single-attempt/completion.client';
import { TokenCounter } from './tokens/token-counter';
import { UpstreamClient } from './upstream/upstream.client';

@Module({
  providers: [
    UpstreamClient,
    ModelCatalog,
    ModelChoice,
    LearntModels,
    LearntMirror,
    ResponsesEngine,
    CompletionsEngine,
    ModelClient,
    TokenCounter,
    CompletionClient,
    EmbeddingsClient,
  ],
  exports: [
    UpstreamClient,
    ModelCatalog,
    ModelChoice,
    LearntModels,
    LearntMirror,
    ModelClient,
    TokenCounter,
    CompletionClient,
    EmbeddingsClient,
  ],
})
export class LlmModule {}
