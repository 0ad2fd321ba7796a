import { isObject } from '../../../platform/message/call-arguments';
import type { JsonSchema } from '../../../platform/message/tool-description';
import { cut } from '../hits';
import { ProviderFailed, type SearchQuery } from '../search.types';

/** What the operator sets of a tool's arguments. */
export interface McpArguments {
  /** The argument that takes the query. Undefined: found by its name. */
  readonly query?: string;
  /** Further arguments, the same for every query. */
  readonly fixed: Readonly<Record<string, unknown>>;
}

const QUERIES = [
  'query',
  'q',
  'search_query',
  'searchQuery',
  'search',
  'keywords',
  'keyword',
  'question',
  'text',
  'term',
  'pattern',
  'input',
];
const LIMITS = [
  'limit',
  'count',
  'max_results',
  'maxResults',
  'num_results',
  'numResults',
  'num',
  'top_k',
  'size',
];

/** The arguments of a search, by the schema of the tool. @throws ProviderFailed if none takes a query. */
export function searchArguments(
  schema: JsonSchema,
  { text, limit }: SearchQuery,
  { query, fixed }: McpArguments,
): Record<string, unknown> {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const isText = (name: unknown): name is string =>
    typeof name === 'string' && hasType(properties[name], 'string');
  const one =
    query ?? QUERIES.find(isText) ?? required.filter(isText).find(Boolean);
  if (one === undefined)
    throw new ProviderFailed(
      'bad_reply',
      'none of its arguments takes a query: set queryArgument',
    );
  const most = LIMITS.find(
    (name) =>
      hasType(properties[name], 'integer') ||
      hasType(properties[name], 'number'),
  );
  return {
    ...(most !== undefined && { [most]: within(properties[most], limit) }),
    ...fixed,
    [one]: cut(text, bound(properties[one], 'maxLength', text.length)),
  };
}

function hasType(property: unknown, type: string): boolean {
  if (!isObject(property)) return false;
  if (property.enum !== undefined || property.const !== undefined) return false;
  const { type: own, anyOf } = property;
  if (Array.isArray(own)) return own.includes(type);
  if (Array.isArray(anyOf)) return anyOf.some((one) => hasType(one, type));
  return own === type;
}

function within(property: unknown, limit: number): number {
  const most = Math.min(limit, bound(property, 'maximum', limit));
  return Math.max(most, bound(property, 'minimum', most));
}

function bound(property: unknown, name: string, otherwise: number): number {
  const value = isObject(property) ? property[name] : undefined;
  return typeof value === 'number' ? value : otherwise;
}
