import { type ApiError, badRequest } from '../wire/api-error';

/** The error messages of the endpoint, in its wording. */
export const missing = (name: string): ApiError =>
  badRequest(
    `Missing required parameter: '${name}'.`,
    name,
    'missing_required_parameter',
  );

export const unknownParameter = (name: string): ApiError =>
  badRequest(`Unknown parameter: '${name}'.`, name, 'unknown_parameter');

export const unsupported = (name: string): ApiError =>
  badRequest(
    `Unsupported parameter: '${name}' is not supported with this model.`,
    name,
    'unsupported_parameter',
  );

/** `wanted`: types of JSON Schema. */
export function wrongType(name: string, wanted: string[]): ApiError {
  const names = [...new Set(wanted)].map((type) => TYPES[type] ?? type);
  const list = names.length > 1 ? `one of ${or(names)}` : `${names[0]}`;
  return badRequest(
    `Invalid type for '${name}': expected ${list}.`,
    name,
    'invalid_type',
  );
}

export function invalidValue(
  name: string,
  value: unknown,
  allowed: unknown[],
): ApiError {
  const quoted = [...new Set(allowed)]
    .filter((one) => one !== null)
    .map((one) => `'${typeof one === 'string' ? one : JSON.stringify(one)}'`);
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  return badRequest(
    `Invalid value: '${shown}'. Supported values are: ${and(quoted)}.`,
    name,
    'invalid_value',
  );
}

export const tooLong = (
  name: string,
  what: 'string' | 'array',
  most: number,
  length: number,
): ApiError =>
  badRequest(
    `Invalid '${name}': ${what} too long. Expected ${TYPES[what]} with maximum length ${most}, but got ${TYPES[what]} with length ${length} instead.`,
    name,
    `${what}_above_max_length`,
  );

export const tooShort = (name: string): ApiError =>
  badRequest(
    `Invalid '${name}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
    name,
    'empty_array',
  );

const TYPES: Record<string, string> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

const or = (names: string[]): string =>
  `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

const and = (names: string[]): string =>
  names.length > 1
    ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
    : names.join('');
