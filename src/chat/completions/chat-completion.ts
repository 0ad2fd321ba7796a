import type {
  ChatCompletion,
  ChatCompletionMessageFunctionToolCall,
} from 'openai/resources/chat/completions';
import {
  annotationsOf,
  type CompletionHead,
  completionShape,
  type FinishReason,
} from '../../platform/http/openai/completion-shape';
import type { ChatReply } from '../dto/chat-response.dto';
import { checkSuccess, type OpenChat, openChatOf } from '../openai/open-chat';
import { callsOf, citationsIn, contentOf } from '../stream/reply-text';

/** @throws AppError if the chat has failed. */
export function completionOf(
  reply: ChatReply,
  head: CompletionHead,
): ChatCompletion & OpenChat {
  checkSuccess(reply);
  const calls = toolCallsOf(reply);
  const content = contentOf(reply);
  const message = {
    content: content || (calls.length > 0 ? null : ''),
    annotations: annotationsOf(citationsIn(reply, content)),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return {
    ...completionShape(head, message, finishOf(reply), reply.usage),
    ...openChatOf(reply),
  };
}

export function finishOf(reply: ChatReply): FinishReason {
  if (callsOf(reply).length > 0) return 'tool_calls';
  if (reply.guardrail) return 'content_filter';
  return reply.truncated ? 'length' : 'stop';
}

/** The calls of functions of the caller. */
export function toolCallsOf(
  reply: ChatReply,
): ChatCompletionMessageFunctionToolCall[] {
  return callsOf(reply).map(({ id, ...fn }) => ({
    id,
    type: 'function',
    function: fn,
  }));
}
