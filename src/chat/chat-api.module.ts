import { Module } from '@nestjs/common';
import { ToolInvocationsApiModule } from '../tool-invocations/tool-invocations-api.module';
import { ChatController } from './chat.controller';
import { ChatModule } from './chat.module';
import { ChatService } from './chat.service';
import { ChatsController } from './chats.controller';

/** Chat over HTTP. */
@Module({
  imports: [ChatModule, ToolInvocationsApiModule],
  controllers: [ChatController, ChatsController],
  providers: [ChatService],
})
export class ChatApiModule {}
