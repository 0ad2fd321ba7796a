import { AppError, isErrorCode } from '../../platform/errors';
import { PaidFailure } from '../../platform/http/openai/openai-error';
import type {
  ChatErrorDto,
  ChatReply,
  ToolCallDto,
} from '../dto/chat-response.dto';
import { errorDto } from '../turns/tool-call';

/**
 * What the forms of OpenAI have no field for. Where a chat waits for a decision of the user: the record that takes it, and
 * what opens it. What failed although there is an answer: a turn of the model, and tools.
 */
export interface OpenChat {
  sonde?: Partial<
    Pick<ChatReply, 'chat_id' | 'invocation_token' | 'required_action'>
  > & {
    error?: ChatErrorDto;
    tool_errors?: ToolFailure[];
  };
}

type ToolFailure = ChatErrorDto & Pick<ToolCallDto, 'tool_name' | 'call_id'>;

export function openChatOf(reply: ChatReply): OpenChat {
  const { required_action, chat_id, invocation_token, error } = reply;
  const tool_errors = reply.tool_calls.flatMap(
    ({ tool_name, call_id, error: cause }) =>
      cause ? [{ tool_name, call_id, ...errorDto(cause) }] : [],
  );
  const sonde = {
    ...(required_action && { chat_id, invocation_token, required_action }),
    ...(error && { error }),
    ...(tool_errors.length > 0 && { tool_errors }),
  };
  return Object.keys(sonde).length > 0 ? { sonde } : {};
}

/** @throws AppError that a chat has failed with. */
export function checkSuccess({ status, error, tool_calls }: ChatReply): void {
  if (status === 'completed' || status === 'requires_action') return;
  const given = error?.code ?? status;
  const [code, message] = isErrorCode(given)
    ? ([given, error?.message] as const)
    : (['internal_error'] as const);
  throw tool_calls.some((call) => call.error)
    ? new PaidFailure(code, message)
    : new AppError(code, message);
}
