import { Injectable } from '@nestjs/common';
import type {
  ChatCompletion,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { AppConfig } from '../config/config';
import {
  toCompletionMessages,
  toCompletionTools,
} from './completions.messages';
import {
  calledTurn,
  readCompletionCalls,
  readCompletionText,
  readCompletionUsage,
} from './completions.reply';
import { converse } from './conversation.loop';
import type { ModelAnswer, ModelRequest } from './model.answer';
import { TurnClock } from './turn.clock';
import { postTurn } from './turn.post';
import { UpstreamClient } from './upstream.client';

/** Function calling over Chat Completions. The endpoint remembers nothing: it is told the whole conversation every time. */
@Injectable()
export class CompletionsEngine {
  constructor(
    private readonly upstream: UpstreamClient,
    private readonly config: AppConfig,
  ) {}

  /** @throws the signal's reason, or what `callTool` throws. A failing turn is part of the answer. */
  run(request: ModelRequest): Promise<ModelAnswer> {
    const messages = toCompletionMessages(request.input);
    const tools = toCompletionTools(request.tools);
    return converse(request, async (last) => {
      const body = {
        model: request.model,
        messages,
        ...(tools.length > 0 && { tools }),
        ...(last && tools.length > 0 && { tool_choice: 'none' }),
      };
      const completion = await this.takeTurn(body, request.signal);
      const calls = readCompletionCalls(completion);
      return {
        id: completion.id,
        ...readCompletionUsage(completion),
        calls: () => calls,
        text: () => readCompletionText(completion),
        add: (outputs) => {
          messages.push(...calledTurn(completion, calls, outputs));
        },
      };
    });
  }

  private async takeTurn(
    body: { messages: readonly ChatCompletionMessageParam[] },
    signal: AbortSignal,
  ): Promise<ChatCompletion> {
    const clock = new TurnClock(this.config.upstream.turnTimeoutMs, signal);
    try {
      return await postTurn<ChatCompletion>(
        this.upstream,
        '/chat/completions',
        body,
        clock,
      );
    } finally {
      clock.stop();
    }
  }
}
