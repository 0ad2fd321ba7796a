import { badRequest } from '../wire/api-error';
import { tooLong } from './refusals';

const MOST_PAIRS = 16;
const LONGEST_KEY = 64;
const LONGEST_VALUE = 512;
const MOST_TOOLS = 128;
/** The allowed names of functions. */
export const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export function checkMetadata(
  metadata: Record<string, string> | null | undefined,
): void {
  const pairs = Object.entries(metadata ?? {});
  if (pairs.length > MOST_PAIRS)
    throw badRequest(
      `Invalid 'metadata': too many properties. Expected an object with at most ${MOST_PAIRS} properties, but got an object with ${pairs.length} properties instead.`,
      'metadata',
      'object_above_max_properties',
    );
  for (const [key, value] of pairs) {
    const [what, length, most] =
      key.length > LONGEST_KEY
        ? ['key', key.length, LONGEST_KEY]
        : ['value', value.length, LONGEST_VALUE];
    if (length > most)
      throw badRequest(
        `Invalid 'metadata': ${what} too long. Expected a string with maximum length ${most}, but got a string with length ${length} instead.`,
        'metadata',
        'string_above_max_length',
      );
  }
}

export function checkStreamOptions(params: {
  stream?: boolean | null;
  stream_options?: object | null;
}): void {
  if (params.stream_options && params.stream !== true)
    throw badRequest(
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      'stream_options',
    );
}

export function checkToolCount(tools: readonly unknown[]): void {
  if (tools.length > MOST_TOOLS)
    throw tooLong('tools', 'array', MOST_TOOLS, tools.length);
}

export function checkName(name: string, at: string): void {
  if (!NAME.test(name))
    throw badRequest(
      `Invalid '${at}': string does not match pattern. Expected a string that matches the pattern '${NAME.source}'.`,
      at,
      'invalid_value',
    );
}

export function checkLength(text: string, most: number, at: string): void {
  if (text.length > most) throw tooLong(at, 'string', most, text.length);
}
