import type { ResponseRetrieveParams } from 'openai/resources/responses/responses';
import { unknownParameter, wrongType } from './refusals';
import { checkShape } from './shape';

const WHOLE = /^\d+$/;
/** `include[]`, `include[0]` and `include` form one list. */
const INDEX = /\[\d*\]$/;

/** The query of GET /v1/responses/{id}, or the 400 that the upstream would return. */
export function retrieveQuery(query: URLSearchParams): ResponseRetrieveParams {
  const read: Record<string, unknown> = {};
  for (const [key, value] of query) {
    const name = key.replace(INDEX, '');
    read[name] =
      name === 'include'
        ? [...((read.include as string[] | undefined) ?? []), value]
        : typed(value);
  }
  checkShape(read, 'RetrieveQuery');
  const after = read.starting_after;
  if (after !== undefined && !WHOLE.test(query.get('starting_after') ?? ''))
    throw wrongType('starting_after', ['integer']);
  return read;
}

export function checkNoQuery(query: URLSearchParams): void {
  const [name] = query.keys();
  if (name !== undefined) throw unknownParameter(name);
}

function typed(value: string): unknown {
  if (value === 'true' || value === 'false') return value === 'true';
  return value.trim() !== '' && Number.isFinite(Number(value))
    ? Number(value)
    : value;
}
