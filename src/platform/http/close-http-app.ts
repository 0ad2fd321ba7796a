import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { Shutdown } from './shutdown';

/** How long responses in progress may take before their connections are closed. */
const DRAIN_TIMEOUT_MS = 5_000;

/**
 * Ends long waits and event streams, stops accepting connections, waits for other responses in progress, then closes
 * the application. Nest alone would close every open connection at once.
 */
export async function closeHttpApp(
  app: NestFastifyApplication,
  drainTimeoutMs = DRAIN_TIMEOUT_MS,
): Promise<void> {
  app.get(Shutdown, { strict: false }).begin();
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, drainTimeoutMs);
  });
  await Promise.race([fastify.close(), limit]);
  clearTimeout(timer);
  await app.close();
}
