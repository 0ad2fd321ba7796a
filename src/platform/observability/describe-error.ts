import { types } from 'node:util';
import { AppError } from '../errors';

export interface ErrorDescription {
  type: string;
  message: string;
  code?: unknown;
  status?: unknown;
  stack?: string;
  cause?: ErrorDescription;
}

/**
 * An error for the log. The stack is included only for our own bugs: for failures of the network or an upstream it has
 * no use.
 */
export function describeError(thrown: unknown): ErrorDescription {
  if (!types.isNativeError(thrown))
    return { type: typeof thrown, message: String(thrown) };
  const { code, status } = thrown as { code?: unknown; status?: unknown };
  const ours = code === undefined && status === undefined;
  return {
    type: thrown.constructor.name,
    message: thrown.message,
    ...(code !== undefined && { code }),
    ...(status !== undefined && { status }),
    ...(ours && { stack: thrown.stack }),
    // Only our own errors wrap others on purpose; foreign cause chains may be long and repeat the message.
    ...(thrown instanceof AppError &&
      thrown.cause !== undefined && { cause: describeError(thrown.cause) }),
  };
}
