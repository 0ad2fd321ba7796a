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
