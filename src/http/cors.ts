import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** What pages may read besides the few headers that every page may. */
const EXPOSED = [
  'Allow',
  'Idempotent-Replayed',
  'Location',
  'Retry-After',
  'X-Request-Id',
];

/** Lets pages of exactly these origins call with a browser. Without any there are neither headers nor preflights. */
export async function allowOrigins(
  fastify: FastifyInstance,
  origins: readonly string[],
): Promise<void> {
  if (origins.length === 0) return;
  await fastify.register(cors, {
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'DELETE'],
    exposedHeaders: EXPOSED,
    maxAge: 600,
  });
}
