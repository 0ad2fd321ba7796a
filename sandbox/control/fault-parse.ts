import { ApiError } from '../wire/api-error';
import type { FaultKindSpec, FieldType } from './fault-kinds';
import { CHOICES, FAULT_KINDS, isFaultKind, MATCH_FIELDS } from './fault-kinds';
import type { Fault } from './fault';
import { isObject } from '../wire/json';

const refuse = (message: string) => new ApiError(422, message);

function checkFields(
  given: Record<string, unknown>,
  known: Record<string, FieldType>,
  where: string,
): void {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(known, name))
      throw refuse(
        `Unknown field '${name}' in ${where}. Known: ${Object.keys(known).join(', ') || 'none'}.`,
      );
    if (known[name] !== 'any' && typeof value !== known[name])
      throw refuse(`Field '${name}' in ${where} must be a ${known[name]}.`);
    const choices = CHOICES[`${where}.${name}`];
    if (choices && !choices.includes(String(value)))
      throw refuse(
        `Field '${name}' of ${where} must be one of ${choices.join(', ')}.`,
      );
  }
}

/** Unknown fields are refused: a mistyped fault that never fires would let a test pass for the wrong reason. */
export function parseFault(spec: unknown, id: string): Fault {
  if (!isObject(spec)) throw refuse('A fault must be a JSON object.');
  const { kind, match = {}, count = 1, ...params } = spec;
  if (!isFaultKind(kind))
    throw refuse(
      `Unknown fault kind '${String(kind)}'. Known: ${Object.keys(FAULT_KINDS).join(', ')}.`,
    );
  if (!isObject(match)) throw refuse("'match' must be a JSON object.");
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0)
    throw refuse("'count' must be a whole number, 0 for unlimited.");
  const kindSpec: FaultKindSpec = FAULT_KINDS[kind];
  checkFields(match, MATCH_FIELDS, 'match');
  checkFields(params, kindSpec.fields, kind);
  for (const name of kindSpec.required ?? [])
    if (params[name] === undefined)
      throw refuse(`A '${kind}' fault needs the field '${name}'.`);
  return {
    id,
    kind,
    match,
    remaining: count === 0 ? null : count,
    hits: 0,
    ...params,
  };
}
