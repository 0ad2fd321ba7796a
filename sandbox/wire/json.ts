import { ApiError } from './api-error';

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function parseBody(raw: string): unknown {
  if (raw === '') return null;
  try {
    return JSON.parse(raw);
  } catch {
    throw new ApiError(
      400,
      'We could not parse the JSON body of your request. The API expects a JSON payload, but what was sent was not valid JSON.',
    );
  }
}
