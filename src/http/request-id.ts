import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const SANE = /^[A-Za-z0-9._:-]{1,128}$/;

/** The caller's `X-Request-Id` when it is safe to log and to send back, else a new one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const id = request.headers['x-request-id'];
  return typeof id === 'string' && SANE.test(id) ? id : randomUUID();
}
