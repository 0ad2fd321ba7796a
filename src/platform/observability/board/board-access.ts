import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { FailedLogins } from '../../auth/failed-logins';
import { isFromLoopback } from '../../auth/loopback-caller';
import type { AppConfig } from '../../../config/config';
import { AppError } from '../../errors';

/** Without a password anyone could open it, so the dashboard does not exist. */
export function boardIsOn({ auth, http }: AppConfig): boolean {
  return auth.admin !== undefined || (http.loopback && !auth.required);
}

/**
 * Refuses unauthorised access to the dashboard. With an administrator: requests without the password. Without one:
 * requests from another machine, through a reverse proxy, or for another host name than the loopback.
 */
export async function checkBoardAccess(
  request: FastifyRequest,
  { auth }: AppConfig,
  failures: FailedLogins,
): Promise<void> {
  if (auth.admin) {
    const { authorization } = request.headers;
    // A browser asks without a password first.
    if (authorization !== undefined) await failures.check(request.ip);
    if (!hasPassword(authorization, auth.admin)) {
      if (authorization !== undefined) await failures.count(request.ip);
      throw new AppError(
        'unauthorized',
        'The dashboard requires the user and password of its administrator.',
      );
    }
  } else if (!isFromLoopback(request)) {
    throw new AppError('not_found', 'Nothing is served at this path.');
  }
  if (!/^(GET|HEAD)$/.test(request.method) && crossesOrigins(request))
    throw new AppError(
      'forbidden',
      'Requests from another site cannot change queues.',
    );
}

function hasPassword(
  authorization: string | undefined,
  { user, password }: { user: string; password: string },
): boolean {
  const encoded = /^Basic +([\w+/=-]+) *$/i.exec(authorization ?? '')?.[1];
  const given = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  return timingSafeEqual(digest(given), digest(`${user}:${password}`));
}

/** Browsers attach the password, or reach the loopback, for any page; these headers name the page. */
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
