import { AppError } from '../../platform/errors';
import type { Sampling } from '../../llm/turns/sampling';
import type { ChatRequest } from '../dto/chat.dto';
import type { MessageDto, PartDto } from '../dto/message.dto';
import { callOf, checkFunctions, schemaFormat } from '../openai/function-calls';
import type {
  CompletionMessage,
  CompletionRequest,
} from '../../platform/http/openai/completion-request';

/** The request as the chat takes it. @throws OpenAiRefusal. */
export function chatRequestOf(
  request: CompletionRequest,
): ChatRequest & { model: string } {
  const { model, messages, stream, tools, tool_choice: choice } = request;
  const functions = tools?.map(({ function: fn }) => fn);
  checkFunctions(functions);
  return {
    model,
    messages: messages.map(messageOf),
    metadata: request.metadata,
    ...(stream && { stream }),
    ...(functions && { functions }),
    ...(choice && {
      tool_choice:
        typeof choice === 'string' ? choice : { name: choice.function.name },
    }),
    parallel_tool_calls: request.parallel_tool_calls,
    sampling: samplingOf(request),
  };
}

function samplingOf(request: CompletionRequest): Sampling {
  const { temperature, top_p, reasoning_effort, stop } = request;
  return {
    temperature: temperature ?? undefined,
    topP: top_p ?? undefined,
    maxTokens: request.max_completion_tokens ?? request.max_tokens ?? undefined,
    reasoningEffort: reasoning_effort ?? undefined,
    ...(stop?.length && { stop }),
    format: formatOf(request.response_format),
  };
}

function formatOf(
  format: CompletionRequest['response_format'],
): Sampling['format'] {
  if (!format || format.type === 'text') return undefined;
  if (format.type === 'json_object') return { type: format.type };
  return schemaFormat(format.json_schema, 'response_format.json_schema.schema');
}

function messageOf(message: CompletionMessage, at: number): MessageDto {
  const { name } = message;
  const named = name === undefined ? {} : { name };
  switch (message.role) {
    case 'system':
    case 'developer':
      return { ...named, role: 'system', contents: partsOf(message.content) };
    case 'user':
      return { ...named, role: 'user', contents: partsOf(message.content) };
    case 'tool':
      return {
        role: 'tool',
        tool_call_id: message.tool_call_id,
        contents: partsOf(message.content),
      };
    case 'assistant': {
      const calls = message.tool_calls ?? [];
      return {
        ...named,
        role: 'assistant',
        contents: partsOf(message.content ?? []),
        ...(calls.length > 0 && {
          tool_calls: calls.map(({ id, function: fn }, index) =>
            callOf(
              { id, ...fn },
              `messages[${at}].tool_calls[${index}].function.arguments`,
            ),
          ),
        }),
      };
    }
  }
}

type Part =
  | { type: 'text'; text: string }
  | { type: 'refusal'; refusal: string }
  | { type: 'image_url'; image_url: { url: string } };

function partsOf(content: string | readonly Part[]): PartDto[] {
  if (typeof content === 'string')
    return content === '' ? [] : [{ type: 'text', text: content }];
  return content.map((part): PartDto => {
    switch (part.type) {
      case 'text':
        return { type: 'text', text: part.text };
      case 'refusal':
        return { type: 'text', text: part.refusal };
      case 'image_url':
        return { type: 'image', image: { url: part.image_url.url } };
    }
  });
}

/** An error of the chat with the parameters of a completion. */
export function inTermsOfCompletion(error: unknown): unknown {
  if (!(error instanceof AppError) || !error.errors) return error;
  // These forms have no `message`.
  const named = error.errors.filter(({ path }) => path !== 'message');
  const errors = named.map(({ path, message }) => ({
    path: path
      .replace(/^functions\.(\d+)\./, 'tools.$1.function.')
      .replace(/^tool_choice\./, 'tool_choice.function.')
      .replace('.contents', '.content')
      .replaceAll(/\.(\d+)(?=\.|$)/g, '[$1]'),
    message,
  }));
  return new AppError(error.code, 'The request is not valid.', { errors });
}
