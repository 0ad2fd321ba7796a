import { isObject } from '../../platform/message/call-arguments';
import type { JsonSchema } from '../../platform/message/tool-description';

/** Keywords that are kept unchanged. */
const KEPT = new Set(
  (
    'type title description $ref enum const pattern minimum maximum exclusiveMinimum exclusiveMaximum ' +
    'multipleOf minItems maxItems'
  ).split(' '),
);
/** Keywords whose values are schemas. */
const NESTED = [
  'properties',
  'items',
  'anyOf',
  'oneOf',
  '$defs',
  'definitions',
];
const FORMATS =
  'date-time time date duration email hostname ipv4 ipv6 uuid'.split(' ');
/** Keywords that strict mode cannot express. */
const IMPOSSIBLE = ['allOf', 'patternProperties', 'prefixItems'];
/** Keywords without meaning for the value. */
const IGNORED = [
  '$schema',
  '$id',
  '$comment',
  'required',
  'additionalProperties',
];
const MAX_DEPTH = 10;

/** The message names the location in the schema, e.g. `filter.tags: it has no type`. */
export class NotStrict extends Error {
  override readonly name = 'NotStrict';
}

/**
 * Converts a schema of arguments to strict mode: every property required, optional ones nullable, no others allowed.
 * Keywords that strict mode does not support (`minLength`, `default`, …) move to the description and are checked when
 * the call arrives. A model omits an optional argument by `null`; see `withoutNulls`.
 * @throws NotStrict
 */
export function strictSchema(schema: JsonSchema): JsonSchema {
  if (schema.type !== 'object' || 'anyOf' in schema || 'oneOf' in schema) {
    throw new NotStrict('it is not the schema of an object');
  }
  return strict(schema, '', 1);
}

function strict(node: unknown, at: string, depth: number): JsonSchema {
  const refuse = (fault: string) =>
    new NotStrict(at ? `${at}: ${fault}` : fault);
  if (!isObject(node)) throw refuse('it is not a schema');
  if (depth > MAX_DEPTH) throw refuse(`it is nested over ${MAX_DEPTH} levels`);
  const impossible = IMPOSSIBLE.find((keyword) => keyword in node);
  if (impossible) throw refuse(`it uses ${impossible}`);
  const branches = node.anyOf ?? node.oneOf;
  const isTyped = ['type', '$ref', 'enum', 'const'].some((key) => key in node);
  if (!isTyped && !Array.isArray(branches)) throw refuse('it has no type');
  if ('$ref' in node) return reference(node);

  const within = (key: string, step: (name: string) => string) =>
    Object.fromEntries(
      Object.entries(isObject(node[key]) ? node[key] : {}).map(
        ([name, child]) => [name, strict(child, step(name), depth + 1)],
      ),
    );
  const isOfObjects = [node.type].flat().includes('object');
  if (isOfObjects && isObject(node.additionalProperties)) {
    throw refuse('it allows any properties');
  }
  if (isOfObjects && !isObject(node.properties)) {
    if (node.additionalProperties !== false) {
      throw refuse('it does not declare its properties');
    }
  }
  const isArray = [node.type].flat().includes('array');
  if (isArray && !isObject(node.items)) throw refuse('its items have no type');
  return {
    ...pick(node, (key) => KEPT.has(key) && key !== 'description'),
    ...(FORMATS.includes(String(node.format)) && { format: node.format }),
    ...describe(node),
    ...(isArray && { items: strict(node.items, `${at}[]`, depth + 1) }),
    ...(Array.isArray(branches) && {
      anyOf: branches.map((branch, n) => strict(branch, `${at}<${n}>`, depth)),
    }),
    ...(isOfObjects && strictProperties(node, within('properties', child(at)))),
    ...('$defs' in node && { $defs: within('$defs', String) }),
    ...('definitions' in node && {
      definitions: within('definitions', String),
    }),
  };
}

/** Strict mode refuses any keyword beside a reference. */
function reference(node: JsonSchema): JsonSchema {
  const { $ref } = node;
  const described = describe(node);
  return described.description === undefined
    ? { $ref }
    : { ...described, anyOf: [{ $ref }] };
}

const child = (at: string) => (name: string) => (at ? `${at}.${name}` : name);

function strictProperties(
  { required }: JsonSchema,
  properties: Record<string, JsonSchema>,
): JsonSchema {
  const needed = new Set(Array.isArray(required) ? required : []);
  return {
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        needed.has(name) ? property : nullable(property),
      ]),
    ),
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

function nullable({ description, ...schema }: JsonSchema): JsonSchema {
  return {
    ...(description !== undefined && { description }),
    anyOf: [schema, { type: 'null' }],
  };
}

/** The description with the keywords that were moved, e.g. `The city. (minLength: 1)`. */
function describe(node: JsonSchema): { description?: string } {
  const moved = Object.entries(node).filter(
    ([key, value]) =>
      !KEPT.has(key) &&
      !NESTED.includes(key) &&
      !IGNORED.includes(key) &&
      !(key === 'format' && FORMATS.includes(String(value))),
  );
  const text = typeof node.description === 'string' ? node.description : '';
  if (moved.length === 0) return text ? { description: text } : {};
  const words = moved.map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return { description: `${text} (${words.join(', ')})`.trimStart() };
}

function pick(node: JsonSchema, keep: (key: string) => boolean): JsonSchema {
  return Object.fromEntries(Object.entries(node).filter(([key]) => keep(key)));
}
