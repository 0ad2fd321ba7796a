import { Webhook } from 'standardwebhooks';
import { digitsOf } from '../../runs/record/run-id';
import type { EndedInvocation } from './webhook.store';

/**
 * The payload of a webhook: which invocation ended and how, or that it waits for a decision, with its metadata. The result itself is read with the key or
 * token of its owner.
 */
export interface WebhookMessage {
  /** The same in every attempt, so that a receiver can detect duplicates. */
  id: string;
  body: string;
}

export function messageOf(run: EndedInvocation): WebhookMessage {
  const event = run.isResponse ? responseEvent(run) : runEvent(run);
  const id = `msg_${run.id}${waits(run) ? `_${run.waitingSinceMs}` : ''}`;
  return { id, body: JSON.stringify(event) };
}

function waits({ status }: EndedInvocation): boolean {
  return status === 'requires_action';
}

function runEvent(ended: EndedInvocation): object {
  const { id, tool, status, metadata, error } = ended;
  const atMs = waits(ended) ? ended.waitingSinceMs : ended.completedMs;
  return {
    type: `invocation.${status}`,
    timestamp: new Date(atMs!).toISOString(),
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
