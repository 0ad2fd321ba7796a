import { Injectable } from '@nestjs/common';
import type { ChatCompletion } from 'openai/resources/chat/completions';
import { AppConfig } from '../config/config';
import {
  toCompletionMessages,
  toCompletionTools,
} from './completions.messages';
import {
  calledTurn,
  readCompletion,
  readCompletionCalls,
  readCompletionUsage,
} from './completions.reply';
import { CompletionReader } from './completions.stream';
import { converse } from './conversation.loop';
import type { ModelAnswer, ModelRequest } from './model.answer';
import { Telling } from './telling';
import { completionsChoice } from './tool.choice';
import { TurnClock } from './turn.clock';
import { postTurn } from './turn.post';
import { UpstreamClient } from './upstream.client';
import { UpstreamError } from './upstream.error';

/** Function calling over Chat Completions. The endpoint remembers nothing: it is told the whole conversation every time. */
@Injectable()
export class CompletionsEngine {
  /** Models whose endpoint does not know how to tell the usage of a stream, and refuses to be asked for it. */
  private readonly unmetered = new Set<string>();

  constructor(
    private readonly upstream: UpstreamClient,
    private readonly config: AppConfig,
  ) {}

  get maxTurns(): number {
    return this.config.upstream.maxTurns;
  }

  /** @throws the signal's reason, or what `callTools` throws. A failing turn is part of the answer. */
  run(
    request: ModelRequest,
    telling = new Telling(request.tell),
  ): Promise<ModelAnswer> {
    const messages = toCompletionMessages(request.input);
    const tools = toCompletionTools(request.tools);
    return converse(request, telling, this.maxTurns, async (_, choice) => {
      const body = {
        model: request.model,
        messages,
        ...(tools.length > 0 && { tools }),
        ...completionsChoice(choice, tools),
      };
      const completion = await this.takeTurn(body, request.signal, telling);
      const calls = readCompletionCalls(completion);
      return {
        id: completion.id,
        ...readCompletionUsage(completion),
        calls: () => calls,
        said: () => readCompletion(completion),
        add: (outputs) => {
          messages.push(...calledTurn(completion, calls, outputs));
        },
      };
    });
  }

  /** @throws AppError, or the signal's reason. */
  async takeTurn(
    body: { model: string },
    signal: AbortSignal,
    telling: Telling,
  ): Promise<ChatCompletion> {
    const clock = new TurnClock(this.config.upstream.turnTimeoutMs, signal);
    const post = (more: object): Promise<ChatCompletion> =>
      postTurn(
        this.upstream,
        { path: '/chat/completions', body: { ...body, ...more } },
        clock,
        telling,
        () => new CompletionReader(telling),
      );
    try {
      if (!telling.streams || this.unmetered.has(body.model)) {
        return await post({});
      }
      try {
        return await post({ stream_options: { include_usage: true } });
      } catch (error) {
        if (!refusesUsage(error) || !telling.quiet) throw error;
        this.unmetered.add(body.model);
        return await post({});
      }
    } finally {
      clock.stop();
    }
  }
}

function refusesUsage(error: unknown): boolean {
  return (
    error instanceof UpstreamError &&
    error.definite &&
    /stream_options/.test(`${error.fault.param} ${error.fault.message}`)
  );
}
