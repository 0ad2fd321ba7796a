import type { WebhookFault } from '../errors';

/** Why one try to deliver failed. */
export class DeliveryFault extends Error {
  override readonly name = 'DeliveryFault';

  constructor(
    readonly code: WebhookFault,
    readonly options: {
      /** For the log at debug level only: it may name hosts. */
      cause?: unknown;
      retryAfterMs?: number;
      /** The receiver wants to hear nothing any more. */
      final?: boolean;
    } = {},
  ) {
    super(code, { cause: options.cause });
  }
}
