import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, ValidateBy } from 'class-validator';
import { isObject } from '../../platform/message/call-arguments';

const MAX_PAIRS = 16;
const MAX_KEY = 64;
const MAX_VALUE = 512;

/** As OpenAI has it: what a caller keeps with a run, to find it again. */
const SCHEMA = {
  type: 'object' as const,
  additionalProperties: { type: 'string' as const, maxLength: MAX_VALUE },
  maxProperties: MAX_PAIRS,
  example: { customer: '42' },
};

/** A field of a request with metadata, or with the pairs that runs are asked for by. */
export const Metadata = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ ...SCHEMA, nullable: true }),
    IsOptional(),
    ValidateBy({
      name: 'isMetadata',
      validator: {
        validate: (value: unknown) => faultOf(value) === undefined,
        defaultMessage: (args) => faultOf(args?.value) ?? '',
      },
    }),
  );

/** A field of a reply with metadata. */
export const ApiMetadata = (): PropertyDecorator =>
  ApiProperty({ ...SCHEMA, nullable: true });

/** Of the parameters of a query, `metadata[key]=value` as the member of an object. */
export function withMetadata(
  query: Record<string, unknown>,
): Record<string, unknown> {
  const pairs: [string, unknown][] = [];
  const rest = Object.entries(query).filter(([name, value]) => {
    const key = /^metadata\[(.*)\]$/s.exec(name)?.[1];
    if (key !== undefined) pairs.push([key, value]);
    return key === undefined;
  });
  if (pairs.length === 0) return query;
  return Object.fromEntries([...rest, ['metadata', Object.fromEntries(pairs)]]);
}

/** What is wrong, with the key at fault. */
function faultOf(value: unknown): string | undefined {
  if (!isObject(value)) return 'must be an object';
  const pairs = Object.entries(value);
  if (pairs.length > MAX_PAIRS) return `must have at most ${MAX_PAIRS} keys`;
  for (const [key, text] of pairs) {
    if (key === '' || key.length > MAX_KEY)
      return `must have keys of 1 to ${MAX_KEY} characters`;
    if (typeof text !== 'string') return `must have a text at "${key}"`;
    if (text.length > MAX_VALUE)
      return `must have at most ${MAX_VALUE} characters at "${key}"`;
  }
  return undefined;
}
