import { SondeApiError, type FieldError } from '../errors.js';
import { retryAfterSeconds } from './retry.js';

/** Format of error bodies: problem details (RFC 9457) or the error object of OpenAI. */
export type ErrorShape = 'problem' | 'openai';

type ErrorFields = {
  code: string;
  message: string;
  errors?: FieldError[];
  id?: string;
};

/** Converts a response with status 4xx or 5xx to an error. */
export function apiError(
  response: Response,
  text: string,
  shape: ErrorShape,
): SondeApiError {
  const { status, headers } = response;
  const type = headers.get('content-type') ?? '';
  const body = jsonObject(text);
  const fields =
    body === undefined
      ? undefined
      : shape === 'openai'
        ? openAiError(body, status)
        : type.startsWith('application/problem+json')
          ? problem(body, status)
          : undefined;
  return new SondeApiError({
    status,
    code: fields?.code ?? 'http_error',
    message: fields?.message ?? defaultMessage(status),
    errors: fields?.errors ?? [],
    request_id: fields?.id ?? headers.get('x-request-id'),
    retry_after_seconds: retryAfterSeconds(headers.get('retry-after')),
  });
}

/** Parses `text`; undefined unless it is a JSON object. */
export function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function problem(body: Record<string, unknown>, status: number): ErrorFields {
  const { code, detail, title, errors, request_id } = body;
  return {
    code: nonEmptyText(code) ?? 'http_error',
    message:
      nonEmptyText(detail) ?? nonEmptyText(title) ?? defaultMessage(status),
    errors: Array.isArray(errors) ? (errors as FieldError[]) : [],
    id: nonEmptyText(request_id),
  };
}

function openAiError(
  { error }: Record<string, unknown>,
  status: number,
): ErrorFields | undefined {
  if (!isObject(error)) return undefined;
  return {
    code: nonEmptyText(error.code) ?? nonEmptyText(error.type) ?? 'http_error',
    message: nonEmptyText(error.message) ?? defaultMessage(status),
  };
}

function nonEmptyText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function defaultMessage(status: number): string {
  return `the server responded with HTTP ${status}`;
}
