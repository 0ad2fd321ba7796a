import { Injectable } from '@nestjs/common';
import type { ChatCompletion } from 'openai/resources/chat/completions';
import { AppConfig } from '../../config/config';
import {
  toCompletionMessages,
  toCompletionTools,
} from './completions-messages';
import {
  calledTurn,
  readCompletion,
  readCompletionCalls,
  readCompletionUsage,
  withReadText,
} from './completions-reply';
import { CompletionReader } from './completions-stream';
import { converse } from '../turns/turn-loop';
import type { ModelAnswer, ModelRequest } from '../turns/model.types';
import { LearntModels } from '../models/learnt-models';
import { RefusedParameters } from '../models/refused-parameters';
import { DeltaEmitter } from '../turns/delta-emitter';
import { completionsLimit, completionsSampling } from '../turns/sampling';
import { outputTokensOf } from '../models/context-window';
import { noteCutPrompt } from '../models/cut-prompt';
import { profileOf, reasons } from '../models/model-profile';
import { callsAtOnce, completionsChoice } from '../turns/tool-choice';
import { TurnText } from '../turns/turn-text';
import { TurnTimeout } from '../turns/turn-timeout';
import { postTurn } from '../turns/turn-request';
import { UpstreamClient } from '../upstream/upstream.client';

/** Function calling over Chat Completions. The endpoint stores nothing: every turn sends the whole conversation. */
@Injectable()
export class CompletionsEngine {
  /** Parameters that the endpoint refused: some refuse `stream_options`, which asks for the usage of a stream. */
  private readonly parameters: RefusedParameters;

  constructor(
    private readonly upstream: UpstreamClient,
    private readonly config: AppConfig,
    private readonly learnt: LearntModels,
  ) {
    this.parameters = new RefusedParameters(learnt, 'completions');
  }

  get maxTurns(): number {
    return this.config.upstream.maxTurns;
  }

  /** @throws the signal's reason, or what `callTools` throws. A failed turn is part of the answer. */
  run(
    request: ModelRequest,
    emitter = new DeltaEmitter(request.onDelta),
  ): Promise<ModelAnswer> {
    const messages = toCompletionMessages(request.input);
    const tools = toCompletionTools(request.tools);
    return converse(request, emitter, this.maxTurns, async (_, choice) => {
      const body = {
        model: request.model,
        messages,
        ...(tools.length > 0 && { tools }),
        ...completionsChoice(choice, tools),
        ...callsAtOnce(request, tools),
      };
      const completion = await this.takeTurn(body, request, emitter);
      const calls = readCompletionCalls(completion);
      return {
        id: completion.id,
        ...readCompletionUsage(completion),
        calls: () => calls,
        content: () => readCompletion(completion),
        add: (outputs) => {
          messages.push(...calledTurn(completion, calls, outputs));
        },
      };
    });
  }

  /** @throws AppError, or the signal's reason. */
  async takeTurn(
    body: { model: string; messages: readonly object[] },
    request: Omit<ModelRequest, 'input' | 'callTools'>,
    emitter: DeltaEmitter,
  ): Promise<ChatCompletion> {
    const { signal, spending, sampling } = request;
    const text = new TurnText(request, body.messages, emitter);
    const timeout = new TurnTimeout(this.config.upstream.turnTimeoutMs, signal);
    const post = (whole: object): Promise<ChatCompletion> =>
      postTurn(
        this.upstream,
        { path: '/chat/completions', body: whole, spending },
        timeout,
        emitter,
        () => new CompletionReader(text.sink()),
      );
    const whole = {
      ...body,
      ...completionsSampling(sampling),
      ...(emitter.streams && { stream_options: { include_usage: true } }),
    };
    try {
      const reply = await this.parameters.send(
        whole,
        post,
        () => emitter.unsent,
        sampling?.maxTokens === undefined ? this.limitOf(body.model) : {},
      );
      const { usage } = reply;
      noteCutPrompt(this.learnt, body.model, body, usage?.prompt_tokens);
      return withReadText(reply, text);
    } finally {
      timeout.stop();
    }
  }

  private limitOf(model: string): object {
    const { modelProfiles } = this.config.upstream;
    const profile = profileOf(model, modelProfiles);
    const tokens = outputTokensOf(model, this.config, this.learnt);
    return completionsLimit(tokens, reasons(profile));
  }
}
