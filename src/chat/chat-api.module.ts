import { Module } from '@nestjs/common';
import { ToolInvocationsModule } from '../tool-invocations/tool-invocations.module';
import { ChatController } from './chat.controller';
import { ChatModule } from './chat.module';
import { ChatService } from './chat.service';
import { ChatByIdController } from './chat-by-id.controller';

/** Chat over HTTP. */
@Module({
  imports: [ChatModule, ToolInvocationsModule],
  controllers: [ChatController, ChatByIdController],
  providers: [ChatService],
})
export class ChatApiModule {}
