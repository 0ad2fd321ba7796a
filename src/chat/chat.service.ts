import { Injectable, Logger } from '@nestjs/common';
import type { CallerIdentity } from '../auth/caller';
import { AppConfig } from '../config/config';
import { AppError } from '../errors';
import { ModelPort } from '../llm/model.port';
import type { MessageDelta } from '../message/delta';
import type { Message } from '../message/message';
import { ToolRegistry } from '../tools/tool.registry';
import type { ChatRequestDto, ChatResponseDto } from './chat.dto';
import type { ChatEvent, TellChat } from './chat.event';
import { chatInput } from './chat.input';
import { chatReply } from './chat.reply';
import { ToolCaller } from './tool.caller';
import { ToolCalls } from './tool.calls';

/** Less than closing the server waits for replies. */
const GRACE_MS = 4_000;

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
    const input = chatInput(request);
    return (await this.answer(input, request, origin, gone, shutdown)).reply;
  }

  /**
   * The same, told while it happens. Bad input is refused before anything is told.
   * @returns what does the work; it resolves when `completed` or `error` was told, or the client is gone.
   * @throws AppError `validation_failed`.
   */
  stream(
    request: ChatRequestDto,
    origin: ChatOrigin,
    gone: AbortSignal,
    shutdown: AbortSignal,
  ): (tell: TellChat) => Promise<void> {
    const input = chatInput(request);
    return async (tell) => {
      const grace = graceAfter(shutdown);
      const leaving = AbortSignal.any([gone, grace.signal]);
      let said = false;
      try {
        const { reply, failure } = await this.answer(
          input,
          request,
          {
            ...origin,
            tell: (event) => {
              said ||= event.type === 'delta';
              tell(event);
            },
          },
          leaving,
          shutdown,
        );
        if (failure && said) tell(errorEvent(failure));
        else tell({ type: 'completed', data: reply });
      } catch (error) {
        if (gone.aborted) return;
        if (!leaving.aborted) this.log.error(error);
        tell(
          errorEvent(
            new AppError(leaving.aborted ? 'shutting_down' : 'internal_error'),
          ),
        );
      } finally {
        grace.clear();
      }
    };
  }

  private async answer(
    input: Message[],
    request: ChatRequestDto,
    origin: ChatOrigin & { tell?: TellChat },
    gone: AbortSignal,
    shutdown: AbortSignal,
  ): Promise<{ reply: ChatResponseDto; failure: AppError | null }> {
    const { tell } = origin;
    const calls = new ToolCalls(
      this.toolCaller,
      this.registry,
      this.config.tools,
      { request, ...origin, until: AbortSignal.any([gone, shutdown]) },
      gone,
    );
    const answer = await this.models.run({
      model: this.config.upstream.chatModel,
      input,
      tools: calls.tools.map(({ offered }) => offered),
      callTools: (asked) => calls.callTools(asked),
      ...(tell && {
        tell: (delta: MessageDelta) => tell({ type: 'delta', data: delta }),
      }),
      signal: gone,
    });
    if (answer.failure) {
      this.log.warn(`A turn of the model failed: ${answer.failure.code}`);
    }
    return { reply: chatReply(answer, calls), failure: answer.failure };
  }
}

function errorEvent({ code, message }: AppError): ChatEvent {
  return { type: 'error', data: { code, message } };
}

/** Aborts a while after `shutdown`: an answer that is nearly whole may still be. `clear` when it is no longer needed. */
function graceAfter(shutdown: AbortSignal): {
  signal: AbortSignal;
  clear: () => void;
} {
  const controller = new AbortController();
  const begin = (): void =>
    void setTimeout(() => controller.abort(), GRACE_MS).unref();
  if (shutdown.aborted) begin();
  else shutdown.addEventListener('abort', begin, { once: true });
  return {
    signal: controller.signal,
    clear: () => shutdown.removeEventListener('abort', begin),
  };
}
