import { SetMetadata } from '@nestjs/common';

export const API_KEY_RULE = 'sonde:api-key-rule';

/**
 * `if-configured`: anonymous callers are fine on a service without keys. `always`: only where nobody but the user of this
 * machine can be one, for the route needs to know who asks.
 */
export type ApiKeyRule = 'if-configured' | 'always';

/** Marks a route that an invocation token alone does not open. */
export const RequiresApiKey = (
  rule: ApiKeyRule = 'if-configured',
): MethodDecorator & ClassDecorator => SetMetadata(API_KEY_RULE, rule);
