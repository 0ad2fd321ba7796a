import type { AppConfig } from '../../config/config';
import { bestPattern } from '../../config/name-pattern';

/** How many tokens a prompt and its answer may have together for a model. */
export function contextTokensOf(
  model: string,
  { models: { contextTokens } }: AppConfig,
): number {
  return contextTokens.get(bestPattern(contextTokens.keys(), model) ?? '*')!;
}
