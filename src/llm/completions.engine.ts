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
import { RefusedParameters } from './refused.parameters';
import { Telling } from './telling';
import { TurnClock } from './turn.clock';
import { postTurn } from './turn.post';
import { UpstreamClient } from './upstream.client';

/** Function calling over Chat Completions. The endpoint remembers nothing: it is told the whole conversation every time. */
@Injectable()
export class CompletionsEngine {
  /** Some endpoints refuse to be asked for the usage of a stream. */
  private readonly refused = new RefusedParameters();

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
    return converse(request, telling, this.maxTurns, async (last) => {
      const body = {
        model: request.model,
        messages,
        ...(tools.length > 0 && { tools }),
        ...(last && tools.length > 0 && { tool_choice: 'none' }),
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
    const post = (whole: object): Promise<ChatCompletion> =>
      postTurn(
        this.upstream,
        { path: '/chat/completions', body: whole },
        clock,
        telling,
        () => new CompletionReader(telling),
      );
    const whole = {
      ...body,
      ...(telling.streams && { stream_options: { include_usage: true } }),
    };
    try {
      return await this.refused.ask(whole, post, () => telling.quiet);
    } finally {
      clock.stop();
    }
  }
}
