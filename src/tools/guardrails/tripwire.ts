import type { Stage } from './guardrail';

export const SAFE_TEXT = 'This cannot be answered.';

/** What a guardrail throws to refuse a text. */
export class Tripwire extends Error {
  override readonly name = 'Tripwire';

  /** @param safeText shown to the user instead of the refused text. */
  constructor(readonly safeText: string = SAFE_TEXT) {
    super('The guardrail refused the text.');
  }
}

/** A guardrail refused a text, or failed: the text is not passed on. */
export class GuardrailTripped extends Error {
  /**
   * @param name of the guardrail.
   * @param safeText shown to the user instead of the refused text.
   */
  constructor(
    override readonly name: string,
    readonly stage: Stage,
    readonly safeText: string,
    readonly toolName?: string,
  ) {
    super(`A guardrail refused a text (${stage}).`);
  }
}
