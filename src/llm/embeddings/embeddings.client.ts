import { finished, Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { AppError } from '../../platform/errors';
import { report } from '../../platform/metrics/facts';
import type { Spending } from '../prices/spending';
import { estimatedTokens } from '../turns/seen-tokens';
import { TurnTimeout } from '../turns/turn-timeout';
import { describeReply, modelCall } from '../upstream/model-span';
import { costIn, costInHeader, tokensIn } from '../upstream/reply-fields';
import { withRetries } from '../upstream/retry';
import { UpstreamClient } from '../upstream/upstream.client';
import { EmbeddingReply } from './embedding-reply';

/** A text, texts, the ids of a text's tokens, or those of several texts. */
export type EmbeddingInput = string | string[] | number[] | number[][];

/** The body of a request, as the endpoint gets it. */
export interface EmbeddingRequest {
  readonly model: string;
  readonly input: EmbeddingInput;
  readonly dimensions?: number;
  readonly encoding_format?: 'float' | 'base64';
  readonly user?: string;
}

/**
 * Passes requests for embeddings on to the endpoint. The vectors are not read: thousands of them take longer to parse than
 * other requests may wait.
 */
@Injectable()
export class EmbeddingsClient {
  constructor(
    private readonly upstream: UpstreamClient,
    private readonly config: AppConfig,
  ) {}

  /**
   * @param spending counts the call once its reply is over; a reply without usage, or that breaks off, by an estimate.
   * @returns the JSON of the reply. A stream breaks off with the connection to the endpoint, or when `signal` aborts.
   * @throws UpstreamError, AppError `upstream_timeout`, or the reason of `signal`.
   */
  async create(
    request: EmbeddingRequest,
    signal: AbortSignal,
    spending: Spending,
  ): Promise<Buffer | Readable> {
    const { model } = request;
    const timeout = new TurnTimeout(this.config.upstream.turnTimeoutMs, signal);
    try {
      const reply = await withRetries(timeout, () =>
        timeout.whole(this.begin(request, timeout.signal)),
      );
      if (reply.whole) {
        timeout.stop();
        settle(request, reply, spending);
        return reply.whole;
      }
      const stream = Readable.from(reply.passOn(timeout), {
        objectMode: false,
      });
      finished(stream, () => {
        timeout.stop();
        reply.close();
        settle(request, reply, spending);
      });
      return stream;
    } catch (error) {
      timeout.stop();
      if (error instanceof AppError)
        report('model_answered', { engine: ENGINE, model, code: error.code });
      throw error;
    }
  }

  private begin(
    body: EmbeddingRequest,
    signal: AbortSignal,
  ): Promise<EmbeddingReply> {
    const call = { method: 'POST', path: '/embeddings', body, signal } as const;
    return modelCall(
      body.model,
      async (span) => {
        const opened = await this.upstream.open(call);
        const reply = await EmbeddingReply.begin(opened, signal);
        describeReply(span, { usage: usageOf(reply) });
        return reply;
      },
      ENGINE,
    );
  }
}

const ENGINE = 'embeddings';

/** An embedding has no output. */
function usageOf(reply: EmbeddingReply): object {
  return { completion_tokens: 0, ...reply.usage };
}

function settle(
  { model, input }: EmbeddingRequest,
  reply: EmbeddingReply,
  spending: Spending,
): void {
  const usage = usageOf(reply);
  const tokens = tokensIn(usage) ?? {
    input_tokens: estimateOf(input),
    output_tokens: 0,
  };
  const reported = costInHeader(reply.headers) || undefined;
  const usd = reported ?? costIn(usage);
  const { usd: cost, source } = spending.add({ models: [model], usd, tokens });
  report('model_answered', {
    engine: ENGINE,
    model,
    inputTokens: tokens.input_tokens,
  });
  if (cost !== null) report('chat_paid', { model, usd: cost, source });
}

function estimateOf(input: EmbeddingInput): number {
  const all = [input].flat(2) as (string | number)[];
  if (typeof all[0] === 'number') return all.length;
  const text = all.join('\n');
  return estimatedTokens(text, text.length);
}
