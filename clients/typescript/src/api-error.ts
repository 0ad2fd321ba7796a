import { SondeApiError, type FieldError } from './errors.js';
import { retryAfterSeconds } from './retry.js';

/** How a service tells of its errors: as RFC 9457 has it, or as OpenAI does. */
export type ErrorShape = 'problem' | 'openai';

type Said = {
  code: string;
  message: string;
  errors?: FieldError[];
  id?: string;
};

/** The error that a reply of 4xx or 5xx tells of. */
export function apiError(
  response: Response,
  text: string,
  shape: ErrorShape,
): SondeApiError {
  const { status, headers } = response;
  const type = headers.get('content-type') ?? '';
  const body = jsonObject(text);
  const said =
    body === undefined
      ? undefined
      : shape === 'openai'
        ? openAiError(body, status)
        : type.startsWith('application/problem+json')
          ? problem(body, status)
          : undefined;
  return new SondeApiError({
    status,
    code: said?.code ?? 'http_error',
    message: said?.message ?? inWords(status),
    errors: said?.errors ?? [],
    request_id: said?.id ?? headers.get('x-request-id'),
    retry_after_seconds: retryAfterSeconds(headers.get('retry-after')),
  });
}

/** The object that `text` is in JSON, if it is one. */
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

function problem(body: Record<string, unknown>, status: number): Said {
  const { code, detail, title, errors, request_id } = body;
  return {
    code: words(code) ?? 'http_error',
    message: words(detail) ?? words(title) ?? inWords(status),
    errors: Array.isArray(errors) ? (errors as FieldError[]) : [],
    id: words(request_id),
  };
}

function openAiError(
  { error }: Record<string, unknown>,
  status: number,
): Said | undefined {
  if (!isObject(error)) return undefined;
  return {
    code: words(error.code) ?? words(error.type) ?? 'http_error',
    message: words(error.message) ?? inWords(status),
  };
}

function words(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function inWords(status: number): string {
  return `the server responded with HTTP ${status}`;
}
