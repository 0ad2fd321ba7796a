/** A failure that the model and the caller are told, as `{"code","message"}`. */
export class ToolError extends Error {
  override readonly name = 'ToolError';

  /**
   * @param code in capitals, e.g. `NOT_FOUND`.
   * @param message safe to be shown to anybody: no keys, hosts or words of other services' exceptions.
   */
  constructor(
    readonly code: string,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}
