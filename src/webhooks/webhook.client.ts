import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, type Dispatcher } from 'undici';
import { AppConfig } from '../config/config';
import { webhookUrlFault } from '../egress/webhook-url';
import { timeLimit } from '../runs/time-limit';
import { lookupPublic, NOT_PUBLIC } from '../egress/public.lookup';
import { DeliveryFault } from './webhook.fault';
import { readRetryAfter } from './webhook.schedule';

/** From the connection to the end of the reply. */
const LIMIT_MS = 10_000;
/** What is said beside the status interests nobody. */
const MAX_READ_BYTES = 4_096;

/**
 * Posts to receivers that callers have named. It shares nothing with the client of the model endpoint, follows no
 * redirect, and connects to public addresses only unless the operator allows others.
 */
@Injectable()
export class WebhookClient implements OnApplicationShutdown {
  private readonly allowPrivate: boolean;
  private readonly agent: Agent;

  constructor({ webhooks }: AppConfig) {
    this.allowPrivate = webhooks.allowPrivate;
    this.agent = new Agent({
      // A connection for every delivery: none outlives the check of its address.
      pipelining: 0,
      connect: {
        timeout: LIMIT_MS,
        ...(!this.allowPrivate && { lookup: lookupPublic }),
      },
    });
  }

  /** Returns when the receiver has taken it. @throws DeliveryFault, or the signal's reason. */
  async post(
    url: string,
    body: string,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<void> {
    // Addresses that are written out are never looked up, and what is allowed may have changed since the submission.
    if (webhookUrlFault(url, this.allowPrivate))
      throw new DeliveryFault('webhook_refused_address');
    const limit = timeLimit(LIMIT_MS, signal);
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
        ...headers,
      },
      body,
      signal,
    });
    // The status is the answer, whatever becomes of the rest.
    await reply.body
      .dump({ limit: MAX_READ_BYTES, signal })
      .catch(() => undefined);
    return reply;
  }
}

function check({ statusCode, headers }: Dispatcher.ResponseData): void {
  if (statusCode >= 200 && statusCode < 300) return;
  const asks = statusCode === 429 || statusCode === 503;
  throw new DeliveryFault(`webhook_status_${statusCode}`, {
    retryAfterMs: asks ? readRetryAfter(headers['retry-after']) : undefined,
    final: statusCode === 410,
  });
}

function connectionFault(cause: unknown, timedOut: boolean): DeliveryFault {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === NOT_PUBLIC)
    return new DeliveryFault('webhook_refused_address', { cause });
  return timedOut || code === 'UND_ERR_CONNECT_TIMEOUT'
    ? new DeliveryFault('webhook_timeout', { cause })
    : new DeliveryFault('webhook_unreachable', { cause });
}
