import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** Written by the build, beside the compiled service. */
const FOLDER = join(__dirname, '../../..', 'console');
const ASSETS = join(FOLDER, 'assets');

/**
 * No script but its own files may run, and none may write HTML: `innerHTML` throws. Nothing is loaded from elsewhere,
 * and no other page may frame it.
 */
export const CONSOLE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** The page; undefined where the console was not built. */
export function consolePage(): string | undefined {
  return existsSync(ASSETS)
    ? readFileSync(join(FOLDER, 'index.html'), 'utf8')
    : undefined;
}

/** Serves what the page loads. The names of assets hold their hash, so that they never change. */
export async function serveConsoleFiles(
  fastify: FastifyInstance,
): Promise<void> {
  if (!existsSync(ASSETS)) return;
  await fastify.register(fastifyStatic, {
    root: ASSETS,
    prefix: '/assets/',
    wildcard: false,
    index: false,
    immutable: true,
    maxAge: '365d',
    preCompressed: true,
    decorateReply: false,
  });
  const icon = readFileSync(join(FOLDER, 'favicon.svg'));
  fastify.get('/favicon.svg', async (_request, reply) =>
    reply
      .header('content-type', 'image/svg+xml')
      .header('cache-control', 'public, max-age=86400')
      .send(icon),
  );
}
