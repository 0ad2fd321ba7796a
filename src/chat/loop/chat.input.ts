import { AppError } from '../../errors';
import { renderDocuments } from '../../message/document';
import type { Message } from '../../message/message';
import type { ChatRequest } from '../dto/chat.dto';
import { checkHistory } from './history';
import { withCallIds } from './history.ids';

/**
 * The conversation as the model is told it: the earlier turns, then the user's, with context and documents before it.
 * The system prompt is not in it: that is for research alone.
 * @throws AppError `validation_failed`.
 */
export function chatInput(request: ChatRequest): Message[] {
  const history = withCallIds(request.messages ?? []);
  checkHistory(history);
  const messages = history as Message[];
  const before = background(request);
  const { message } = request;
  if (typeof message === 'string') {
    return [...messages, userTurn([...before, message].join('\n\n'))];
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
  if (before.length === 0) return messages;
  const { contents } = userTurn(before.join('\n\n'));
  return messages.with(last, {
    ...messages[last],
    contents: [...contents, ...messages[last].contents],
  });
}

function background({ context, documents }: ChatRequest): string[] {
  return [
    ...(context?.length ? [`Context:\n${context.join('\n')}`] : []),
    ...(documents?.length ? [renderDocuments(documents)] : []),
  ];
}

function userTurn(text: string): Message {
  return { role: 'user', contents: [{ type: 'text', text }] };
}
