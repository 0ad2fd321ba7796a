import type { FunctionCall } from '../../llm/turns/model.types';
import { AppError, isErrorCode } from '../../platform/errors';
import type { Part } from '../../platform/message/message';
import type { ChatErrorDto, ToolCallDto } from '../dto/chat-response.dto';
import { type CompletedToolCall, errorDto } from './tool-call';

/** The DTO as plain data. */
export type ToolCallView = Pick<ToolCallDto, keyof ToolCallDto>;

/** A call that has started, with the arguments that its tool received. */
export function startedCall(
  { callId, name }: Pick<FunctionCall, 'callId' | 'name'>,
  started: Pick<CompletedToolCall, 'arguments' | 'invocation'>,
): ToolCallView {
  return toToolCallDto({ callId, toolName: name, ...started });
}

export function toToolCallDto(
  call: Pick<
    CompletedToolCall,
    'toolName' | 'callId' | 'arguments' | 'invocation' | 'error'
  > &
    Partial<Pick<CompletedToolCall, 'outcome'>>,
): ToolCallView {
  const { invocation, outcome } = call;
  // An agent that is called has no invocation.
  const answered = outcome === 'reported' ? 'completed' : null;
  return {
    tool_name: call.toolName,
    call_id: call.callId,
    arguments: call.arguments,
    invocation_id: invocation?.id ?? null,
    invocation_token: invocation?.token || null,
    status: invocation?.status ?? answered,
    error: call.error ?? null,
  };
}

/** A call that has ended. @param open whether texts of the tool may be sent before a guardrail of the output has checked them. */
export function endedCall(
  call: Omit<CompletedToolCall, 'tool'>,
  open: boolean,
): ToolCallView & { contents: readonly Part[] } {
  const dto = toToolCallDto(call);
  if (open) return { ...dto, contents: call.output };
  return { ...dto, contents: [], error: dto.error && withSentence(dto.error) };
}

/** With the sentence of the code: the tool may have written the message. */
function withSentence(error: ChatErrorDto): ChatErrorDto {
  const code = isErrorCode(error.code) ? error.code : 'tool_failed';
  return errorDto(error, new AppError(code).message);
}
