import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { RunsHttpModule } from '../../runs/http/runs-http.module';
import { ReferencedItems } from './create/referenced-items';
import { ResearchResponses } from './create/research-responses';
import { ModelsController } from './http/models.controller';
import { OwnedResponses } from './http/owned-responses';
import { ResponseController } from './http/response-by-id.controller';
import { ResponseDelivery } from './http/response-delivery';
import { ResponsesController } from './http/responses.controller';
import { ProjectedRuns } from './projection/projected-runs';

/** Serves research as the Responses API of OpenAI. Of API processes. */
@Module({})
export class OpenAiApiModule {
  /** @param chats may export `ChatModels`. */
  static with(...chats: Type[]): DynamicModule {
    return {
      module: OpenAiApiModule,
      imports: [...chats, RunsHttpModule],
      controllers: [ResponsesController, ResponseController, ModelsController],
      providers: [
        OwnedResponses,
        ProjectedRuns,
        ReferencedItems,
        ResearchResponses,
        ResponseDelivery,
      ],
    };
  }
}
