import { OpenAiRefusal } from '../../platform/http/openai/openai-error';
import type { Sampling } from '../../llm/turns/sampling';
import { parseCallArguments } from '../../platform/message/call-arguments';
import type { ChatRequest } from '../dto/chat.dto';
import { areSmallFunctions, MAX_FUNCTIONS_JSON } from '../dto/function.dto';
import { fitsJson } from '../dto/json-size';
import type { MessageDto } from '../dto/message.dto';

const MAX_SCHEMA_DEPTH = 40;

/** @throws OpenAiRefusal. */
export function checkFunctions(functions: ChatRequest['functions']): void {
  if (functions && !areSmallFunctions(functions))
    throw invalid(
      'tools',
      `it must have at most ${MAX_FUNCTIONS_JSON} characters of JSON, ${MAX_SCHEMA_DEPTH} levels deep`,
    );
}

interface GivenCall {
  id: string;
  name: string;
  /** JSON. */
  arguments: string;
}

/** @param param of the arguments. @throws OpenAiRefusal. */
export function callOf(
  { id, name, arguments: json }: GivenCall,
  param: string,
): NonNullable<MessageDto['tool_calls']>[number] {
  const args = parseCallArguments(json);
  if (!args) throw invalid(param, 'it must be the JSON of an object');
  return { type: 'function', id, function: { name, arguments: args } };
}

interface GivenSchema {
  name: string;
  description?: string | null;
  schema: Record<string, unknown>;
  strict?: boolean | null;
}

/** @param param of the schema. @throws OpenAiRefusal. */
export function schemaFormat(
  { name, description, schema, strict }: GivenSchema,
  param: string,
): Sampling['format'] {
  if (!fitsJson(schema, MAX_SCHEMA_DEPTH, MAX_FUNCTIONS_JSON))
    throw invalid(param, 'it is too large');
  return {
    type: 'json_schema',
    name,
    ...(description && { description }),
    schema,
    ...(strict !== null && strict !== undefined && { strict }),
  };
}

function invalid(param: string, reason: string): OpenAiRefusal {
  const message = `Invalid '${param}': ${reason}.`;
  return new OpenAiRefusal('invalid_value', message, param);
}
