import type { AppConfig } from '../../config/config';
import { bestPattern } from '../../config/name-pattern';
import { UpstreamError } from '../upstream/upstream-error';
import type { LearntModels } from './learnt-models';

/** What is learnt, with the number of tokens as its value. */
const CONTEXT = 'context tokens';
/** After that, a server may have been given a larger one. */
const LEARNT_MS = 60 * 60_000;

/** Learns the context of a model from a refusal that names it. */
export function noteContext(
  learnt: LearntModels,
  model: string,
  error: unknown,
): void {
  const tokens =
    error instanceof UpstreamError ? error.fault.contextTokens : undefined;
  if (tokens === undefined) return;
  learnt.learn(model, CONTEXT, { value: tokens, ms: LEARNT_MS });
}

/** In tokens; undefined while the endpoint has refused no prompt. */
export function learntContext(
  learnt: LearntModels,
  model: string,
): number | undefined {
  return learnt.value(model, CONTEXT);
}

/**
 * How many tokens a prompt and its answer may have together for a model: as configured, or fewer where its endpoint has
 * said so.
 */
export function contextTokensOf(
  model: string,
  { models: { contextTokens } }: AppConfig,
  learnt?: LearntModels,
): number {
  const pattern = bestPattern(contextTokens.keys(), model) ?? '*';
  const configured = contextTokens.get(pattern)!;
  const known = learnt && learntContext(learnt, model);
  return Math.min(configured, known ?? Infinity);
}

/**
 * How many tokens a model may write in one turn or plain research, unless its caller sets another limit: at most half of its
 * context window. A small model that repeats itself would write until it is full.
 */
export function outputTokensOf(
  model: string,
  config: AppConfig,
  learnt: LearntModels,
): number {
  const { outputTokens } = config.models;
  const limit = outputTokens.get(
    bestPattern(outputTokens.keys(), model) ?? '*',
  )!;
  return Math.min(
    limit,
    Math.floor(contextTokensOf(model, config, learnt) / 2),
  );
}
