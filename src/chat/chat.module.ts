import { Module } from '@nestjs/common';
import { LlmModule } from '../llm/llm.module';
import { ToolInvocationsModule } from '../tool-invocations/tool-invocations.module';
import { ToolsModule } from '../tools/tools.module';
import { ChatController } from './chat.controller';
import { ChatService } from './chat.service';
import { ToolCaller } from './tool.caller';

@Module({
  imports: [LlmModule, ToolInvocationsModule, ToolsModule],
  controllers: [ChatController],
  providers: [ChatService, ToolCaller],
})
export class ChatModule {}
