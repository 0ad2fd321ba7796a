import { AppError } from '../../platform/errors';
import type { Sampling } from '../../llm/turns/sampling';
import type { ChatRequest } from '../dto/chat.dto';
import type { MessageDto, PartDto } from '../dto/message.dto';
import { callOf, checkFunctions, schemaFormat } from '../openai/function-calls';
import type { ChatResponseItem, ChatResponseRequest } from './read-response';

/** The request as the chat takes it. @throws OpenAiRefusal. */
export function chatRequestOf(
  request: ChatResponseRequest,
): ChatRequest & { model: string } {
  const { model, stream, tools, tool_choice: choice } = request;
  const functions = tools?.map(({ name, description, parameters, strict }) => ({
    name,
    description,
    parameters,
    strict,
  }));
  checkFunctions(functions);
  return {
    model,
    messages: messagesOf(request),
    metadata: request.metadata,
    ...(stream && { stream }),
    ...(functions && { functions }),
    ...(choice && {
      tool_choice: typeof choice === 'string' ? choice : { name: choice.name },
    }),
    parallel_tool_calls: request.parallel_tool_calls,
    sampling: samplingOf(request),
  };
}

function samplingOf(request: ChatResponseRequest): Sampling {
  const { temperature, top_p, max_output_tokens, reasoning, text } = request;
  return {
    temperature: temperature ?? undefined,
    topP: top_p ?? undefined,
    maxTokens: max_output_tokens ?? undefined,
    reasoningEffort: reasoning?.effort ?? undefined,
    format: formatOf(text?.format),
  };
}

function formatOf(
  format: NonNullable<ChatResponseRequest['text']>['format'],
): Sampling['format'] {
  if (!format || format.type === 'text') return undefined;
  if (format.type === 'json_object') return { type: format.type };
  return schemaFormat(format, 'text.format.schema');
}

function messagesOf({
  instructions,
  input,
}: ChatResponseRequest): MessageDto[] {
  const messages: MessageDto[] = instructions
    ? [{ role: 'system', contents: partsOf(instructions) }]
    : [];
  for (const [at, item] of input.entries()) add(messages, item, at);
  return messages;
}

/** Calls are part of the message of the assistant that they follow. */
function add(messages: MessageDto[], item: ChatResponseItem, at: number): void {
  switch (item.type) {
    case 'message': {
      const role = item.role === 'developer' ? 'system' : item.role;
      messages.push({ role, contents: partsOf(item.content) });
      break;
    }
    case 'function_call': {
      const { call_id: id, name, arguments: json } = item;
      const given = { id, name, arguments: json };
      const call = callOf(given, `input[${at}].arguments`);
      const last = messages.at(-1);
      if (last?.role === 'assistant') (last.tool_calls ??= []).push(call);
      else
        messages.push({ role: 'assistant', contents: [], tool_calls: [call] });
      break;
    }
    case 'function_call_output':
      messages.push({
        role: 'tool',
        tool_call_id: item.call_id,
        contents: partsOf(item.output),
      });
      break;
  }
}

type Parts = string | Extract<ChatResponseItem, { type: 'message' }>['content'];

function partsOf(content: Parts): PartDto[] {
  if (typeof content === 'string')
    return content === '' ? [] : [{ type: 'text', text: content }];
  return content.map((part): PartDto => {
    if (part.type === 'input_image')
      return { type: 'image', image: { url: part.image_url } };
    const text = part.type === 'refusal' ? part.refusal : part.text;
    return { type: 'text', text };
  });
}

/** An error of the chat with the parameters of a response. */
export function inTermsOfResponse(error: unknown): unknown {
  if (!(error instanceof AppError) || !error.errors) return error;
  const named = error.errors.filter(({ path }) => path !== 'message');
  const errors = named.map(({ path, message }) => ({
    // Several items may have become one message.
    path: path
      .replace(/^messages?\b.*/, 'input')
      .replace(/^functions\.(\d+)/, 'tools[$1]'),
    message,
  }));
  return new AppError(error.code, 'The request is not valid.', { errors });
}
