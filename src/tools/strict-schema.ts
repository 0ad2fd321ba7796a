import { isObject } from '../message/call.arguments';
import type { JsonSchema } from '../message/tool-description';

/** Kept as they are. */
const KEPT = new Set(
  (
    'type title description $ref enum const pattern minimum maximum exclusiveMinimum exclusiveMaximum ' +
    'multipleOf minItems maxItems'
  ).split(' '),
);
/** Looked into. */
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
/** What strict mode cannot say at all. */
const IMPOSSIBLE = ['allOf', 'patternProperties', 'prefixItems'];
/** Said of a schema, not of the value. */
const SILENT = [
  '$schema',
  '$id',
  '$comment',
  'required',
  'additionalProperties',
];
const DEEPEST = 10;

/** Names the place in the schema, e.g. `filter.tags: it has no type`. */
export class NotStrict extends Error {
  override readonly name = 'NotStrict';
}

/**
 * The strict form of a schema of arguments: every property required, optional ones nullable, nothing else allowed. What
 * strict mode does not know (`minLength`, `default`, …) moves into the description, and is checked when the call arrives.
 * A model that leaves an optional argument out says `null`; see `withoutNulls`.
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
  if (depth > DEEPEST) throw refuse(`it is nested over ${DEEPEST} levels`);
  const impossible = IMPOSSIBLE.find((keyword) => keyword in node);
  if (impossible) throw refuse(`it uses ${impossible}`);
  const branches = node.anyOf ?? node.oneOf;
  const said = ['type', '$ref', 'enum', 'const'].some((key) => key in node);
  if (!said && !Array.isArray(branches)) throw refuse('it has no type');
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
      throw refuse('it does not say which properties there are');
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

/** Strict mode refuses whatever stands beside a reference. */
function reference(node: JsonSchema): JsonSchema {
  const { $ref } = node;
  const said = describe(node);
  return said.description === undefined
    ? { $ref }
    : { ...said, anyOf: [{ $ref }] };
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

/** The description, with what has no other place, e.g. `The city. (minLength: 1)`. */
function describe(node: JsonSchema): { description?: string } {
  const moved = Object.entries(node).filter(
    ([key, value]) =>
      !KEPT.has(key) &&
      !NESTED.includes(key) &&
      !SILENT.includes(key) &&
      !(key === 'format' && FORMATS.includes(String(value))),
  );
  const said = typeof node.description === 'string' ? node.description : '';
  if (moved.length === 0) return said ? { description: said } : {};
  const words = moved.map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return { description: `${said} (${words.join(', ')})`.trimStart() };
}

function pick(node: JsonSchema, keep: (key: string) => boolean): JsonSchema {
  return Object.fromEntries(Object.entries(node).filter(([key]) => keep(key)));
}
