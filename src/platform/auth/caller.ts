import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Scopes } from './scopes';

/** The sender of a request. Without a name: anonymous, or authorised by an invocation token only. */
export interface CallerIdentity {
  /** Owns runs, idempotency keys and webhooks; several keys may share it. */
  name?: string;
  /** Of its key; undefined: all but administration. */
  scopes?: Scopes;
  /** What its limits, its share and its budget belong to: the id of a stored key, or `@` and the name of a configured one. */
  account?: string;
}

/** A caller that a key of the store identified. */
export interface KeyHolder extends CallerIdentity {
  name: string;
  keyId: string;
}

export interface RequestWithCaller {
  caller?: CallerIdentity;
}

/** The caller that the API key guard identified: `@Caller() caller: CallerIdentity`, imported as a type. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext): CallerIdentity =>
    context.switchToHttp().getRequest<RequestWithCaller>().caller ?? {},
);
