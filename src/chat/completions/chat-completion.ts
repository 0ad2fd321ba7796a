import { randomUUID } from 'node:crypto';
import type {
  ChatCompletion,
  ChatCompletionMessage,
  ChatCompletionMessageFunctionToolCall,
} from 'openai/resources/chat/completions';
import type { CompletionUsage } from 'openai/resources/completions';
import type { AppError } from '../../platform/errors';
import {
  type OpenAiErrorBody,
  openAiErrorOf,
} from '../../platform/http/openai/openai-error';
import type { Citation } from '../../platform/message/citation';
import type { RunRecord } from '../../runs/record/run-record';
import type { ChatReply } from '../dto/chat-response.dto';
import { checkSuccess, type OpenChat, openChatOf } from '../openai/open-chat';
import { callsOf, citationsIn, contentOf } from '../stream/reply-text';

/** What a completion and all its chunks have in common. */
export interface CompletionHead {
  id: string;
  created: number;
  model: string;
}

type FinishReason = ChatCompletion.Choice['finish_reason'];
type Annotation = ChatCompletionMessage.Annotation;

export function newHead(model: string): CompletionHead {
  const id = `chatcmpl-${randomUUID().replaceAll('-', '')}`;
  return { id, created: Math.floor(Date.now() / 1_000), model };
}

/** Of a chat on record: the same for every request with its idempotency key. */
export function headOf(
  { id, createdMs }: Pick<RunRecord, 'id' | 'createdMs'>,
  model: string,
): CompletionHead {
  return {
    id: id.replace(/^chat_/, 'chatcmpl-'),
    created: Math.floor(createdMs / 1_000),
    model,
  };
}

/** @throws AppError if the chat has failed. */
export function completionOf(
  reply: ChatReply,
  head: CompletionHead,
): ChatCompletion & OpenChat {
  checkSuccess(reply);
  const calls = toolCallsOf(reply);
  const content = contentOf(reply);
  const usage = usageOf(reply);
  return {
    ...head,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: content || (calls.length > 0 ? null : ''),
          refusal: null,
          annotations: citationsIn(reply, content).map(annotationOf),
          ...(calls.length > 0 && { tool_calls: calls }),
        },
        logprobs: null,
        finish_reason: finishOf(reply),
      },
    ],
    ...(usage && { usage }),
    ...openChatOf(reply),
  };
}

/** A failure after the status 200 was sent: without a choice, no client takes it for an answer. */
export function failedCompletion(
  error: AppError,
  head: CompletionHead,
): ChatCompletion & OpenAiErrorBody {
  const object = 'chat.completion';
  return { ...head, object, choices: [], ...openAiErrorOf(error).body };
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

export function annotationOf({
  url,
  title,
  start_index,
  end_index,
}: Citation): Annotation {
  return {
    type: 'url_citation',
    url_citation: { url, title: title || url, start_index, end_index },
  };
}

export function usageOf({ usage }: ChatReply): CompletionUsage | undefined {
  if (!usage) return undefined;
  return {
    prompt_tokens: usage.input_tokens,
    completion_tokens: usage.output_tokens,
    total_tokens: usage.total_tokens,
  };
}
