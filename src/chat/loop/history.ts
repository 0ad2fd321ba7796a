import { AppError, type FieldError } from '../../errors';
import type { EarlierTurn } from './history.ids';

/**
 * What the fields of a message alone cannot show: every call has its answer, after it and once. An endpoint would
 * refuse such a history in words that nobody may be shown.
 * @throws AppError `validation_failed`.
 */
export function checkHistory(messages: readonly EarlierTurn[]): void {
  const errors: FieldError[] = [];
  const unanswered = new Map<string, string>();
  messages.forEach((message, index) => {
    const at = `messages.${index}`;
    checkRole(message, at, errors);
    const answered = message.tool_call_id ?? '';
    if (message.role === 'tool' && !unanswered.delete(answered)) {
      errors.push({
        path: `${at}.tool_call_id`,
        message: 'must be the id of an earlier call that has no answer yet',
      });
    }
    (message.tool_calls ?? []).forEach(({ id }, call) =>
      unanswered.set(id ?? '', `${at}.tool_calls.${call}.id`),
    );
  });
  for (const path of unanswered.values()) {
    errors.push({ path, message: 'has no answer in a later tool message' });
  }
  if (errors.length === 0) return;
  throw new AppError('validation_failed', 'The messages do not fit together.', {
    errors: errors.slice(0, 100),
  });
}

function checkRole(
  { role, contents, tool_calls }: EarlierTurn,
  at: string,
  errors: FieldError[],
): void {
  if (role !== 'assistant' && tool_calls?.length) {
    errors.push({
      path: `${at}.tool_calls`,
      message: 'only an assistant calls tools',
    });
  }
  if (role === 'user' || role === 'tool') return;
  const image = contents.findIndex(({ type }) => type === 'image');
  if (image < 0) return;
  errors.push({
    path: `${at}.contents.${image}`,
    message: 'only a user or a tool shows images',
  });
}
