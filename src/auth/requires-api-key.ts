import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyContextConfig } from 'fastify';

/**
 * `if-configured`: anonymous callers are allowed on a service without keys. `always`: they are allowed only if all are
 * the user of this machine, since the route returns data of its caller.
 */
export type ApiKeyRule = 'if-configured' | 'always';

declare module 'fastify' {
  interface FastifyContextConfig {
    apiKey?: ApiKeyRule;
  }
}

/** Marks a route that an invocation token alone does not authorise. */
export const RequiresApiKey = (
  rule: ApiKeyRule = 'if-configured',
): MethodDecorator =>
  RouteConfig({ apiKey: rule } satisfies FastifyContextConfig);
