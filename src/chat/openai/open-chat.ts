import { AppError, isErrorCode } from '../../platform/errors';
import type { ChatReply } from '../dto/chat-response.dto';

/** Where a chat waits for a decision of the user: the record that takes it, and what opens it. */
export interface OpenChat {
  sonde?: Pick<ChatReply, 'chat_id' | 'invocation_token' | 'required_action'>;
}

export function openChatOf(reply: ChatReply): OpenChat {
  const { required_action, chat_id, invocation_token } = reply;
  if (!required_action) return {};
  return { sonde: { chat_id, invocation_token, required_action } };
}

/** @throws AppError that a chat has failed with. */
export function checkSuccess({ status, error }: ChatReply): void {
  if (status === 'completed' || status === 'requires_action') return;
  const code = error?.code ?? status;
  if (!isErrorCode(code)) throw new AppError('internal_error');
  throw new AppError(code, error?.message);
}
