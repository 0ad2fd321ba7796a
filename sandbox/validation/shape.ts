import type { ApiError } from '../wire/api-error';
import { isObject } from '../wire/json';
import shapes from './request-shapes.json';
import { invalidValue, missing, unknownParameter, wrongType } from './refusals';

/** The JSON Schema of the generated file. */
interface Shape {
  $ref?: string;
  anyOf?: Shape[];
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Shape>;
  required?: string[];
  additionalProperties?: Shape | boolean;
  items?: Shape;
}

interface Fault {
  /** How many values match before it: of several branches the one that matches furthest is reported. */
  fit: number;
  refusal: ApiError;
}

const definitions: Record<string, Shape> = shapes;
/** The properties that distinguish the branches of a union. */
const TAGS = ['type', 'role'];

export type ShapeName =
  'ResponsesBody' | 'ChatBody' | 'EmbeddingBody' | 'RetrieveQuery';

/** @throws the 400 of the endpoint for the first location at which `value` violates the published types. */
export function checkShape(value: unknown, name: ShapeName): void {
  const fault = faultIn(value, definitions[name], '');
  if (fault) throw fault.refusal;
}

function faultIn(value: unknown, shape: Shape, at: string): Fault | undefined {
  const branches = branchesOf(shape);
  const typed = branches.filter((branch) => hasType(value, branch));
  const refuse = (refusal: ApiError): Fault => ({ fit: 0, refusal });
  if (typed.length === 0)
    return refuse(wrongType(at, branches.flatMap(typesOf)));
  if (isObject(value)) return faultInObject(value, typed, at);
  if (Array.isArray(value)) return faultInItems(value, typed, at);
  if (typed.some((branch) => valuesOf(branch).length === 0)) return undefined;
  const allowed = typed.flatMap(valuesOf);
  if (allowed.includes(value)) return undefined;
  return refuse(invalidValue(at, value, allowed));
}

/** Nested unions are flattened. */
function branchesOf({ $ref, ...shape }: Shape): Shape[] {
  if ($ref) return branchesOf(definitions[$ref.slice('#/definitions/'.length)]);
  return shape.anyOf ? shape.anyOf.flatMap(branchesOf) : [shape];
}

function faultInObject(
  value: Record<string, unknown>,
  branches: Shape[],
  at: string,
): Fault | undefined {
  for (const tag of TAGS) {
    const meant = branches.filter((branch) => fitsTag(value, tag, branch));
    if (meant.length > 0) branches = meant;
    else return { fit: 0, refusal: wrongTag(value, tag, branches, at) };
  }
  const faults: Fault[] = [];
  for (const branch of branches) {
    const fault = faultInBranch(value, branch, at);
    if (!fault) return undefined;
    faults.push(fault);
  }
  return faults.reduce((a, b) => (b.fit > a.fit ? b : a));
}

function faultInBranch(
  value: Record<string, unknown>,
  { properties = {}, required = [], additionalProperties: more }: Shape,
  at: string,
): Fault | undefined {
  let fit = 0;
  for (const [key, inner] of Object.entries(value)) {
    const path = at === '' ? key : `${at}.${key}`;
    const known = Object.hasOwn(properties, key) ? properties[key] : more;
    if (known === false) return { fit, refusal: unknownParameter(path) };
    const fault =
      typeof known === 'object' ? faultIn(inner, known, path) : undefined;
    if (fault) return { ...fault, fit: fit + fault.fit };
    fit += 1;
  }
  const lacking = required.find((key) => value[key] === undefined);
  if (lacking === undefined) return undefined;
  return {
    fit,
    refusal: missing(at === '' ? lacking : `${at}.${lacking}`),
  };
}

function faultInItems(
  value: unknown[],
  branches: Shape[],
  at: string,
): Fault | undefined {
  const items: Shape = { anyOf: branches.map(({ items = {} }) => items) };
  for (const [index, item] of value.entries()) {
    const fault = faultIn(item, items, `${at}[${index}]`);
    if (fault) return { ...fault, fit: index + fault.fit };
  }
  return undefined;
}

/** A branch without the tag matches every value; an omitted tag matches where it is optional. */
function fitsTag(
  value: Record<string, unknown>,
  tag: string,
  { properties = {}, required = [] }: Shape,
): boolean {
  if (!Object.hasOwn(properties, tag)) return true;
  if (value[tag] === undefined) return !required.includes(tag);
  const allowed = branchesOf(properties[tag]).flatMap(valuesOf);
  return allowed.length === 0 || allowed.includes(value[tag]);
}

function wrongTag(
  value: Record<string, unknown>,
  tag: string,
  branches: Shape[],
  at: string,
): ApiError {
  const path = at === '' ? tag : `${at}.${tag}`;
  if (value[tag] === undefined) return missing(path);
  const allowed = branches.flatMap(({ properties = {} }) =>
    branchesOf(properties[tag] ?? {}).flatMap(valuesOf),
  );
  return invalidValue(path, value[tag], allowed);
}

const valuesOf = (shape: Shape): unknown[] =>
  'const' in shape ? [shape.const] : (shape.enum ?? []);

const typesOf = ({ type = [] }: Shape): string[] => [type].flat();

function hasType(value: unknown, shape: Shape): boolean {
  const types = typesOf(shape);
  return types.length === 0 || types.includes(typeOf(value));
}

export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
