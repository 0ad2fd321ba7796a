import { Injectable, Logger } from '@nestjs/common';
import type { CallerIdentity } from '../auth/caller';
import { AppConfig } from '../config/config';
import { ModelPort } from '../llm/model.port';
import type { ToolDescription } from '../message/tool-description';
import type { Tool } from '../tools/tool';
import { ToolRegistry } from '../tools/tool.registry';
import type { CalledTool } from './called.tool';
import type { ChatRequestDto, ChatResponseDto } from './chat.dto';
import { chatInput } from './chat.input';
import { chatReply, isSettled } from './chat.reply';
import { ToolCaller } from './tool.caller';

interface Toolbox {
  tools: readonly Tool[];
  offered: readonly ToolDescription[];
}

const NO_TOOLS: Toolbox = { tools: [], offered: [] };

/** One message in, one answer out; the model decides in between whether tools are called. */
@Injectable()
export class ChatService {
  private readonly log = new Logger('Chat');
  private toolbox?: Toolbox;

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
    caller: CallerIdentity,
    gone: AbortSignal,
    shutdown: AbortSignal,
  ): Promise<ChatResponseDto> {
    const { tools, offered } =
      request.auto_tool_call === false ? NO_TOOLS : this.openToolbox();
    const calls: CalledTool[] = [];
    const made = new Map<string, Promise<CalledTool>>();
    let asked = 0;
    let until: AbortSignal | undefined;
    const answer = await this.models.run({
      model: this.config.upstream.chatModel,
      input: chatInput(request),
      tools: offered,
      callTool: async (call) => {
        gone.throwIfAborted();
        // In the order in which they were asked for, whichever ends first.
        const place = asked++;
        until ??= AbortSignal.any([gone, shutdown]);
        const context = { request, caller, tools, until };
        // A model that asks for the same again gets the same again: nothing is bought twice.
        const key = JSON.stringify([call.name, call.arguments]);
        const first = made.get(key) ?? this.toolCaller.call(call, context);
        made.set(key, first);
        calls[place] = { ...(await first), callId: call.callId };
        return calls[place].output;
      },
      stopWhen: () => isSettled(calls),
      signal: gone,
    });
    if (answer.failure) {
      this.log.warn(`A turn of the model failed: ${answer.failure.code}`);
    }
    return chatReply(answer, calls);
  }

  /** The tools register while the application starts, so they are all there when the first request comes. */
  private openToolbox(): Toolbox {
    if (!this.toolbox) {
      const tools = this.registry.list();
      this.toolbox = { tools, offered: tools.map(({ offered }) => offered) };
    }
    return this.toolbox;
  }
}
