import { badRequest } from '../wire/api-error';
import { isObject } from '../wire/json';

const DEEPEST = 10;
const REFUSED = ['allOf', 'not', 'dependentRequired', 'dependentSchemas', 'if'];

/**
 * Throws the 400 of the upstream if `schema` violates a rule of strict mode; `what` is e.g. `function 'deep_research'`.
 */
export function checkStrictSchema(
  schema: unknown,
  what: string,
  param: string,
  code: string,
): void {
  const refuse = (message: string) =>
    badRequest(`Invalid schema for ${what}: ${message}`, param, code);
  const context = (path: string[]) =>
    `In context=(${path.map((p) => `'${p}'`).join(', ')})`;

  if (!isObject(schema) || schema.type !== 'object')
    throw refuse(
      `schema must be a JSON Schema of 'type: "object"', got 'type: "${isObject(schema) ? String(schema.type) : 'None'}"'.`,
    );
  if ('anyOf' in schema)
    throw refuse(`${context([])}, 'anyOf' is not permitted at the root.`);
  visit(schema, [], 1);

  function visit(node: unknown, path: string[], depth: number): void {
    if (!isObject(node)) return;
    if (depth > DEEPEST)
      throw refuse(`${depth} levels of nesting exceeds limit of ${DEEPEST}.`);
    const refused = REFUSED.find((keyword) => keyword in node);
    if (refused)
      throw refuse(`${context(path)}, '${refused}' is not permitted.`);
    if (hasType(node, 'object')) checkObject(node, path);
    children(node).forEach(([step, child]) => {
      const deeper = step[0] === 'properties' || step[0] === 'items';
      visit(child, [...path, ...step], deeper ? depth + 1 : depth);
    });
  }

  function checkObject(node: Record<string, unknown>, path: string[]): void {
    if (node.additionalProperties !== false)
      throw refuse(
        `${context(path)}, 'additionalProperties' is required to be supplied and to be false.`,
      );
    const required = Array.isArray(node.required) ? node.required : [];
    const missing = Object.keys(
      isObject(node.properties) ? node.properties : {},
    ).find((key) => !required.includes(key));
    if (missing !== undefined)
      throw refuse(
        `${context(path)}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`,
      );
  }
}

const hasType = (node: Record<string, unknown>, type: string) =>
  node.type === type || (Array.isArray(node.type) && node.type.includes(type));

function children(node: Record<string, unknown>): [string[], unknown][] {
  const within = (key: string) =>
    Object.entries(isObject(node[key]) ? node[key] : {}).map(
      ([name, child]): [string[], unknown] => [[key, name], child],
    );
  const branches = Array.isArray(node.anyOf) ? node.anyOf : [];
  return [
    ...within('properties'),
    ...within('$defs'),
    ...branches.map((child: unknown, i): [string[], unknown] => [
      ['anyOf', String(i)],
      child,
    ]),
    [['items'], node.items],
  ];
}
