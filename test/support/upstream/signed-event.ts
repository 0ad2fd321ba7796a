import { createHmac, randomUUID } from 'node:crypto';

export interface SignedEvent {
  body: string;
  headers: Record<string, string>;
}

export interface EventOptions {
  id?: string;
  /** Seconds after now. */
  offset?: number;
  /** The bytes to sign with. */
  key: Buffer | string;
}

/** An event signed as the endpoint signs it, by the text of the standard rather than by the package under test. */
export function signedEvent(
  content: unknown,
  { id = randomUUID(), offset = 0, key }: EventOptions,
): SignedEvent {
  const body = JSON.stringify(content);
  const timestamp = String(Math.floor(Date.now() / 1000) + offset);
  const signature = createHmac('sha256', key)
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64');
  return {
    body,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
  };
}
