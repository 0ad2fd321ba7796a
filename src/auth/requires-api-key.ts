import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyContextConfig } from 'fastify';

/**
 * `if-configured`: anonymous callers are fine on a service without keys. `always`: only where nobody but the user of this
 * machine can be one, for the route needs to know who asks.
 */
export type ApiKeyRule = 'if-configured' | 'always';

declare module 'fastify' {
  interface FastifyContextConfig {
    apiKey?: ApiKeyRule;
  }
}

/** Marks a route that an invocation token alone does not open. */
export const RequiresApiKey = (
  rule: ApiKeyRule = 'if-configured',
): MethodDecorator =>
  RouteConfig({ apiKey: rule } satisfies FastifyContextConfig);
