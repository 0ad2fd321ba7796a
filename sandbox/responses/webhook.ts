import { createHmac } from 'node:crypto';
import { newId } from '../wire/ids';
import type { WireResponse } from './run';
import type { WebhookSetting } from '../control/settings';

const keyOf = (secret: string) =>
  secret.startsWith('whsec_')
    ? Buffer.from(secret.slice('whsec_'.length), 'base64')
    : Buffer.from(secret);

/** One signed delivery, which contains only the id. Never repeated: the state of the run is authoritative. */
export async function sendWebhook(
  { url, secret }: WebhookSetting,
  response: WireResponse,
): Promise<void> {
  const id = newId('wh');
  const timestamp = String(Math.floor(Date.now() / 1000));
  const body = JSON.stringify({
    object: 'event',
    id: newId('evt'),
    type: `response.${response.status}`,
    created_at: Number(timestamp),
    data: { id: response.id },
  });
  const signature = createHmac('sha256', keyOf(secret))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64');
  await fetch(url, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'OpenAI/1.0 (+https://platform.openai.com/docs/webhooks)',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    signal: AbortSignal.timeout(5000),
  }).catch(() => undefined);
}
