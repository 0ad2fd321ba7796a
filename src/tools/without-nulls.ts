import { isObject } from '../message/call.arguments';
import type { JsonSchema } from '../message/tool-description';

/**
 * Drops what was left out by saying `null`, so that the defaults apply: strict schemas know no other way to leave an
 * optional argument out. A null that the schema requires stays.
 */
export function withoutNulls(
  args: Record<string, unknown>,
  schema: JsonSchema,
): Record<string, unknown> {
  return cleaned(args, schema, schema) as Record<string, unknown>;
}

function cleaned(value: unknown, node: unknown, root: JsonSchema): unknown {
  const schema = schemaOf(value, node, root);
  if (Array.isArray(value)) {
    return value.map((item) => cleaned(item, schema.items, root));
  }
  if (!isObject(value)) return value;
  const { properties, required } = schema;
  const known = isObject(properties) ? properties : {};
  const needed = Array.isArray(required) ? required : [];
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([name, item]) =>
          item !== null || !Object.hasOwn(known, name) || needed.includes(name),
      )
      .map(([name, item]) => [name, cleaned(item, known[name], root)]),
  );
}

/** A schema may refer to itself. */
const MOST_STEPS = 10;

/** The part of the schema that speaks of the value: behind a reference, or the branch that it is of. */
function schemaOf(
  value: unknown,
  node: unknown,
  root: JsonSchema,
  steps = MOST_STEPS,
): JsonSchema {
  if (!isObject(node) || steps === 0) return {};
  if (typeof node.$ref === 'string') {
    const [, folder, name] = node.$ref.split('/');
    const definitions = root[folder];
    const target = isObject(definitions) ? definitions[name] : undefined;
    return schemaOf(value, target, root, steps - 1);
  }
  const branches: unknown = node.anyOf ?? node.oneOf;
  if (!Array.isArray(branches)) return node;
  const kind = Array.isArray(value) ? 'array' : 'object';
  const fitting = branches
    .map((branch) => schemaOf(value, branch, root, steps - 1))
    .filter(({ type }) => [type].flat().includes(kind));
  if (fitting.length === 1) return fitting[0];
  return fitting.find((branch) => knowsAll(branch, value)) ?? {};
}

/** Whether it has all names of the value, and allows those of their values that tell branches apart. */
function knowsAll({ properties }: JsonSchema, value: unknown): boolean {
  if (!isObject(value) || !isObject(properties)) return false;
  return Object.entries(value).every(([name, item]) => {
    const schema = Object.hasOwn(properties, name) && properties[name];
    return isObject(schema) && (item === null || isChoice(schema, item));
  });
}

function isChoice(schema: JsonSchema, value: unknown): boolean {
  if ('const' in schema) return schema.const === value;
  return !Array.isArray(schema.enum) || schema.enum.includes(value);
}
