import type { Stage } from './guardrail';

/** A guardrail has refused something, or has failed: nothing of it may go on. */
export class GuardrailTripped extends Error {
  /** @param name of the guardrail. @param safeText what the user is told. */
  constructor(
    override readonly name: string,
    readonly stage: Stage,
    readonly safeText: string,
    readonly toolName?: string,
  ) {
    super(`A guardrail refused what it was shown (${stage}).`);
  }
}
