import type { JsonSchema } from '../../platform/message/tool-description';

/** Characters of JSON; a longer schema of a result is left out. */
const MAX_RESULT_SCHEMA = 2_000;

/** The description of a function with the schema of its result: function definitions have no field for it. */
export function withResult(
  description: string,
  returns: JsonSchema | null | undefined,
): string {
  const schema = returns && JSON.stringify(returns, withoutRules);
  if (!schema || schema.length > MAX_RESULT_SCHEMA) return description;
  return `${description}\nReturns JSON of this schema: ${schema}`.trimStart();
}

/** A result is read and not validated by the model: which fields it always has, and that it has no others, costs tokens. */
function withoutRules(key: string, value: unknown): unknown {
  const isRule =
    key === '$schema' ||
    (key === 'required' && Array.isArray(value)) ||
    (key === 'additionalProperties' && value === false);
  return isRule ? undefined : value;
}
