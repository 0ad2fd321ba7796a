import type { OpenAPIObject } from '@nestjs/swagger';

type Json = Record<string, unknown>;
type Parameter = { name: string; required?: boolean; schema?: Json };
type Operation = {
  parameters?: Parameter[];
  requestBody?: Json;
  responses: Record<string, Json>;
  security?: Record<string, string[]>[];
};

const ERROR_STATUSES = ['4XX', 'default'];
const TOKEN_HEADER = 'X-Invocation-Token';

/**
 * Converts the OpenAPI 3.0 output of the decorators to 3.1 for client generators: `null` is a type, and stands for an absent
 * field; request schemas are closed, and every operation has its security. A request field with a default is not required, and
 * has it in its description, since generators make a field with `default` required.
 */
export function shaped(document: OpenAPIObject): OpenAPIObject {
  const whole = withNullTypes(document) as OpenAPIObject;
  const schemas = (whole.components?.schemas ?? {}) as Record<string, Json>;
  for (const [path, operations] of Object.entries(whole.paths))
    for (const [method, operation] of Object.entries(
      operations as Record<string, Operation>,
    )) {
      operation.security = securityOf(path, operation);
      operation.parameters?.forEach(describe);
      for (const name of namesIn(operation.requestBody, schemas)) {
        close(schemas[name]);
        // In a merge patch a null removes: its fields say themselves what can be removed.
        if (method !== 'patch') takeNulls(schemas[name]);
      }
      for (const status of ERROR_STATUSES)
        operation.responses[status] = problem(operation.responses[status]);
    }
  return whole;
}

/** Security is always optional in the document: without configured keys every operation is open. */
function securityOf(
  path: string,
  { parameters = [] }: Operation,
): Record<string, string[]>[] {
  if (path.startsWith('/admin/')) return [{ bearer: [] }];
  if (!path.startsWith('/api/')) return [];
  const byToken = parameters.some(({ name }) => name === TOKEN_HEADER);
  return [{ bearer: [] }, ...(byToken ? [{ 'invocation-token': [] }] : []), {}];
}

/** A parameter is absent or has a value. */
function describe(parameter: Parameter): void {
  const { schema = {} } = parameter;
  if (schema.default !== undefined) parameter.required = false;
  if (Array.isArray(schema.type))
    [schema.type] = schema.type.filter((type) => type !== 'null');
}

function problem(described: Json = { description: 'Any error.' }): Json {
  const schema = { $ref: '#/components/schemas/Problem' };
  return { content: { 'application/problem+json': { schema } }, ...described };
}

/** Requests with unknown fields are refused. */
function close(schema: Json): void {
  if (schema.type !== 'object' || !schema.properties) return;
  schema.additionalProperties ??= false;
  const properties = schema.properties as Record<string, Json>;
  const required = (schema.required ?? []) as string[];
  schema.required = required.filter(
    (name) => properties[name]?.default === undefined,
  );
  if ((schema.required as string[]).length === 0) delete schema.required;
  for (const property of Object.values(properties)) {
    if (property.default === undefined) continue;
    const text = `Default: \`${JSON.stringify(property.default)}\`.`;
    property.description = [property.description, text]
      .filter(Boolean)
      .join(' ');
    delete property.default;
  }
}

/** A null in an optional field of a request is as if the field were absent. */
function takeNulls(schema: Json): void {
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  const required = (schema.required ?? []) as string[];
  for (const [name, property] of Object.entries(properties))
    if (!required.includes(name)) properties[name] = orNull(property);
}

function orNull(schema: Json): Json {
  const { $ref, type, anyOf, oneOf, enum: values, ...rest } = schema;
  const isNull = { type: 'null' };
  const takesNull = (one: unknown): boolean => (one as Json).type === 'null';
  if ($ref !== undefined) return { ...rest, anyOf: [{ $ref }, isNull] };
  for (const [key, choices] of Object.entries({ anyOf, oneOf }))
    if (Array.isArray(choices))
      return choices.some(takesNull)
        ? schema
        : { ...schema, [key]: [...(choices as unknown[]), isNull] };
  if (typeof type !== 'string') return schema;
  const choices = Array.isArray(values) && [...(values as unknown[]), null];
  return { ...schema, type: [type, 'null'], ...(choices && { enum: choices }) };
}

/** All schemas that a part of the document references, directly or indirectly. */
function namesIn(
  part: unknown,
  schemas: Record<string, Json>,
  found = new Set<string>(),
): Set<string> {
  const text = JSON.stringify(part ?? {});
  for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    namesIn(schemas[name], schemas, found);
  }
  return found;
}

function withNullTypes(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withNullTypes);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, withNullTypes(value)]),
  );
  // The decorators can say of a field that it is any JSON by a union alone.
  if (Array.isArray(rest.anyOf) && rest.anyOf.length === 1) {
    const { anyOf, ...described } = rest;
    return { ...described, ...(anyOf as Json[])[0] };
  }
  if (nullable !== true) return rest;
  if (Array.isArray(rest.oneOf))
    return { ...rest, oneOf: [...(rest.oneOf as unknown[]), { type: 'null' }] };
  const { type, allOf, enum: values, ...other } = rest;
  const choices = allOf as unknown[] | undefined;
  if (choices?.length === 1)
    return { ...other, anyOf: [choices[0], { type: 'null' }] };
  if (typeof type !== 'string') return rest;
  return {
    ...other,
    type: [type, 'null'],
    ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }),
  };
}
