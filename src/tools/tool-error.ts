/** A failure that is returned to the model and the caller, as `{"code","message"}`. */
export class ToolError extends Error {
  override readonly name = 'ToolError';

  /**
   * @param code in capitals, e.g. `NOT_FOUND`.
   * @param message safe to show to any caller: no keys, hosts or texts of foreign errors.
   */
  constructor(
    readonly code: string,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}
