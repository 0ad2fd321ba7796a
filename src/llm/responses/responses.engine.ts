import { Injectable } from '@nestjs/common';
import type { Response } from 'openai/resources/responses/responses';
import { AppConfig } from '../../config/config';
import { isUnexplainedRefusal } from '../models/unexplained.refusal';
import { converse } from '../turns/turn-loop';
import type { ModelAnswer, ModelRequest } from '../model.types';
import { refusesHosted } from '../models/refusals';
import { ResponsesConversation } from './responses.conversation';
import { toFunctionTools, toInputItems } from './responses.input';
import { HostedToolsFallback } from './hosted-tools.fallback';
import { readCalls, readSaid } from './responses.output';
import { ResponseReader } from './responses.stream';
import { DeltaEmitter } from '../turns/delta.emitter';
import { responsesChoice } from '../turns/tool.choice';
import { TurnTimeout } from '../turns/turn-timeout';
import { postTurn } from '../turns/turn.request';
import { UpstreamClient } from '../upstream/upstream.client';
import { UpstreamError } from '../upstream/upstream.error';

/** Function calling over the Responses API. */
@Injectable()
export class ResponsesEngine {
  /** Models whose endpoint does not remember responses: it is told the whole conversation every time. */
  private readonly forgetful = new Set<string>();
  private readonly hosted: HostedToolsFallback;

  constructor(
    private readonly upstream: UpstreamClient,
    private readonly config: AppConfig,
  ) {
    this.hosted = new HostedToolsFallback(config);
  }

  get maxTurns(): number {
    return this.config.upstream.maxTurns;
  }

  /** @throws the signal's reason, or what `callTools` throws. A failing turn is part of the answer. */
  run(
    request: ModelRequest,
    telling = new DeltaEmitter(request.tell),
  ): Promise<ModelAnswer> {
    const { model } = request;
    const conversation = new ResponsesConversation(toInputItems(request.input));
    const tools = toFunctionTools(request.tools);
    return converse(request, telling, this.maxTurns, async (_, choice) => {
      const body = {
        model,
        ...(tools.length > 0 && { tools }),
        ...responsesChoice(choice, tools),
      };
      const response = await this.takeTurn(
        body,
        conversation,
        request.signal,
        telling,
        request.hosted,
      );
      return {
        id: response.id,
        usage: response.usage,
        calls: () => readCalls(response),
        said: () => readSaid(response),
        add: (outputs) => {
          if (!keepsResponses(response)) this.forgetful.add(model);
          conversation.add(response, outputs);
        },
      };
    });
  }

  /**
   * @param hosted names of hosted tools that are added to the body. Where they are refused, the turn is taken without.
   * @throws AppError, or the signal's reason.
   */
  async takeTurn(
    body: { model: string; tools?: readonly object[] },
    conversation: ResponsesConversation,
    signal: AbortSignal,
    telling: DeltaEmitter,
    hosted: readonly string[] = [],
  ): Promise<Response> {
    const clock = new TurnTimeout(this.config.upstream.turnTimeoutMs, signal);
    const send = (whole: object): Promise<Response> =>
      postTurn(
        this.upstream,
        { path: '/responses', body: whole },
        clock,
        telling,
        () => new ResponseReader(telling),
      );
    const post = async (input: object): Promise<Response> => {
      const more = this.hosted.added(body, hosted);
      try {
        return await send({ ...more, ...input });
      } catch (error) {
        const mayBeHosted = refusesHosted(error) || isUnexplainedRefusal(error);
        if (more === body || !telling.quiet || !mayBeHosted) throw error;
        const response = await send({ ...body, ...input });
        this.hosted.note(body.model, error);
        return response;
      }
    };
    try {
      if (!conversation.previousId || this.forgetful.has(body.model)) {
        return await post(conversation.whole());
      }
      try {
        return await post(conversation.rest());
      } catch (error) {
        if (!mayHaveForgotten(error) || !telling.quiet) throw error;
        const response = await post(conversation.whole());
        this.forgetful.add(body.model);
        return response;
      }
    } finally {
      clock.stop();
    }
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
