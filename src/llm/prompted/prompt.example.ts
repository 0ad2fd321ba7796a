import { isObject } from '../../message/call.arguments';
import type { JsonSchema } from '../../message/tool-description';

/** Arguments that fit a strict schema: null wherever that is allowed, the name of a property where a text belongs. */
export function exampleOf(schema: JsonSchema): Record<string, unknown> {
  const properties = isObject(schema.properties) ? schema.properties : {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      valueOf(property, `<${name}>`),
    ]),
  );
}

function valueOf(schema: unknown, text: string): unknown {
  if (!isObject(schema)) return null;
  const { type, enum: values, anyOf } = schema;
  const branches: unknown[] = Array.isArray(anyOf) ? anyOf : [];
  if (branches.some((branch) => isObject(branch) && branch.type === 'null')) {
    return null;
  }
  if (branches.length > 0) return valueOf(branches[0], text);
  if (Array.isArray(values)) return values.includes(null) ? null : values[0];
  if (Array.isArray(type)) {
    return type.includes('null') ? null : valueOf({ type: type[0] }, text);
  }
  switch (type) {
    case 'string':
      return text;
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return exampleOf(schema);
    default:
      return null;
  }
}
