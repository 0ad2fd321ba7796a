import type { ModelUsage } from '../turns/model.types';
import { UpstreamError } from '../upstream/upstream-error';

export interface CompletionMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface CompletionSchema {
  /** 1 to 64 letters, digits, `_` or `-`. */
  readonly name: string;
  /** A strict JSON Schema: every field required, no additional ones. */
  readonly schema: object;
}

export interface CompletionRequest {
  readonly model: string;
  readonly messages: readonly CompletionMessage[];
  readonly schema?: CompletionSchema;
  /** Reasoning counts, too. At least 16 are requested: Responses accepts no fewer. */
  readonly maxTokens: number;
  /** Limit of the whole call. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export type CompletionFinish = 'stop' | 'length' | 'filtered' | 'other';

export interface Completion {
  /** Without reasoning. Empty if the model wrote none. */
  readonly text: string;
  /** The JSON object or list in the text, if a schema was requested. It is not validated. Undefined if there is none. */
  readonly value?: unknown;
  /** As the endpoint names it. */
  readonly model: string;
  readonly finish: CompletionFinish;
  /** The output limit was reached by reasoning: with more room the model would have answered. */
  readonly reasoningCut?: true;
  readonly usage: ModelUsage | null;
  /** As the gateway reports it. */
  readonly costUsd?: number;
}

/**
 * The endpoint refused the form of the request, and nothing was started. The form is remembered: the next attempt takes
 * another one, so it is no repetition of this failure. There are only a few forms.
 */
export class RequestFormRefused extends UpstreamError {
  constructor(refusal: UpstreamError) {
    super('upstream_rejected', 'none', refusal.fault, refusal);
  }
}
