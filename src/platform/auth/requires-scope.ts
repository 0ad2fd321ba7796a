import { applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyContextConfig } from 'fastify';
import { type RouteScope, SCOPES_OF_ROUTE } from './scopes';

/**
 * Where an invocation token does not suffice. `if-configured`: anonymous callers are allowed on a service without keys.
 * `always`: they are allowed only if all are the user of this machine, since the route returns data of its caller.
 */
export type ApiKeyRule = 'if-configured' | 'always';

declare module 'fastify' {
  interface FastifyContextConfig {
    scope?: RouteScope;
    apiKey?: ApiKeyRule;
  }
}

/** The member of an operation in the OpenAPI document: the scopes of which an API key needs one. */
const SCOPES_MEMBER = 'x-required-scopes';

/** What an API key needs for a route. A route of the API without it is refused to every key that has scopes. */
export const RequiresScope = (
  scope: RouteScope,
  apiKey?: ApiKeyRule,
): MethodDecorator =>
  applyDecorators(
    RouteConfig({ scope, apiKey } satisfies FastifyContextConfig),
    ApiExtension(SCOPES_MEMBER, SCOPES_OF_ROUTE[scope]),
  );
