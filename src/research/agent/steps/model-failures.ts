import type { ErrorCode } from '../../../platform/errors';
import { StepSkipped } from '../journal/journal';

/** A role gave no usable answer. */
export class ModelFailed extends Error {
  override readonly name = 'ModelFailed';

  constructor(
    readonly role: string,
    readonly fault: string,
    readonly code: ErrorCode = 'agent_model_failed',
    /** Of the model, where the prompt was too long for it and its endpoint names it. */
    readonly contextTokens?: number,
  ) {
    super(`${role}: ${fault}`);
  }
}

/** A call would pass a limit of tokens or money, or the budget of the key, so it is not begun. */
export class LimitReached extends Error {
  override readonly name = 'LimitReached';

  constructor(readonly limit: 'max_tokens' | 'max_cost_usd' | 'key_budget') {
    super(`The limit ${limit} is reached.`);
  }
}

/** The text that a prompt is to show is no longer the one that was recorded. */
export class MaterialGone extends Error {
  override readonly name = 'MaterialGone';
}

/** The journal has given a step up. */
export function isSkipped(error: unknown): error is StepSkipped {
  return error instanceof StepSkipped;
}
