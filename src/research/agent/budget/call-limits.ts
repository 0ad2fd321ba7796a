import type { AgentModel } from '../agent-ports';

/** Of a model's context, what counting may be wrong by. */
const MARGIN = 0.08;
/** A larger prompt is read badly and paid in full. */
const MAX_INPUT = 24_000;

type Model = Pick<AgentModel, 'contextTokens'>;

/**
 * The context that a prompt is made for after one that was too long: as the endpoint names it. Where its number explains
 * nothing, our count of tokens is too low; without a number, half is tried.
 */
export function smallerContext(tokens: number, named?: number): number {
  if (named !== undefined && named < tokens) return named;
  return Math.floor(tokens * (named === undefined ? 0.5 : 0.75));
}

/** The share of tokens, money and time that reading never uses. */
export const WRITING_RESERVE = 0.25;

/** The most tokens of one answer: a small context is not given away to it. */
export function outputLimitOf(
  { contextTokens }: Model,
  wanted: number,
): number {
  return Math.min(wanted, Math.floor(contextTokens / 4));
}

/** The tokens that a prompt leaves for its answer. */
export function contextRoomOf({ contextTokens }: Model, input: number): number {
  return Math.floor(contextTokens * (1 - MARGIN)) - input;
}

/** The most tokens of one prompt. */
export function inputLimitOf(model: Model, output: number): number {
  return Math.min(contextRoomOf(model, output), MAX_INPUT);
}
