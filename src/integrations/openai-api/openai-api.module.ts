import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { RunsHttpModule } from '../../runs/http/runs-http.module';
import { ReferencedItems } from './create/referenced-items';
import { ResearchResponses } from './create/research-responses';
import { CompletionsController } from './http/completions.controller';
import { ModelsController } from './http/models.controller';
import { OwnedResponses } from './http/owned-responses';
import { ResearchCalls } from './http/research-calls';
import { ResponseController } from './http/response-by-id.controller';
import { ResponseDelivery } from './http/response-delivery';
import { ResponsesController } from './http/responses.controller';
import { ProjectedRuns } from './projection/projected-runs';

/** Serves research by the Responses API and Chat Completions of OpenAI. Of API processes. */
@Module({})
export class OpenAiApiModule {
  /** @param chats may export `ChatModels`. */
  static with(...chats: Type[]): DynamicModule {
    return {
      module: OpenAiApiModule,
      imports: [...chats, RunsHttpModule],
      controllers: [
        CompletionsController,
        ResponsesController,
        ResponseController,
        ModelsController,
      ],
      providers: [
        OwnedResponses,
        ProjectedRuns,
        ReferencedItems,
        ResearchCalls,
        ResearchResponses,
        ResponseDelivery,
      ],
    };
  }
}
