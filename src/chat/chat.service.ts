import { Injectable, Logger } from '@nestjs/common';
import { AppError } from '../errors';
import { Guardrails } from '../guardrails/guardrails';
import type { ChatRequest } from './dto/chat.dto';
import type { ChatEvent, TellChat } from './stream/chat.event';
import { chatInput } from './loop/chat.input';
import { ChatOptions } from './chat.options';
import { ChatSubmitter } from './background/chat.submitter';
import type { ChatEnd } from './loop/chat.loop';
import {
  type ChatOrigin,
  ChatRunner,
  type ChatStart,
} from './loop/chat.runner';
import type { ChatReply } from './dto/chat-response.dto';
import type { Turn } from './loop/chat.turn';
import { ChatStreamObserver } from './stream/chat-stream.observer';

/** Less than closing the server waits for replies. */
const GRACE_MS = 4_000;
const NO_DECISIONS: ChatStart['decisions'] = new Map();

/**
 * One message in, one answer out; the model decides in between whether tools are called. Chats that are answered while the
 * client waits are carried in this process, and put on record only if they have to wait for a human.
 */
@Injectable()
export class ChatService {
  private readonly log = new Logger('Chat');

  constructor(
    private readonly runner: ChatRunner,
    private readonly records: ChatSubmitter,
    private readonly guardrails: Guardrails,
    private readonly options: ChatOptions,
  ) {}

  /**
   * @param gone the client hung up: ends everything but the tools that were started.
   * @param shutdown this process is going away: ends the wait for tools.
   * @throws AppError `validation_failed`, `capacity_exceeded` where a human has to be waited for, or the reason of `gone`.
   */
  async reply(
    request: ChatRequest,
    origin: ChatOrigin,
    gone: AbortSignal,
    shutdown: AbortSignal,
  ): Promise<ChatReply> {
    this.check(request);
    return (await this.carry(request, origin, gone, shutdown)).reply;
  }

  /**
   * The same, told while it happens. Bad input is refused before anything is told.
   * @returns what does the work; it resolves when `completed` or `error` was told, or the client is gone.
   * @throws AppError `validation_failed`.
   */
  stream(
    request: ChatRequest,
    origin: ChatOrigin,
    gone: AbortSignal,
    shutdown: AbortSignal,
  ): (tell: TellChat) => Promise<void> {
    this.check(request);
    return async (tell) => {
      const grace = graceAfter(shutdown);
      const leaving = AbortSignal.any([gone, grace.signal]);
      let said = false;
      try {
        const { reply, answer } = await this.carry(
          request,
          origin,
          leaving,
          shutdown,
          {
            tell: (delta) => {
              said = true;
              tell({ type: 'delta', data: delta });
            },
            notes: new ChatStreamObserver(tell, this.guardrails),
          },
        );
        if (answer.failure && said) tell(errorEvent(answer.failure));
        else tell({ type: 'completed', data: reply });
      } catch (error) {
        if (gone.aborted) return;
        tell(errorEvent(this.faultOf(error, leaving)));
      } finally {
        grace.clear();
      }
    };
  }

  private check(request: ChatRequest): void {
    chatInput(request);
    this.options.check(request);
  }

  private faultOf(error: unknown, leaving: AbortSignal): AppError {
    if (leaving.aborted) return new AppError('shutting_down');
    if (error instanceof AppError) return error;
    this.log.error(error);
    return new AppError('internal_error');
  }

  private async carry(
    request: ChatRequest,
    origin: ChatOrigin,
    gone: AbortSignal,
    shutdown: AbortSignal,
    told: Pick<ChatStart, 'tell' | 'notes'> = {},
  ): Promise<ChatEnd> {
    const turns: Turn[] = [];
    const end = await this.runner.carry({
      request,
      origin,
      turns,
      decisions: NO_DECISIONS,
      gone,
      until: [gone, shutdown],
      ...told,
    });
    const { reply, waits } = end;
    if (!waits) return end;
    // Nobody would know of it.
    gone.throwIfAborted();
    const kept = { reply, waits, turns };
    const parked = await this.records.park(request, origin, kept);
    if (gone.aborted) await this.records.forget(parked);
    gone.throwIfAborted();
    return { ...end, reply: parked };
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
