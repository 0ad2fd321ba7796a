import { AppError, type FieldError } from '../../errors';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** The body of every error response (RFC 9457). */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  errors: FieldError[];
  request_id: string;
}

/** `status` differs from that of the error only where HTTP has a more specific one, e.g. 431. */
export function problemOf(
  error: AppError,
  requestId: string,
  status = error.status,
): Problem {
  return {
    type: `urn:sonde:error:${error.code}`,
    title: error.title,
    status,
    detail: error.message,
    code: error.code,
    errors: error.errors ?? [],
    request_id: requestId,
  };
}

export function methodNotAllowed(methods: readonly string[]): AppError {
  return new AppError(
    'method_not_allowed',
    `This path allows ${methods.join(', ')}.`,
  );
}
