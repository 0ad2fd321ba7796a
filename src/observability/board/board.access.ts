import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { cameByLoopback } from '../../auth/loopback';
import type { AppConfig } from '../../config/config';
import { AppError } from '../../errors';

/** Off: without a password anyone could open it, so the dashboard does not exist. */
export function boardIsOn({ auth, http }: AppConfig): boolean {
  return auth.admin !== undefined || (http.loopback && auth.apiKeys.size === 0);
}

/**
 * Refuses who may not see the dashboard. With an administrator configured: a request without the password. Without one:
 * a request that another machine or a reverse proxy sent, or that came by another name than that of the loopback.
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
    throw new AppError('not_found', 'Nothing is served at this path.');
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
