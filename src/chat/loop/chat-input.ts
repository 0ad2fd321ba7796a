import { AppError, type FieldError } from '../../platform/errors';
import { renderDocuments } from '../../platform/message/document';
import type { Message } from '../../platform/message/message';
import type { ChatRequest } from '../dto/chat.dto';
import type { MessageDto, MessageToolCallDto } from '../dto/message.dto';

/** A message of the request as plain data. */
type InputMessage = Omit<MessageDto, 'tool_calls'> & {
  tool_calls?: Pick<MessageToolCallDto, keyof MessageToolCallDto>[];
};

/**
 * The messages of the request and its user message, preceded by context and documents. The system prompt is left out: it
 * applies to research only.
 * @throws AppError `validation_failed`.
 */
export function chatInput(request: ChatRequest): Message[] {
  const history = withCallIds(request.messages ?? []);
  checkHistory(history);
  const messages = history as Message[];
  const preamble = preambleOf(request);
  const { message } = request;
  if (typeof message === 'string') {
    return [...messages, userMessage([...preamble, message].join('\n\n'))];
  }
  const last = messages.findLastIndex(({ role }) => role === 'user');
  if (last < 0) {
    throw new AppError('validation_failed', 'There is no user message.', {
      errors: [
        { path: 'messages', message: 'must hold a user message' },
        { path: 'message', message: 'is required without one' },
      ],
    });
  }
  if (preamble.length === 0) return messages;
  const { contents } = userMessage(preamble.join('\n\n'));
  return messages.with(last, {
    ...messages[last],
    contents: [...contents, ...messages[last].contents],
  });
}

function preambleOf({ context, documents }: ChatRequest): string[] {
  return [
    ...(context?.length ? [`Context:\n${context.join('\n')}`] : []),
    ...(documents?.length ? [renderDocuments(documents)] : []),
  ];
}

function userMessage(text: string): Message {
  return { role: 'user', contents: [{ type: 'text', text }] };
}

/** Gives every call an id. Calls without one are matched in order with `tool` messages that have no `tool_call_id`. */
function withCallIds(messages: readonly InputMessage[]): InputMessage[] {
  const used = new Set(
    messages.flatMap(({ tool_calls }) =>
      (tool_calls ?? []).map(({ id }) => id),
    ),
  );
  const unanswered: string[] = [];
  let count = 0;
  const newId = (): string => {
    let id: string;
    do id = `call_${(count += 1)}`;
    while (used.has(id));
    unanswered.push(id);
    return id;
  };
  return messages.map((message) => {
    const { role, tool_calls, tool_call_id } = message;
    if (role === 'tool' && !tool_call_id)
      return { ...message, tool_call_id: unanswered.shift() };
    if (!tool_calls?.some(({ id }) => !id)) return message;
    const calls = tool_calls.map((call) => ({
      ...call,
      id: call.id || newId(),
    }));
    return { ...message, tool_calls: calls };
  });
}

/**
 * Checks what spans several messages: every call has exactly one result, and it follows the call. The upstream would reject
 * such a history with an error text that must not reach the client.
 * @throws AppError `validation_failed`.
 */
function checkHistory(messages: readonly InputMessage[]): void {
  const errors: FieldError[] = [];
  const unanswered = new Map<string, string>();
  messages.forEach((message, index) => {
    const path = `messages.${index}`;
    checkRole(message, path, errors);
    const answered = message.tool_call_id ?? '';
    if (message.role === 'tool' && !unanswered.delete(answered)) {
      errors.push({
        path: `${path}.tool_call_id`,
        message: 'must be the id of an earlier call that has no answer yet',
      });
    }
    (message.tool_calls ?? []).forEach(({ id }, call) =>
      unanswered.set(id ?? '', `${path}.tool_calls.${call}.id`),
    );
  });
  for (const path of unanswered.values()) {
    errors.push({ path, message: 'has no answer in a later tool message' });
  }
  if (errors.length === 0) return;
  throw new AppError(
    'validation_failed',
    'The messages are not consistent with each other.',
    { errors: errors.slice(0, 100) },
  );
}

function checkRole(
  { role, contents, tool_calls }: InputMessage,
  path: string,
  errors: FieldError[],
): void {
  if (role !== 'assistant' && tool_calls?.length) {
    errors.push({
      path: `${path}.tool_calls`,
      message: 'only an assistant calls tools',
    });
  }
  if (role === 'user' || role === 'tool') return;
  const image = contents.findIndex(({ type }) => type === 'image');
  if (image < 0) return;
  errors.push({
    path: `${path}.contents.${image}`,
    message: 'only a user or a tool shows images',
  });
}
