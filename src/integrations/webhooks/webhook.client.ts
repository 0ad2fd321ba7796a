import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Agent, Dispatcher } from 'undici';
import { AppConfig } from '../../config/config';
import {
  isNotPublic,
  outboundAgent,
} from '../../platform/egress/outbound-agent';
import { outboundUrlFault } from '../../config/addresses/outbound-url';
import { readRetryAfter } from '../../platform/egress/retry-after';
import { timeLimit } from '../../runs/record/time-limit';
import { traceHeaders } from '../../platform/tracing/tracing';
import { DeliveryFault } from './webhook-fault';

/** Only the status matters; the rest of the response is discarded. */
const MAX_READ_BYTES = 4_096;

/**
 * Posts to receivers that callers have named. It shares nothing with the client of the model endpoint, follows no
 * redirect, and connects to public addresses only unless the operator allows others.
 */
@Injectable()
export class WebhookClient implements OnApplicationShutdown {
  private readonly agent: Agent;

  constructor(private readonly config: AppConfig) {
    const { allowPrivate, timeoutMs } = config.webhooks;
    this.agent = outboundAgent({ allowPrivate, connectTimeoutMs: timeoutMs });
  }

  /** Resolves when the receiver has accepted the message. @throws DeliveryFault, or the reason of the signal. */
  async post(
    url: string,
    body: string,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<void> {
    const { allowPrivate, timeoutMs } = this.config.webhooks;
    // IP addresses in URLs are never looked up, and the setting may have changed since the submission.
    if (outboundUrlFault(url, allowPrivate))
      throw new DeliveryFault('webhook_refused_address');
    const limit = timeLimit(timeoutMs, signal);
    try {
      check(await this.send(url, body, headers, limit.signal));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DeliveryFault) throw error;
      throw connectionFault(error, limit.signal.aborted);
    } finally {
      limit.clear();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }

  private async send(
    url: string,
    body: string,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const { origin, pathname, search } = new URL(url);
    const reply = await this.agent.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'sonde',
        ...traceHeaders(),
        ...headers,
      },
      body,
      signal,
    });
    // The status decides, even if reading the rest fails.
    await reply.body
      .dump({ limit: MAX_READ_BYTES, signal })
      .catch(() => undefined);
    return reply;
  }
}

function check({ statusCode, headers }: Dispatcher.ResponseData): void {
  if (statusCode >= 200 && statusCode < 300) return;
  const retryLater = statusCode === 429 || statusCode === 503;
  throw new DeliveryFault(`webhook_status_${statusCode}`, {
    retryAfterMs: retryLater
      ? readRetryAfter(headers['retry-after'])
      : undefined,
    final: statusCode === 410,
  });
}

function connectionFault(cause: unknown, timedOut: boolean): DeliveryFault {
  if (isNotPublic(cause))
    return new DeliveryFault('webhook_refused_address', { cause });
  const { code } = cause as NodeJS.ErrnoException;
  return timedOut || code === 'UND_ERR_CONNECT_TIMEOUT'
    ? new DeliveryFault('webhook_timeout', { cause })
    : new DeliveryFault('webhook_unreachable', { cause });
}
