import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { z } from 'zod';
import { isObject } from '../message/call.arguments';
import type { JsonSchema } from '../message/tool-description';

type Arguments = Record<string, unknown>;

/** Under these a schema has names, not keywords. */
const OF_NAMES = new Set([
  'properties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
/** Under these it has values. */
const OF_VALUES = new Set(['enum', 'const', 'default', 'examples']);
/**
 * A server must not keep this process busy for hours with its regular expressions, with the comparison of all items with
 * all others, or turn the check into a promise. A format is no ground to refuse.
 */
const LEFT_OUT = new Set([
  'pattern',
  'patternProperties',
  'uniqueItems',
  '$async',
  'format',
]);

/**
 * What a server's schema says of arguments, as far as it is understood: a schema that is not says nothing, and the server
 * is left to judge. Arguments pass unchanged, because the server fills in its own defaults.
 */
export function argumentsSchema(schema: JsonSchema): z.ZodType<Arguments> {
  const check = understood(schema);
  return z.record(z.string(), z.unknown()).check(({ value, issues }) => {
    for (const issue of check(value))
      issues.push({ ...issue, input: value } as z.core.$ZodRawIssue);
  });
}

/** Whether a result is what the schema says; always true if the schema is not understood. */
export function resultCheck(schema: JsonSchema): (value: unknown) => boolean {
  try {
    const checked = tame(schema) as JsonSchema;
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

function understood(schema: JsonSchema): (value: Arguments) => Issues {
  try {
    const checked = z.fromJSONSchema(tame(schema) as JsonSchema);
    return (value) => {
      try {
        return checked.safeParse(value).error?.issues ?? [];
      } catch {
        // A schema that refers to nothing but itself has no end.
        return [];
      }
    };
  } catch {
    return () => [];
  }
}

function tame(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(tame);
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => !LEFT_OUT.has(key))
      .map(([key, value]) => {
        if (OF_VALUES.has(key)) return [key, value];
        if (!OF_NAMES.has(key) || !isObject(value)) return [key, tame(value)];
        const named = Object.entries(value);
        return [
          key,
          Object.fromEntries(named.map(([name, one]) => [name, tame(one)])),
        ];
      }),
  );
}
