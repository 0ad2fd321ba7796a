import { Injectable, Module } from '@nestjs/common';
import { allowsRoute, type Scopes } from '../../auth/scopes';
import { ChatModule } from '../../chat/chat.module';
import { ChatOptions } from '../../chat/loop/chat.options';
import { ChatModels } from '../../openai-api/chat.models';

/** The chat models of the room of chats, for the list of models at `/v1`. */
@Injectable()
class ConfiguredChatModels extends ChatModels {
  constructor(private readonly options: ChatOptions) {
    super();
  }

  async models(scopes: Scopes): Promise<readonly string[]> {
    return allowsRoute(scopes, 'chat') ? this.options.models() : [];
  }
}

@Module({
  imports: [ChatModule],
  providers: [{ provide: ChatModels, useClass: ConfiguredChatModels }],
  exports: [ChatModels],
})
export class ChatModelsModule {}
