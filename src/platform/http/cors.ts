import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** Response headers that pages may read besides the CORS-safelisted ones. */
const EXPOSED_HEADERS = [
  'Allow',
  'Content-Disposition',
  'ETag',
  'Idempotent-Replayed',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
];

/**
 * Allows browser requests from exactly these origins. Without any, no CORS headers are sent and no preflight is
 * answered.
 */
export async function allowOrigins(
  fastify: FastifyInstance,
  origins: readonly string[],
): Promise<void> {
  if (origins.length === 0) return;
  await fastify.register(cors, {
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 600,
  });
}
