import { Injectable, Logger } from '@nestjs/common';
import type { CallerIdentity } from '../auth/caller';
import { AppConfig } from '../config/config';
import { ModelPort } from '../llm/model.port';
import { ToolRegistry } from '../tools/tool.registry';
import type { ChatRequestDto, ChatResponseDto } from './chat.dto';
import { chatInput } from './chat.input';
import { chatReply } from './chat.reply';
import { ToolCaller } from './tool.caller';
import { ToolCalls } from './tool.calls';

/** Whom a chat is for. */
export interface ChatOrigin {
  caller: CallerIdentity;
  /** `X-Request-Id`. */
  requestId?: string;
}

/** One message in, one answer out; the model decides in between whether tools are called. */
@Injectable()
export class ChatService {
  private readonly log = new Logger('Chat');

  constructor(
    private readonly models: ModelPort,
    private readonly registry: ToolRegistry,
    private readonly toolCaller: ToolCaller,
    private readonly config: AppConfig,
  ) {}

  /**
   * @param gone the client hung up: ends everything but the tools that were started.
   * @param shutdown this process is going away: ends the wait for tools.
   * @throws AppError `validation_failed`, or the reason of `gone`.
   */
  async reply(
    request: ChatRequestDto,
    origin: ChatOrigin,
    gone: AbortSignal,
    shutdown: AbortSignal,
  ): Promise<ChatResponseDto> {
    const tools = request.auto_tool_call === false ? [] : this.registry.list();
    const calls = new ToolCalls(
      this.toolCaller,
      this.registry,
      this.config.tools,
      { request, ...origin, until: AbortSignal.any([gone, shutdown]) },
      gone,
    );
    const answer = await this.models.run({
      model: this.config.upstream.chatModel,
      input: chatInput(request),
      tools: tools.map(({ offered }) => offered),
      callTools: (asked) => calls.callTools(asked),
      signal: gone,
    });
    if (answer.failure) {
      this.log.warn(`A turn of the model failed: ${answer.failure.code}`);
    }
    return chatReply(answer, calls);
  }
}
