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
  /** Of the API key, where one was reached. */
  limit?: string;
  'violated-policies'?: string[];
  resets_at?: string;
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
    ...(error.limit !== undefined && { limit: error.limit }),
    ...(error.limit !== undefined &&
      status === 429 && { 'violated-policies': [error.limit] }),
    ...(error.resetsAt !== undefined && { resets_at: error.resetsAt }),
  };
}

export function methodNotAllowed(methods: readonly string[]): AppError {
  return new AppError(
    'method_not_allowed',
    `This path allows ${methods.join(', ')}.`,
  );
}
