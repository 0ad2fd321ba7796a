import { Injectable } from '@nestjs/common';
import type { Response } from 'openai/resources/responses/responses';
import { AppConfig } from '../config/config';
import { converse } from './conversation.loop';
import type { ModelAnswer, ModelRequest } from './model.answer';
import { ResponsesConversation } from './responses.conversation';
import { toFunctionTools, toInputItems } from './responses.items';
import { readCalls, readText } from './responses.reply';
import { TurnClock } from './turn.clock';
import { postTurn } from './turn.post';
import { UpstreamClient } from './upstream.client';
import { UpstreamError } from './upstream.error';

/** Function calling over the Responses API. */
@Injectable()
export class ResponsesEngine {
  /** Models whose endpoint does not remember responses: it is told the whole conversation every time. */
  private readonly forgetful = new Set<string>();

  constructor(
    private readonly upstream: UpstreamClient,
    private readonly config: AppConfig,
  ) {}

  /** @throws the signal's reason, or what `callTool` throws. A failing turn is part of the answer. */
  run(request: ModelRequest): Promise<ModelAnswer> {
    const { model, signal } = request;
    const conversation = new ResponsesConversation(toInputItems(request.input));
    const tools = toFunctionTools(request.tools);
    return converse(request, async (last) => {
      const body = {
        model,
        ...(tools.length > 0 && { tools }),
        ...(last && tools.length > 0 && { tool_choice: 'none' }),
      };
      const response = await this.takeTurn(body, conversation, signal);
      return {
        id: response.id,
        usage: response.usage,
        calls: () => readCalls(response),
        text: () => readText(response),
        add: (outputs) => {
          if (!keepsResponses(response)) this.forgetful.add(model);
          conversation.add(response, outputs);
        },
      };
    });
  }

  private async takeTurn(
    body: { model: string },
    conversation: ResponsesConversation,
    signal: AbortSignal,
  ): Promise<Response> {
    const clock = new TurnClock(this.config.upstream.turnTimeoutMs, signal);
    try {
      if (!conversation.previousId || this.forgetful.has(body.model)) {
        return await this.post({ ...body, ...conversation.whole() }, clock);
      }
      try {
        return await this.post({ ...body, ...conversation.rest() }, clock);
      } catch (error) {
        if (!mayHaveForgotten(error)) throw error;
        const response = await this.post(
          { ...body, ...conversation.whole() },
          clock,
        );
        this.forgetful.add(body.model);
        return response;
      }
    } finally {
      clock.stop();
    }
  }

  private post(body: object, clock: TurnClock): Promise<Response> {
    return postTurn(this.upstream, '/responses', body, clock);
  }
}

/** Some endpoints say that they keep nothing, and then take ids of responses without a word. */
function keepsResponses(response: Response): boolean {
  return (response as { store?: boolean }).store !== false;
}

/**
 * Gateways that do not keep responses refuse their ids in many words, or miss the call that an output belongs to. What
 * cannot be told apart by words is told apart by sending everything once.
 */
function mayHaveForgotten(error: unknown): boolean {
  return (
    error instanceof UpstreamError &&
    error.code !== 'model_not_found' &&
    [400, 404, 422].includes(error.fault.status ?? 0)
  );
}
