import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { within } from '../pause';
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
  await within(drainTimeoutMs, fastify.close());
  await app.close();
}
