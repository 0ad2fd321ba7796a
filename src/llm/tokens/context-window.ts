import type { AppConfig } from '../../config/config';
import { bestPattern } from '../../config/name-pattern';
import { learntContext } from '../models/learnt-context';
import type { LearntModels } from '../models/learnt-models';

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
export function outputTokensOf(model: string, config: AppConfig): number {
  const { outputTokens } = config.models;
  const limit = outputTokens.get(
    bestPattern(outputTokens.keys(), model) ?? '*',
  )!;
  return Math.min(limit, Math.floor(contextTokensOf(model, config) / 2));
}
