import { Injectable, Logger } from '@nestjs/common';
import { AppError } from '../platform/errors';
import { Guardrails } from '../tools/guardrails/guardrails';
import { report } from '../platform/metrics/facts';
import { graceAfter } from '../runs/record/time-limit';
import { ChatSubmitter } from './background/chat-submitter';
import type { ChatRequest } from './dto/chat.dto';
import type { ChatReply } from './dto/chat-response.dto';
import { chatInput } from './loop/chat-input';
import type { ChatResult } from './loop/chat-loop-parts';
import { ChatOptions } from './loop/chat-options';
import {
  type ChatOrigin,
  ChatRunner,
  type ChatStart,
} from './loop/chat-runner';
import { ChatStreamObserver } from './stream/chat-stream-observer';
import type { ChatEvent, EmitChatEvent } from './stream/chat-event';
import type { Turn } from './turns/chat-turn';

/** Shorter than the server waits for open replies when it closes. */
const GRACE_MS = 4_000;
const NO_DECISIONS: ChatStart['decisions'] = new Map();

/**
 * Chats whose client waits for the reply. They run in this process, and get a record only if they need a decision of the
 * user.
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
   * @param disconnected ends everything but the runs that were started.
   * @param shutdown ends the wait for tools.
   * @throws AppError `validation_failed`, `capacity_exceeded` if there is no room for a record, or the reason of
   * `disconnected`.
   */
  async reply(
    request: ChatRequest,
    origin: ChatOrigin,
    disconnected: AbortSignal,
    shutdown: AbortSignal,
  ): Promise<ChatReply> {
    this.check(request, origin);
    return (await this.run(request, origin, disconnected, shutdown)).reply;
  }

  /**
   * The same with events as they happen. Invalid input is refused before the first event.
   * @returns the work, which resolves after `completed` or `error` was emitted, or when the client disconnects.
   * @throws AppError `validation_failed`.
   */
  stream(
    request: ChatRequest,
    origin: ChatOrigin,
    disconnected: AbortSignal,
    shutdown: AbortSignal,
  ): (emit: EmitChatEvent) => Promise<void> {
    this.check(request, origin);
    return async (emit) => {
      const grace = graceAfter(shutdown, GRACE_MS);
      const signal = AbortSignal.any([disconnected, grace.signal]);
      let emitted = false;
      try {
        const { reply, answer } = await this.run(
          request,
          origin,
          signal,
          shutdown,
          {
            emit: (delta) => {
              emitted = true;
              emit({ type: 'delta', data: delta });
            },
            observer: new ChatStreamObserver(emit, this.guardrails),
          },
        );
        if (answer.failure && emitted) emit(errorEvent(answer.failure, reply));
        else emit({ type: 'completed', data: reply });
      } catch (error) {
        if (disconnected.aborted) return;
        emit(errorEvent(this.toAppError(error, signal)));
      } finally {
        grace.clear();
      }
    };
  }

  private check(request: ChatRequest, { caller }: ChatOrigin): void {
    chatInput(request);
    this.options.check(request, caller.scopes);
  }

  private toAppError(error: unknown, signal: AbortSignal): AppError {
    if (signal.aborted) return new AppError('shutting_down');
    if (error instanceof AppError) return error;
    this.log.error(error);
    return new AppError('internal_error');
  }

  /** Counts how the chat ends. */
  private async run(
    ...chat: Parameters<ChatService['answer']>
  ): Promise<ChatResult> {
    const begunAt = performance.now();
    const [request, , signal] = chat;
    const model = request.model ?? undefined;
    const ended = (status: string, code?: string): void => {
      const seconds = (performance.now() - begunAt) / 1_000;
      report('chat_ended', { status, code, model, seconds });
    };
    try {
      const result = await this.answer(...chat);
      const { status, error } = result.reply;
      ended(status, error?.code);
      return result;
    } catch (error) {
      if (signal.aborted) ended('cancelled', 'cancelled');
      else
        ended(
          'failed',
          error instanceof AppError ? error.code : 'internal_error',
        );
      throw error;
    }
  }

  private async answer(
    request: ChatRequest,
    origin: ChatOrigin,
    signal: AbortSignal,
    shutdown: AbortSignal,
    receivers: Pick<ChatStart, 'emit' | 'observer'> = {},
  ): Promise<ChatResult> {
    const turns: Turn[] = [];
    const result = await this.runner.run({
      request,
      origin,
      turns,
      decisions: NO_DECISIONS,
      signal,
      waitSignals: [signal, shutdown],
      ...receivers,
    });
    const { reply, requiredAction } = result;
    if (!requiredAction) return result;
    // A disconnected client never learns the id of the record.
    signal.throwIfAborted();
    const suspended = await this.records.park(request, origin, {
      reply,
      requiredAction,
      turns,
    });
    if (signal.aborted) await this.records.forget(suspended);
    signal.throwIfAborted();
    return { ...result, reply: suspended };
  }
}

/** What tools gave is not lost with the answer of the model. */
function errorEvent(
  { code, message, retryable }: AppError,
  reply?: ChatReply,
): ChatEvent {
  const found = reply?.tool_called ? { reply } : {};
  return { type: 'error', data: { code, message, retryable, ...found } };
}
