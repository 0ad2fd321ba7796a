import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { AppConfig } from '../../config/config';
import { addUsage } from '../turns/model.types';
import { LearntModels } from '../models/learnt-models';
import { noteContext } from '../models/context-window';
import { isCutPrompt, TokenCounter } from '../tokens/token-counter';
import { TurnTimeout } from '../turns/turn-timeout';
import { costIn, costInHeader, labelIn } from '../upstream/reply-fields';
import {
  UpstreamClient,
  type UpstreamReply,
} from '../upstream/upstream.client';
import { contextExceeded, UpstreamError } from '../upstream/upstream-error';
import { describeReply, modelCall } from '../upstream/model-span';
import { completionBody, completionPath } from './completion-body';
import { CompletionForms } from './completion-form';
import { BOUNDS, withoutBounds } from './schema-bounds';
import { readReply } from './completion-reply';
import {
  type Completion,
  type CompletionRequest,
  RequestFormRefused,
} from './completion.types';
import { jsonInText } from './json-in-text';

/** Of a reply: the longest output of any model is far below. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The output limit that the reasoning of a model and its answers need. */
const OUTPUT_TOKENS = 'single calls: output tokens';

/**
 * Calls a model once, without tools. A call is one HTTP request, whatever happens: whether it is repeated is a decision of
 * the caller, who records every attempt.
 */
@Injectable()
export class CompletionClient {
  private readonly forms: CompletionForms;

  constructor(
    private readonly upstream: UpstreamClient,
    private readonly learnt: LearntModels,
    private readonly tokens: TokenCounter,
    config: AppConfig,
  ) {
    this.forms = new CompletionForms(learnt, config.upstream);
  }

  /**
   * @throws UpstreamError: with effect `none` nothing was started, with `unknown` the call may have been paid.
   * RequestFormRefused if the next attempt takes another form. The signal's reason if it aborts.
   */
  async complete(request: CompletionRequest): Promise<Completion> {
    const { model, schema } = request;
    const form = this.forms.of(request);
    const body = completionBody(request, form);
    const { body: sent, headers } = await this.post(
      request,
      completionPath(form),
      body,
    ).catch((error: unknown) => {
      noteContext(this.learnt, model, error);
      throw error instanceof UpstreamError &&
        this.forms.noteRefusal(request, form, body, error)
        ? new RequestFormRefused(error)
        : error;
    });
    const { text, finish, reasoned, ...reported } = readReply(
      form.protocol,
      sent,
    );
    const isCut = reasoned && finish === 'length';
    if (reasoned) this.learnRoom(request, isCut);
    const usage = addUsage(null, reported);
    this.learnFrom(request, usage?.input_tokens ?? 0);
    const fits = (found: object): boolean => hasFields(found, schema?.schema);
    const value = schema && jsonInText(text, finish !== 'length', fits);
    if (form.nativeSchema && finish === 'stop' && !obeys(value, schema))
      this.forms.noteIgnoredSchema(model, form);
    return {
      text,
      ...(value !== undefined && { value }),
      model: labelIn((sent as { model?: unknown }).model) ?? model,
      finish,
      ...(isCut && { reasoningCut: true as const }),
      usage,
      ...costOf(headers, sent),
    };
  }

  /** The output limit that calls of the model are known to need for its reasoning; 0 if it needs none. */
  outputTokens(model: string): number {
    return this.learnt.value(model, OUTPUT_TOKENS) ?? 0;
  }

  /** Remembers how much room the reasoning of a model takes, as long as it reasons. */
  private learnRoom(
    { model, maxTokens }: CompletionRequest,
    isCut: boolean,
  ): void {
    const value = Math.max(
      this.outputTokens(model),
      isCut ? Math.floor(maxTokens) * 2 : 0,
    );
    if (value > 0) this.learnt.learn(model, OUTPUT_TOKENS, { value });
  }

  /** @throws UpstreamError if the endpoint read only a part of the prompt. */
  private learnFrom(request: CompletionRequest, tokens: number): void {
    const { model } = request;
    const texts = textsOf(request);
    if (!isCutPrompt(() => texts, tokens))
      return this.tokens.learn(model, texts, tokens);
    const cut = contextExceeded('unknown', {}, tokens);
    noteContext(this.learnt, model, cut);
    throw cut;
  }

  private async post(
    { model, signal, timeoutMs }: CompletionRequest,
    path: string,
    body: object,
  ): Promise<UpstreamReply<unknown>> {
    const timeout = new TurnTimeout(timeoutMs, signal);
    try {
      return await modelCall(model, async (span) => {
        const reply = await this.upstream.reply({
          method: 'POST',
          path,
          body,
          signal: timeout.signal,
          maxBytes: MAX_BYTES,
          once: true,
        });
        describeReply(span, Object(reply.body) as object);
        return reply;
      });
    } catch (error) {
      signal.throwIfAborted();
      throw timeout.signal.aborted && error === timeout.signal.reason
        ? new UpstreamError('upstream_timeout', 'unknown')
        : error;
    } finally {
      timeout.stop();
    }
  }
}

/** All texts of the prompt. A schema is part of it, in whatever form it is sent. */
function textsOf({ messages, schema }: CompletionRequest): string[] {
  const texts = messages.map(({ content }) => content);
  return schema ? [...texts, JSON.stringify(schema.schema)] : texts;
}

/** Whether a value has the top-level fields of a schema. This is no validation, but without them the schema was ignored. */
function hasFields(value: object, schema: object = {}): boolean {
  const { required = [] } = schema as { required?: string[] };
  return required.every((field) => Object.hasOwn(value, field));
}

/** Whether a value fits a schema, bounds of its texts and lists aside: servers enforce those least of all. */
function obeys(
  value: object | undefined,
  schema: CompletionRequest['schema'],
): boolean {
  if (!value || !hasFields(value, schema?.schema)) return false;
  const unbounded = withoutBounds(schema!.schema, BOUNDS) as Parameters<
    typeof z.fromJSONSchema
  >[0];
  try {
    return z.fromJSONSchema(unbounded).safeParse(value).success;
  } catch {
    // A schema that cannot be checked here.
    return true;
  }
}

/** Nothing if the gateway does not report it: in a header, or beside the tokens. */
function costOf(
  headers: UpstreamReply<unknown>['headers'],
  reply: unknown,
): { costUsd?: number } {
  const costUsd =
    costInHeader(headers) ?? costIn((reply as { usage?: unknown }).usage);
  return costUsd === undefined ? {} : { costUsd };
}
