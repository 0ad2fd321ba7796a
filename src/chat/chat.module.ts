import { Module } from '@nestjs/common';
import { LlmModule } from '../llm/llm.module';
import { ToolInvocationsModule } from '../tool-invocations/tool-invocations.module';
import { ToolsModule } from '../tools/tools.module';
import { ChatService } from './chat.service';
import { ToolCaller } from './tool.caller';

/** Answers messages, in any process. */
@Module({
  imports: [LlmModule, ToolInvocationsModule, ToolsModule],
  providers: [ChatService, ToolCaller],
  exports: [ChatService],
})
export class ChatModule {}
