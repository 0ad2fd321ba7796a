/** Of one request body; more is refused with 413. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** Code that walks a body recurses, and must not overflow the stack. */
export const MAX_BODY_DEPTH = 200;
/** Values and keys of one body. Parsing and walking so many takes milliseconds; a million take seconds. */
export const MAX_BODY_VALUES = 25_000;

/** The limits of one body. */
export interface BodyLimits {
  readonly bytes: number;
  /** From the headers to the last byte. */
  readonly timeoutMs: number;
}
