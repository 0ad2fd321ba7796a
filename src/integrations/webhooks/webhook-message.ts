import { Webhook } from 'standardwebhooks';
import { digitsOf } from '../../runs/record/run-id';
import type { EndedInvocation } from './webhook.store';

/**
 * The payload of a webhook: which invocation ended and how, with its metadata. The result itself is read with the key or
 * token of its owner.
 */
export interface WebhookMessage {
  /** The same in every attempt, so that a receiver can detect duplicates. */
  id: string;
  body: string;
}

export function messageOf(ended: EndedInvocation): WebhookMessage {
  const event = ended.isResponse ? responseEvent(ended) : runEvent(ended);
  return { id: `msg_${ended.id}`, body: JSON.stringify(event) };
}

function runEvent(ended: EndedInvocation): object {
  const { id, tool, status, metadata, error, completedMs } = ended;
  return {
    type: `invocation.${status}`,
    timestamp: new Date(completedMs!).toISOString(),
    data: {
      invocation_id: id,
      tool_name: tool,
      status,
      metadata,
      error: error && { code: error.code, retryable: error.retryable },
    },
  };
}

/** https://platform.openai.com/docs/guides/webhooks */
function responseEvent(ended: EndedInvocation): object {
  const { id, status, completedMs } = ended;
  return {
    object: 'event',
    id: `evt_${digitsOf(id)}`,
    type: `response.${status}`,
    created_at: Math.floor(completedMs! / 1_000),
    data: { id: `resp_${digitsOf(id)}` },
  };
}

/** The headers of https://www.standardwebhooks.com, with one signature for each of `secrets`. */
export function signedHeaders(
  { id, body }: WebhookMessage,
  secrets: readonly string[],
  now = new Date(),
): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': secrets
      .map((secret) => new Webhook(secret).sign(id, now, body))
      .join(' '),
  };
}
