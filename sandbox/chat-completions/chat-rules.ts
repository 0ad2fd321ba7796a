import type {
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { badRequest } from '../wire/api-error';
import { isPlain } from '../plain/plain-models';
import { textOf } from '../writer/request/conversation';
import { isObject } from '../wire/json';
import { checkModel } from '../responses/models';
import type { Settings } from '../control/settings';
import {
  checkLength,
  checkMetadata,
  checkName,
  checkStreamOptions,
  checkToolCount,
} from '../validation/limits';
import { missing, tooShort } from '../validation/refusals';
import { checkShape } from '../validation/shape';
import { checkStrictSchema } from '../validation/strict-schema';
import { checkSampling } from '../validation/validate';
import { checkFunction } from '../validation/validate-tools';

const LONGEST_CALL_ID = 40;

/** The body of POST /v1/chat/completions, or the 400 that the upstream would return. */
export function validateChat(
  body: unknown,
  settings: Settings,
): ChatCompletionCreateParams {
  if (!isObject(body))
    throw badRequest('The body of the request must be a JSON object.');
  for (const name of ['model', 'messages'])
    if (body[name] === undefined || body[name] === null) throw missing(name);
  checkShape(body, 'ChatBody');
  const params = body as unknown as ChatCompletionCreateParams;
  if (params.messages.length === 0) throw tooShort('messages');
  checkModel(params.model, settings);
  checkMetadata(params.metadata);
  checkStreamOptions(params);
  checkSampling(body, params.model);
  if (params.web_search_options && isPlain(params.model))
    throw badRequest(
      'Web search options not supported with this model.',
      'web_search_options',
    );
  checkTools(params);
  params.messages.forEach(checkAssistant);
  checkToolMessages(params.messages);
  checkFormat(params);
  return params;
}

function checkTools(params: ChatCompletionCreateParams): void {
  const { tools } = params;
  if (tools?.length === 0) throw tooShort('tools');
  for (const name of ['tool_choice', 'parallel_tool_calls'] as const)
    if (params[name] !== undefined && !tools)
      throw badRequest(
        `Invalid value for '${name}': '${name}' is only allowed when 'tools' are specified.`,
        name,
      );
  checkToolCount(tools ?? []);
  tools?.forEach((tool, index) => {
    if (tool.type === 'function')
      checkFunction(tool.function, `tools[${index}].function`);
  });
}

function checkAssistant(
  message: ChatCompletionMessageParam,
  index: number,
): void {
  if (message.role !== 'assistant') return;
  const { content, tool_calls, function_call, refusal, audio } = message;
  const at = `messages[${index}]`;
  if (tool_calls?.length === 0) throw tooShort(`${at}.tool_calls`);
  const otherContent = tool_calls ?? function_call ?? refusal ?? audio;
  if ((content === null || content === undefined) && !otherContent)
    throw badRequest(
      "Invalid value for 'content': expected a string, got null.",
      `${at}.content`,
    );
  tool_calls?.forEach((call, n) => {
    const of = `${at}.tool_calls[${n}]`;
    checkLength(call.id, LONGEST_CALL_ID, `${of}.id`);
    if (call.type === 'function')
      checkName(call.function.name, `${of}.function.name`);
  });
}

/** Every call of an assistant message is answered before the next message. */
function checkToolMessages(messages: ChatCompletionMessageParam[]): void {
  let open = new Set<string>();
  messages.forEach((message, index) => {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id))
        throw badRequest(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          `messages.[${index}].role`,
        );
      return;
    }
    if (open.size > 0) throw unanswered(open);
    if (message.role === 'assistant')
      open = new Set(message.tool_calls?.map((call) => call.id));
  });
  if (open.size > 0) throw unanswered(open);
}

const unanswered = (ids: Set<string>) =>
  badRequest(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...ids].join(', ')}`,
    'messages',
  );

function checkFormat(params: ChatCompletionCreateParams): void {
  const format = params.response_format;
  if (format?.type === 'json_schema' && format.json_schema.strict === true)
    checkStrictSchema(
      format.json_schema.schema,
      `response_format '${format.json_schema.name}'`,
      'response_format',
      'invalid_json_schema',
    );
  if (format?.type !== 'json_object') return;
  const text = params.messages.map((m) => textOf(m.content)).join('\n');
  if (!/json/i.test(text))
    throw badRequest(
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      'messages',
    );
}
