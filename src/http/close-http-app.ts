import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { Shutdown } from './shutdown';

/** How long replies under way may take before their connections are cut. */
const DRAIN_MS = 5_000;

/**
 * Ends waits and event streams, stops accepting, lets the other replies under way finish, then closes the application.
 * Nest alone would cut every open connection at once.
 */
export async function closeHttpApp(
  app: NestFastifyApplication,
  drainMs = DRAIN_MS,
): Promise<void> {
  app.get(Shutdown, { strict: false }).begin();
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, drainMs);
  });
  await Promise.race([fastify.close(), limit]);
  clearTimeout(timer);
  await app.close();
}
