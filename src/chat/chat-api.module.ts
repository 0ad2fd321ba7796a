import { Module } from '@nestjs/common';
import { RunGuard } from '../runs/http/run.guard';
import { RunsHttpModule } from '../runs/http/runs-http.module';
import { CallerRunsListing } from '../runs/submit/caller-runs-listing';
import { ChatController } from './chat.controller';
import { ChatModule } from './chat.module';
import { ChatService } from './chat.service';
import { ChatByIdController } from './chat-by-id.controller';
import { ChatCompletions } from './completions/chat-completions';
import { ChatDelivery } from './openai/chat-delivery';
import { Embeddings } from './embeddings/embeddings';
import { EmbeddingsController } from './embeddings/embeddings.controller';
import { ChatResponses } from './responses/chat-responses';

/** Chat over HTTP. */
@Module({
  imports: [ChatModule, RunsHttpModule],
  controllers: [ChatController, ChatByIdController, EmbeddingsController],
  providers: [
    CallerRunsListing,
    ChatService,
    ChatDelivery,
    ChatCompletions,
    ChatResponses,
    Embeddings,
  ],
  exports: [ChatModule, ChatCompletions, ChatResponses],
})
export class ChatApiModule {
  constructor(guard: RunGuard) {
    guard.protect('/api/v1/chat/:chat_id', 'chat_');
  }
}
