import { isObject } from '../../platform/message/call-arguments';
import type { JsonSchema } from '../../platform/message/tool-description';

/**
 * Drops arguments that a model omitted by `null`, so that the defaults apply: strict schemas allow no other way to omit
 * an optional argument. A null that the schema requires stays.
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

/** A schema may reference itself. */
const MAX_STEPS = 10;

/** The schema that applies to the value: behind a reference, or the matching branch. */
function schemaOf(
  value: unknown,
  node: unknown,
  root: JsonSchema,
  steps = MAX_STEPS,
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
  const matching = branches
    .map((branch) => schemaOf(value, branch, root, steps - 1))
    .filter(({ type }) => [type].flat().includes(kind));
  if (matching.length === 1) return matching[0];
  return matching.find((branch) => knowsAll(branch, value)) ?? {};
}

/** Whether the schema has all properties of the value and allows its values for those that distinguish branches. */
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
