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

/** The part of the schema that speaks of the value: behind a reference, or the branch that is of its kind. */
function schemaOf(value: unknown, node: unknown, root: JsonSchema): JsonSchema {
  if (!isObject(node)) return {};
  if (typeof node.$ref === 'string') {
    const [, folder, name] = node.$ref.split('/');
    const definitions = root[folder];
    const target = isObject(definitions) ? definitions[name] : undefined;
    return isObject(target) && !('$ref' in target)
      ? schemaOf(value, target, root)
      : {};
  }
  const branches: unknown = node.anyOf ?? node.oneOf;
  if (!Array.isArray(branches)) return node;
  const fitting = branches.filter((branch) => fits(value, branch));
  return fitting.length === 1 ? schemaOf(value, fitting[0], root) : {};
}

function fits(value: unknown, branch: unknown): boolean {
  if (!isObject(branch)) return false;
  if ('$ref' in branch) return true;
  const kind = Array.isArray(value) ? 'array' : 'object';
  return [branch.type].flat().includes(kind);
}
