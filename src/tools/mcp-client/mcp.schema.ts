import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { z } from 'zod';
import { isObject } from '../../platform/message/call-arguments';
import type { JsonSchema } from '../../platform/message/tool-description';

type Arguments = Record<string, unknown>;

/** Keywords whose values map names to schemas. */
const NAMED_SCHEMAS = new Set([
  'properties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
/** Keywords whose values are plain values. */
const PLAIN_VALUES = new Set(['enum', 'const', 'default', 'examples']);
/**
 * Keywords that are dropped: a server could block this process with expensive regular expressions or comparisons of all
 * items, or make the validation asynchronous. A format never refuses a value.
 */
const DROPPED = new Set([
  'pattern',
  'patternProperties',
  'uniqueItems',
  '$async',
  'format',
]);

/**
 * Validates arguments by the schema of a server, as far as it is compile: an unsupported schema accepts everything,
 * and the server validates. Arguments are never changed, because the server fills in its own defaults.
 */
export function argumentsSchema(schema: JsonSchema): z.ZodType<Arguments> {
  const check = compile(schema);
  return z.record(z.string(), z.unknown()).check(({ value, issues }) => {
    for (const issue of check(value))
      issues.push({ ...issue, input: value } as z.core.$ZodRawIssue);
  });
}

/** Whether a result matches the schema; always true if the schema is not supported. */
export function resultCheck(schema: JsonSchema): (value: unknown) => boolean {
  try {
    const checked = sanitize(schema) as JsonSchema;
    const validate = new AjvJsonSchemaValidator().getValidator(checked);
    return (value) => {
      try {
        return validate(value).valid;
      } catch {
        return true;
      }
    };
  } catch {
    return () => true;
  }
}

type Issues = z.core.$ZodIssue[];

function compile(schema: JsonSchema): (value: Arguments) => Issues {
  try {
    const checked = z.fromJSONSchema(sanitize(schema) as JsonSchema);
    return (value) => {
      try {
        return checked.safeParse(value).error?.issues ?? [];
      } catch {
        // A schema that only references itself never terminates.
        return [];
      }
    };
  } catch {
    return () => [];
  }
}

function sanitize(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(sanitize);
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => !DROPPED.has(key))
      .map(([key, value]) => {
        if (PLAIN_VALUES.has(key)) return [key, value];
        if (!NAMED_SCHEMAS.has(key) || !isObject(value))
          return [key, sanitize(value)];
        const named = Object.entries(value);
        return [
          key,
          Object.fromEntries(named.map(([name, one]) => [name, sanitize(one)])),
        ];
      }),
  );
}
