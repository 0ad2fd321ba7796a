import { Injectable, Module } from '@nestjs/common';
import { allowsRoute, type Scopes } from '../../platform/auth/scopes';
import { ChatApiModule } from '../../chat/chat-api.module';
import { ChatCompletions } from '../../chat/completions/chat-completions';
import { ChatOptions } from '../../chat/loop/chat-options';
import { ChatResponses } from '../../chat/responses/chat-responses';
import {
  type ChatCall,
  ChatModels,
} from '../../integrations/openai-api/chat-models';

/** The chat models of the room of chats, at `/v1`. */
@Injectable()
class ConfiguredChatModels extends ChatModels {
  constructor(
    private readonly options: ChatOptions,
    private readonly responses: ChatResponses,
    private readonly completions: ChatCompletions,
  ) {
    super();
  }

  async models(scopes: Scopes): Promise<readonly string[]> {
    return allowsRoute(scopes, 'chat') ? this.options.models() : [];
  }

  respond(call: ChatCall): Promise<object | undefined> {
    return this.responses.create(call);
  }

  complete(call: ChatCall): Promise<object | undefined> {
    return this.completions.create(call);
  }
}

@Module({
  imports: [ChatApiModule],
  providers: [{ provide: ChatModels, useClass: ConfiguredChatModels }],
  exports: [ChatModels],
})
export class ChatModelsModule {}
