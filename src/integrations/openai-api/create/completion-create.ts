import type { HostedTools } from '../../../config/files/hosted-tools';
import {
  type CompletionMessage,
  type CompletionRequest,
  readCompletionRequest,
} from '../../../platform/http/openai/completion-request';
import { OpenAiRefusal } from '../../../platform/http/openai/openai-error';
import { type CreateRequest, readCreate } from './create-request';
import { UNSUPPORTED } from './unsupported';

/** What a parameter of a response is called in a completion. */
const NAMES: Record<string, string> = {
  input: 'messages',
  instructions: 'messages',
  max_output_tokens: 'max_completion_tokens',
  'reasoning.effort': 'reasoning_effort',
  'text.format': 'response_format',
};

/** A completion that asks for research is read as the response that it would be: one mapping for both. */
export function readCompletionCreate(
  body: unknown,
  hosted: HostedTools,
): CreateRequest & { includeUsage: boolean } {
  const given = readCompletionRequest(body);
  const create = readCreate(responseOf(given), hosted);
  const { notices } = create.request;
  return {
    ...create,
    request: {
      ...create.request,
      ...(notices && { notices: notices.map(renamed) }),
    },
    includeUsage: given.stream_options?.include_usage === true,
  };
}

/** A refusal of a response with the parameters of a completion; any other error as it is. */
export function inTermsOfCompletion(error: unknown): unknown {
  if (!(error instanceof OpenAiRefusal)) return error;
  const { message, param } = renamed(error);
  return new OpenAiRefusal(
    error.openAiCode,
    message,
    param,
    error.status === 404 ? 404 : 400,
  );
}

function renamed<T extends { param: string; message: string }>({
  param,
  message,
}: T): { param: string; message: string } {
  const name = NAMES[param];
  return name
    ? { param: name, message: message.replaceAll(param, name) }
    : { param, message };
}

function responseOf(given: CompletionRequest): object {
  const { model, stream, store, metadata, reasoning_effort: effort } = given;
  const { tools, tool_choice: choice, response_format: format } = given;
  return {
    model,
    stream,
    store,
    metadata,
    input: given.messages.flatMap(itemsOf),
    tools: tools?.map(({ type }) => ({ type })),
    tool_choice: choice,
    max_output_tokens: given.max_completion_tokens ?? given.max_tokens,
    reasoning: effort ? { effort } : null,
    ...(format && {
      text: {
        format:
          format.type === 'json_schema'
            ? { type: format.type, ...format.json_schema }
            : format,
      },
    }),
  };
}

function itemsOf(message: CompletionMessage, at: number): object[] {
  const { role, content } = message;
  const texts = textsOf(content ?? [], at);
  if (role === 'tool')
    return [
      {
        type: 'function_call_output',
        call_id: message.tool_call_id,
        output: texts.join('\n'),
      },
    ];
  const parts = texts.map((text) => ({ type: 'input_text', text }));
  const calls = role === 'assistant' ? (message.tool_calls ?? []) : [];
  return [
    { role, content: parts },
    ...calls.map(({ id, function: { name, arguments: args } }) => ({
      type: 'function_call',
      call_id: id,
      name,
      arguments: args,
    })),
  ];
}

function textsOf(
  content: NonNullable<CompletionMessage['content']>,
  at: number,
): string[] {
  if (typeof content === 'string') return [content];
  return content.map((part, index) => {
    if (part.type === 'text') return part.text;
    if (part.type === 'refusal') return part.refusal;
    const param = `messages[${at}].content[${index}]`;
    throw new OpenAiRefusal(
      'unsupported_parameter',
      `Unsupported parameter: '${param}' ${UNSUPPORTED}, which take text alone.`,
      param,
    );
  });
}
