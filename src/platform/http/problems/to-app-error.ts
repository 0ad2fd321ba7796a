import { HttpException } from '@nestjs/common';
import { AppError, type ErrorCode } from '../../errors';

/** Maps errors of another room to a code, e.g. an unavailable Redis. */
export type Recogniser = readonly [
  matches: (error: unknown) => boolean,
  code: ErrorCode,
];

export interface MappedError {
  error: AppError;
  status: number;
}

const CODE_OF_STATUS: Record<number, ErrorCode> = {
  401: 'missing_api_key',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  422: 'validation_failed',
  429: 'rate_limited',
};

const DETAIL: Partial<Record<ErrorCode, string>> = {
  unsupported_media_type: 'Send the body as application/json.',
  not_found: 'Nothing is served at this path.',
};

/**
 * Converts anything thrown into an error that is safe to show. An unknown error becomes `internal_error`: its message
 * may contain anything and never reaches the response.
 */
export function toAppError(
  thrown: unknown,
  recognisers: readonly Recogniser[],
): MappedError {
  if (thrown instanceof AppError)
    return { error: thrown, status: thrown.status };
  for (const [matches, code] of recognisers) {
    if (!matches(thrown)) continue;
    const error = new AppError(code, undefined, {
      cause: thrown,
      retryAfterSeconds: 1,
    });
    return { error, status: error.status };
  }
  const status = clientStatus(thrown);
  if (status === undefined) {
    const error = new AppError('internal_error', undefined, { cause: thrown });
    return { error, status: error.status };
  }
  const code = CODE_OF_STATUS[status] ?? 'bad_request';
  const detail = DETAIL[code] ?? (thrown as Error).message;
  return { error: new AppError(code, detail, { cause: thrown }), status };
}

/**
 * The 4xx status of an error that Nest or Fastify raised about the request; such messages quote only what the client
 * sent.
 */
function clientStatus(thrown: unknown): number | undefined {
  const status =
    thrown instanceof HttpException
      ? thrown.getStatus()
      : isFastifyError(thrown)
        ? thrown.statusCode
        : undefined;
  return status !== undefined && status >= 400 && status < 500
    ? status
    : undefined;
}

function isFastifyError(
  thrown: unknown,
): thrown is Error & { statusCode: number } {
  return (
    thrown instanceof Error &&
    'statusCode' in thrown &&
    typeof thrown.statusCode === 'number' &&
    'code' in thrown &&
    String(thrown.code).startsWith('FST_')
  );
}
