import type { WebhookFault } from '../../platform/errors';

/** The reason why one delivery attempt failed. */
export class DeliveryFault extends Error {
  override readonly name = 'DeliveryFault';

  constructor(
    readonly code: WebhookFault,
    readonly options: {
      /** Logged at debug level only: it may contain host names. */
      cause?: unknown;
      retryAfterMs?: number;
      /** The receiver has stopped delivery. */
      final?: boolean;
    } = {},
  ) {
    super(code, { cause: options.cause });
  }
}
