import { Injectable } from '@nestjs/common';
import type { Response } from 'openai/resources/responses/responses';
import { AppConfig } from '../../config/config';
import { LearntModels } from '../models/learnt-models';
import { RefusedParameters } from '../models/refused-parameters';
import { isUnexplainedRefusal } from '../models/unexplained-refusal';
import { converse } from '../turns/turn-loop';
import type { ModelAnswer, ModelRequest } from '../turns/model.types';
import { refusesHosted } from '../models/refusals';
import { ResponsesConversation } from './responses-conversation';
import { toFunctionTools, toInputItems } from './responses-input';
import { HostedToolsFallback } from './hosted-tools-fallback';
import { withPlainMessages } from './plain-messages';
import { readCalls, readContent } from './responses-output';
import { withReadText } from './responses-text';
import { ResponseReader } from './responses-stream';
import { DeltaEmitter } from '../turns/delta-emitter';
import { responsesSampling } from '../turns/sampling';
import { outputTokensOf } from '../models/context-window';
import { noteCutPrompt } from '../models/cut-prompt';
import { callsAtOnce, responsesChoice } from '../turns/tool-choice';
import { TurnText } from '../turns/turn-text';
import { TurnTimeout } from '../turns/turn-timeout';
import { postTurn } from '../turns/turn-request';
import { UpstreamClient } from '../upstream/upstream.client';
import { UpstreamError } from '../upstream/upstream-error';

/** Every turn sends the whole conversation. */
const STATELESS = 'responses are not stored';

/** Function calling over the Responses API. */
@Injectable()
export class ResponsesEngine {
  private readonly hosted: HostedToolsFallback;
  /** Of the sampling alone: a conversation cannot do without anything else. */
  private readonly parameters: RefusedParameters;

  constructor(
    private readonly upstream: UpstreamClient,
    private readonly config: AppConfig,
    private readonly learnt: LearntModels,
  ) {
    this.hosted = new HostedToolsFallback(config, learnt);
    this.parameters = new RefusedParameters(learnt, 'responses');
  }

  get maxTurns(): number {
    return this.config.upstream.maxTurns;
  }

  /** @throws the signal's reason, or what `callTools` throws. A failed turn is part of the answer. */
  run(
    request: ModelRequest,
    emitter = new DeltaEmitter(request.onDelta),
  ): Promise<ModelAnswer> {
    const { model } = request;
    const conversation = new ResponsesConversation(toInputItems(request.input));
    const tools = toFunctionTools(request.tools);
    return converse(request, emitter, this.maxTurns, async (_, choice) => {
      const body = {
        model,
        ...(tools.length > 0 && { tools }),
        ...responsesChoice(choice, tools),
        ...callsAtOnce(request, tools),
      };
      const response = await this.takeTurn(
        body,
        conversation,
        request,
        emitter,
      );
      return {
        id: response.id,
        usage: response.usage,
        calls: () => readCalls(response),
        content: () => readContent(response),
        add: (outputs) => {
          if (!storesResponses(response)) this.noteStateless(model);
          conversation.add(response, outputs);
        },
      };
    });
  }

  /**
   * @param request its `hosted` tools are added to the body. If they are refused, the turn is repeated without them.
   * @throws AppError, or the signal's reason.
   */
  async takeTurn(
    body: { model: string; tools?: readonly object[] },
    conversation: ResponsesConversation,
    request: Omit<ModelRequest, 'input' | 'callTools'>,
    emitter: DeltaEmitter,
  ): Promise<Response> {
    const { input } = conversation.complete();
    const text = new TurnText(request, input, emitter);
    const response = await this.request(
      body,
      conversation,
      request,
      emitter,
      text,
    );
    const { usage } = response;
    const prompt = { ...body, input };
    noteCutPrompt(this.learnt, body.model, prompt, usage?.input_tokens);
    return withReadText(withPlainMessages(response), text);
  }

  private async request(
    body: { model: string; tools?: readonly object[] },
    conversation: ResponsesConversation,
    request: Omit<ModelRequest, 'input' | 'callTools'>,
    emitter: DeltaEmitter,
    text: TurnText,
  ): Promise<Response> {
    const { signal, spending, hosted = [] } = request;
    const timeout = new TurnTimeout(this.config.upstream.turnTimeoutMs, signal);
    const { model } = body;
    const sampling = { model, ...responsesSampling(request.sampling) };
    const limit = request.sampling?.maxTokens === undefined && {
      max_output_tokens: outputTokensOf(model, this.config, this.learnt),
    };
    const send = (whole: object): Promise<Response> =>
      this.parameters.send(
        sampling,
        async (sampled) =>
          withCut(
            await postTurn(
              this.upstream,
              { path: '/responses', body: { ...whole, ...sampled }, spending },
              timeout,
              emitter,
              () => new ResponseReader(text.sink()),
            ),
            sampled as { max_output_tokens?: number },
          ),
        () => emitter.unsent,
        limit || {},
      );
    const post = async (input: object): Promise<Response> => {
      const extended = this.hosted.withHosted(body, hosted);
      try {
        return await send({ ...extended, ...input });
      } catch (error) {
        const mayBeHosted = refusesHosted(error) || isUnexplainedRefusal(error);
        if (extended === body || !emitter.unsent || !mayBeHosted) throw error;
        const response = await send({ ...body, ...input });
        this.hosted.noteRefusal(body.model, error);
        return response;
      }
    };
    try {
      if (
        !conversation.previousId ||
        this.learnt.knows(body.model, STATELESS)
      ) {
        return await post(conversation.complete());
      }
      try {
        return await post(conversation.continuation());
      } catch (error) {
        if (!mayBeStateless(error) || !emitter.unsent) throw error;
        const response = await post(conversation.complete());
        this.noteStateless(body.model);
        return response;
      }
    } finally {
      timeout.stop();
    }
  }

  private noteStateless(model: string): void {
    this.learnt.learn(model, STATELESS);
  }
}

/** Some endpoints report that they store nothing, and then accept ids of responses without an error. */
function storesResponses(response: Response): boolean {
  return (response as { store?: boolean }).store !== false;
}

/**
 * Gateways that do not store responses refuse their ids with many different messages, or miss the call that an output
 * belongs to. If the message is ambiguous, the whole conversation is sent once to find out.
 */
function mayBeStateless(error: unknown): boolean {
  return (
    error instanceof UpstreamError &&
    error.code !== 'model_not_found' &&
    [400, 404, 422].includes(error.fault.status ?? 0)
  );
}

/** llama.cpp does not say that the limit of the output has cut an answer off, only how many tokens it has. */
function withCut(
  response: Response,
  { max_output_tokens: limit = Infinity }: { max_output_tokens?: number },
): Response {
  const isCut = Number(response.usage?.output_tokens) >= limit;
  return isCut && !response.incomplete_details
    ? { ...response, incomplete_details: { reason: 'max_output_tokens' } }
    : response;
}
