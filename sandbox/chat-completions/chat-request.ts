import type {
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type {
  FunctionTool,
  ResponseFormatTextConfig,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import { badRequest } from '../wire/api-error';
import type { Ask, Choice } from '../writer/ask';
import { textOf } from '../writer/conversation';
import { isObject } from '../wire/json';
import { checkModel } from '../responses/models';
import type { Settings } from '../control/settings';
import {
  checkMetadata,
  checkSampling,
  missing,
  wrongType,
} from '../validation/validate';
import { checkStrictSchema } from '../validation/strict-schema';
import { checkFunction } from '../validation/validate-tools';

export function validateChat(
  body: unknown,
  settings: Settings,
): ChatCompletionCreateParams {
  if (!isObject(body))
    throw badRequest('The body of the request must be a JSON object.');
  for (const name of ['model', 'messages'])
    if (body[name] === undefined || body[name] === null) throw missing(name);
  if (typeof body.model !== 'string') throw wrongType('model', 'a string');
  if (!Array.isArray(body.messages) || body.messages.length === 0)
    throw wrongType('messages', 'a non-empty array of messages');
  checkModel(body.model, settings);
  checkMetadata(body.metadata);
  checkSampling(body, body.model);
  const params = body as unknown as ChatCompletionCreateParams;
  checkChatTools(params);
  checkToolMessages(params.messages);
  checkFormat(params);
  return params;
}

function checkChatTools({ tools = [] }: ChatCompletionCreateParams): void {
  tools.forEach((tool, index) => {
    if (tool.type === 'function')
      return checkFunction(
        {
          name: tool.function?.name,
          parameters: tool.function?.parameters ?? null,
          strict: tool.function?.strict ?? null,
        },
        `tools[${index}].function`,
      );
    if (tool.type !== 'custom')
      throw badRequest(
        `Invalid value: '${String((tool as { type: unknown }).type)}'. Supported values are: 'function' and 'custom'.`,
        `tools[${index}].type`,
        'invalid_value',
      );
  });
}

/** Every call of an assistant message is answered before anything else is said. */
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
  const said = params.messages.map((m) => textOf(m.content)).join('\n');
  if (!/json/i.test(said))
    throw badRequest(
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      'messages',
    );
}

/** The same question in the words of the Responses API, so that both endpoints decide and write alike. */
export function askOfChat(params: ChatCompletionCreateParams): Ask {
  return {
    model: '',
    instructions: '',
    items: params.messages.flatMap(itemsOf),
    functions: (params.tools ?? []).flatMap((tool): FunctionTool[] =>
      tool.type === 'function'
        ? [
            {
              type: 'function',
              name: tool.function.name,
              parameters: tool.function.parameters ?? null,
              strict: tool.function.strict ?? null,
            },
          ]
        : [],
    ),
    choice: choiceOf(params.tool_choice),
    parallel: params.parallel_tool_calls !== false,
    hosted: [],
    canSearch: false,
    mcpServers: [],
    wantsResults: false,
    maxSearches: 0,
    format: formatOf(params.response_format),
    maxOutputTokens:
      params.max_completion_tokens ?? params.max_tokens ?? Infinity,
    wantsSources: false,
    wantsSummaries: false,
  };
}

function itemsOf(message: ChatCompletionMessageParam): ResponseInputItem[] {
  if (message.role === 'tool')
    return [
      {
        type: 'function_call_output',
        call_id: message.tool_call_id,
        output: textOf(message.content),
      },
    ];
  const calls =
    message.role === 'assistant'
      ? (message.tool_calls ?? []).flatMap((call): ResponseInputItem[] =>
          call.type === 'function'
            ? [
                {
                  type: 'function_call',
                  call_id: call.id,
                  name: call.function.name,
                  arguments: call.function.arguments,
                },
              ]
            : [],
        )
      : [];
  if (message.role === 'function') return [];
  const text = textOf(message.content);
  return [
    ...(text === '' ? [] : [{ role: message.role, content: text }]),
    ...calls,
  ];
}

function choiceOf(choice: ChatCompletionCreateParams['tool_choice']): Choice {
  if (choice === undefined) return 'auto';
  if (typeof choice === 'string') return choice;
  if (choice.type === 'function') return { name: choice.function.name };
  if (choice.type === 'allowed_tools') return choice.allowed_tools.mode;
  return 'auto';
}

function formatOf(
  format: ChatCompletionCreateParams['response_format'],
): ResponseFormatTextConfig {
  if (format?.type !== 'json_schema') return format ?? { type: 'text' };
  const { name, schema = {}, strict } = format.json_schema;
  return { type: 'json_schema', name, schema, strict };
}
