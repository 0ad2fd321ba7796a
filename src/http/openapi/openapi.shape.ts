import type { OpenAPIObject } from '@nestjs/swagger';

type Json = Record<string, unknown>;
type Operation = {
  parameters?: { name: string; required?: boolean; schema?: Json }[];
  requestBody?: Json;
  responses: Record<string, Json>;
  security?: Record<string, string[]>[];
};

const ERROR_STATUSES = ['4XX', 'default'];
const TOKEN_HEADER = 'X-Invocation-Token';

/**
 * Brings what the decorators give, in the forms of OpenAPI 3.0, into those of 3.1 that generated clients take well: `null` is a type,
 * requests are closed, and what an operation needs of a caller stands with it. A default stands in the description of a request's
 * field, since generators make a field with `default` a required one.
 */
export function shaped(document: OpenAPIObject): OpenAPIObject {
  const whole = withNullTypes(document) as OpenAPIObject;
  const schemas = (whole.components?.schemas ?? {}) as Record<string, Json>;
  for (const [path, operations] of Object.entries(whole.paths))
    for (const operation of Object.values(operations) as Operation[]) {
      operation.security = securityOf(path, operation);
      for (const parameter of operation.parameters ?? [])
        if (parameter.schema?.default !== undefined) parameter.required = false;
      for (const name of namesIn(operation.requestBody, schemas))
        close(schemas[name]);
      for (const status of ERROR_STATUSES)
        operation.responses[status] = problem(operation.responses[status]);
    }
  return whole;
}

/** Without configured keys every operation is open, so nothing is always required. */
function securityOf(
  path: string,
  { parameters = [] }: Operation,
): Record<string, string[]>[] {
  if (!path.startsWith('/api/')) return [];
  const byToken = parameters.some(({ name }) => name === TOKEN_HEADER);
  return [{ bearer: [] }, ...(byToken ? [{ 'invocation-token': [] }] : []), {}];
}

function problem(described: Json = { description: 'Any error.' }): Json {
  const schema = { $ref: '#/components/schemas/Problem' };
  return { content: { 'application/problem+json': { schema } }, ...described };
}

/** A request with a field that does not exist is refused. */
function close(schema: Json): void {
  if (schema.type !== 'object' || !schema.properties) return;
  schema.additionalProperties ??= false;
  for (const property of Object.values(schema.properties as Json) as Json[]) {
    if (property.default === undefined) continue;
    const text = `Default: \`${JSON.stringify(property.default)}\`.`;
    property.description = [property.description, text]
      .filter(Boolean)
      .join(' ');
    delete property.default;
  }
}

/** All schemas that a part of the document refers to, directly or not. */
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
  if (nullable !== true) return rest;
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
