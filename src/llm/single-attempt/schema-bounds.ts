import { isUnexplainedRefusal } from '../models/unexplained-refusal';
import type { UpstreamError } from '../upstream/upstream-error';
import { isObject } from '../../platform/message/call-arguments';

/** The keywords of JSON Schema that limit texts and lists, by the kind that an endpoint takes or refuses together. */
const KINDS = {
  texts: ['minLength', 'maxLength'],
  lists: ['minItems', 'maxItems'],
} as const;
export type BoundKind = keyof typeof KINDS;
export const BOUNDS: readonly BoundKind[] = ['texts', 'lists'];

/** Messages of servers that could make no grammar of a schema. */
const INVALID = /grammar|(invalid|unsupported) .{0,30}schema/i;
/** Where a schema has schemas: by name, in a list, or alone. */
const NAMED = ['properties', '$defs', 'definitions', 'patternProperties'];
const LISTED = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const ALONE = ['items', 'additionalProperties', 'not'];
/** Deeper schemas stay as they are. */
const MAX_DEPTH = 50;

/** The schema without the bounds of these kinds. */
export function withoutBounds(
  schema: object,
  kinds: readonly BoundKind[],
): object {
  if (kinds.length === 0) return schema;
  const omitted = new Set<string>(kinds.flatMap((kind) => KINDS[kind]));
  return mapped(schema, MAX_DEPTH, (key) => !omitted.has(key));
}

/**
 * The kinds of bounds that the next attempt goes without: those that a refusal names, or all where it finds the schema
 * invalid without naming one. None that the schema does not have.
 * @param omitted what the refused attempt went without already.
 */
export function refusedBounds(
  refusal: UpstreamError,
  schema: object,
  omitted: readonly BoundKind[],
): readonly BoundKind[] {
  const { code, message = '' } = refusal.fault;
  const named = BOUNDS.filter((kind) =>
    KINDS[kind].some((keyword) => message.includes(keyword)),
  );
  const isInvalid =
    code === 'invalid_json_schema' ||
    INVALID.test(message) ||
    isUnexplainedRefusal(refusal);
  const refused = named.length > 0 ? named : isInvalid ? BOUNDS : [];
  return refused.filter(
    (kind) => !omitted.includes(kind) && hasBounds(schema, kind),
  );
}

function hasBounds(schema: object, kind: BoundKind): boolean {
  let found = false;
  mapped(schema, MAX_DEPTH, (key) => {
    found ||= (KINDS[kind] as readonly string[]).includes(key);
    return true;
  });
  return found;
}

function mapped(
  schema: object,
  depth: number,
  keep: (keyword: string) => boolean,
): object {
  if (depth === 0) return schema;
  const of = (one: unknown): unknown =>
    isObject(one) ? mapped(one, depth - 1, keep) : one;
  const entries = Object.entries(schema).filter(([key]) => keep(key));
  return Object.fromEntries(
    entries.map(([key, value]: [string, unknown]) => {
      if (ALONE.includes(key)) return [key, of(value)];
      if (LISTED.includes(key) && Array.isArray(value))
        return [key, value.map(of)];
      if (!NAMED.includes(key) || !isObject(value)) return [key, value];
      const named = Object.entries(value).map(([name, one]) => [name, of(one)]);
      return [key, Object.fromEntries(named)];
    }),
  );
}
