import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Webhook } from 'standardwebhooks';
import { AppConfig } from '../../../config/config';
import { AppError } from '../../../platform/errors';

const REFUSED =
  'The headers webhook-id, webhook-timestamp and webhook-signature must be there, signed with OPENAI_WEBHOOK_SECRET ' +
  'over the unchanged body, not more than 300 seconds ago by the clock of this server.';

/** Checks that an event comes from the model endpoint, by https://www.standardwebhooks.com. */
@Injectable()
export class HostedWebhookSignature {
  private readonly webhooks: readonly Webhook[];

  constructor({ upstream }: AppConfig) {
    this.webhooks = upstream.webhookSecrets.map((secret) =>
      secret.startsWith('whsec_')
        ? new Webhook(secret)
        : // As bytes: the package cuts every character of a text to eight bits.
          new Webhook(Buffer.from(secret), { format: 'raw' }),
    );
  }

  /** @throws AppError `invalid_webhook_signature`, also if the timestamp is more than 300 s off, in either direction. */
  verify(headers: IncomingHttpHeaders, body: Buffer): void {
    if (!this.webhooks.some((webhook) => isSigned(webhook, headers, body)))
      throw new AppError('invalid_webhook_signature', REFUSED);
  }
}

function isSigned(
  webhook: Webhook,
  headers: IncomingHttpHeaders,
  body: Buffer,
): boolean {
  try {
    webhook.verify(body, headers as Record<string, string>, {
      jsonParse: false,
    });
    return true;
  } catch {
    // The package reports an invalid signature by throwing.
    return false;
  }
}
