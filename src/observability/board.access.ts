import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { cameByLoopback } from '../auth/loopback';
import type { AppConfig } from '../config/config';
import { AppError } from '../errors';

/** Off: nobody could be told from anybody, so the dashboard is not even there. */
export function boardIsOn(config: AppConfig): boolean {
  return config.auth.admin !== undefined || config.http.loopback;
}

/**
 * Refuses who may not see the dashboard. With an administrator configured: whoever does not know the password. Without
 * one: whoever did not come to this machine by its loopback name, which a web page with its own name in front of
 * 127.0.0.1 and a reverse proxy do not.
 */
export function checkBoardAccess(
  request: FastifyRequest,
  { auth }: AppConfig,
): void {
  if (auth.admin) {
    if (!knowsPassword(request.headers.authorization, auth.admin))
      throw new AppError(
        'unauthorized',
        'The dashboard needs the user and password of its administrator.',
      );
  } else if (!cameByLoopback(request)) {
    throw new AppError('not_found', 'There is nothing at this path.');
  }
  if (!/^(GET|HEAD)$/.test(request.method) && crossesOrigins(request))
    throw new AppError('forbidden', 'Another site may not change queues.');
}

function knowsPassword(
  authorization: string | undefined,
  { user, password }: { user: string; password: string },
): boolean {
  const encoded = /^Basic +([\w+/=-]+) *$/i.exec(authorization ?? '')?.[1];
  const given = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  return timingSafeEqual(digest(given), digest(`${user}:${password}`));
}

/** Browsers send the password, or reach the loopback, on behalf of any page; they say which one asked. */
function crossesOrigins({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return true;
  const { origin } = headers;
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== headers.host;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
