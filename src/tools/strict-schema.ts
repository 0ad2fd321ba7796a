import { z } from 'zod';
import type { JsonSchema } from '../message/tool-description';

/**
 * The strict JSON Schema of a Zod object: every property required, optional ones nullable, nothing else allowed.
 * A model that leaves an optional argument out says `null`; see `withoutNulls`.
 */
export function strictSchema(schema: z.ZodObject): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
  }) as JsonSchema;
  return strict(json);
}

/** Keywords that strict mode refuses or does not document; the service checks them itself when the call arrives. */
const REFUSED = ['minLength', 'maxLength', 'default'];

function strict(node: JsonSchema): JsonSchema {
  const schema = Object.fromEntries(
    Object.entries(node).filter(([key]) => !REFUSED.includes(key)),
  );
  if (schema.items) schema.items = strict(schema.items as JsonSchema);
  if (schema.properties) {
    const required = new Set((node.required as string[] | undefined) ?? []);
    const properties = Object.entries(
      schema.properties as Record<string, JsonSchema>,
    );
    schema.properties = Object.fromEntries(
      properties.map(([name, property]) => [
        name,
        required.has(name) ? strict(property) : nullable(strict(property)),
      ]),
    );
    schema.required = properties.map(([name]) => name);
    schema.additionalProperties = false;
  }
  return schema;
}

function nullable({ description, ...schema }: JsonSchema): JsonSchema {
  return {
    ...(description !== undefined && { description }),
    anyOf: [schema, { type: 'null' }],
  };
}

/** Drops what a model left out by saying `null`, so that the defaults apply. */
export function withoutNulls(
  args: Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).filter(([, value]) => value !== null),
  );
}
