import type {
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type {
  FunctionTool,
  ResponseFormatTextConfig,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import type { Ask, Choice } from '../writer/request/ask';
import { groundingOf } from './grounded-models';
import { isPlain } from '../plain/plain-models';
import { textOf } from '../writer/request/conversation';

/** The request in the terms of the Responses API, so that both endpoints decide and write alike. */
export function askOfChat(params: ChatCompletionCreateParams): Ask {
  const canSearch =
    params.web_search_options !== undefined ||
    groundingOf(params.model) !== undefined;
  return {
    model: isPlain(params.model) ? params.model : '',
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
    hosted: canSearch ? ['web_search'] : [],
    canSearch,
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
