import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import {
  EmbeddingsClient,
  type EmbeddingRequest,
} from '../../llm/embeddings/embeddings.client';
import { withForwarded } from '../../llm/upstream/forwarded-headers';
import type { CallerIdentity } from '../../platform/auth/caller';
import { AppError } from '../../platform/errors';
import { readForwarded } from '../../platform/http/headers/headers-to-forward';
import {
  noSuchModel,
  OpenAiRefusal,
} from '../../platform/http/openai/openai-error';
import { Budgets, VIEW_MS } from '../../tenants/spend/budgets';
import { Guardrails } from '../../tools/guardrails/guardrails';
import { GuardrailTripped } from '../../tools/guardrails/tripwire';
import { ChatSpending } from '../loop/chat-spending';
import { hasTexts, readEmbeddingBody } from './embedding-body';

const NONE_OFFERED =
  'No embedding model is offered here: the operator names them in RELAY_EMBEDDING_MODELS.';
const UNREADABLE =
  "Unsupported parameter: 'input' is not supported as token ids here, which the guardrails of this service cannot read: send texts.";

interface Origin {
  caller: CallerIdentity;
  requestId: string;
  headers: Readonly<Record<string, string | undefined>>;
  /** Aborts when the client leaves. */
  signal: AbortSignal;
}

/** Embeddings of the endpoint's models, with the guardrails and the budget that chats have. */
@Injectable()
export class Embeddings {
  constructor(
    private readonly client: EmbeddingsClient,
    private readonly guardrails: Guardrails,
    private readonly spending: ChatSpending,
    private readonly budgets: Budgets,
    private readonly config: AppConfig,
  ) {}

  /**
   * @param body as it came.
   * @returns the JSON of the reply.
   * @throws OpenAiRefusal, AppError `content_filter`, `budget_exceeded` or what the endpoint fails with, or the reason of the
   * signal.
   */
  async create(body: unknown, origin: Origin): Promise<Buffer | Readable> {
    const { caller, headers, signal } = origin;
    const { embeddingModels, forwardedHeaders } = this.config.upstream;
    if (embeddingModels.length === 0)
      throw new OpenAiRefusal('model_not_found', NONE_OFFERED, 'model', 404);
    const given = readEmbeddingBody(body);
    if (!embeddingModels.includes(given.model)) throw noSuchModel(given.model);
    const forwarded = readForwarded(headers, forwardedHeaders);
    await this.budgets.check(caller, VIEW_MS);
    const request = await this.guarded(given, origin);
    const spending = this.spending.of({ origin, turns: [] });
    return withForwarded(forwarded, () =>
      this.client.create(request, signal, spending),
    );
  }

  private async guarded(
    request: EmbeddingRequest,
    { caller, requestId, signal }: Origin,
  ): Promise<EmbeddingRequest> {
    const { input } = request;
    if (!this.guardrails.guardsInput) return request;
    if (!hasTexts(input))
      throw new OpenAiRefusal('unsupported_parameter', UNREADABLE, 'input');
    const context = {
      tenant: caller.name,
      requestId,
      consulted: new Set<string>(),
      signal,
    };
    try {
      return {
        ...request,
        input: await this.guardrails.input(input, context),
      };
    } catch (error) {
      if (!(error instanceof GuardrailTripped)) throw error;
      const { name, safeText } = error;
      throw new AppError(
        'content_filter',
        `The guardrail ${name} refused the input: ${safeText}`,
      );
    }
  }
}
