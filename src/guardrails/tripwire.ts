export const SAFE_TEXT = 'This cannot be answered.';

/** What a guardrail throws to refuse a text. */
export class Tripwire extends Error {
  override readonly name = 'Tripwire';

  /** @param safeText what the user is told, instead of anything that the text held. */
  constructor(readonly safeText: string = SAFE_TEXT) {
    super('The guardrail refused the text.');
  }
}
