import { randomUUID } from 'node:crypto';
import type {
  FunctionTool,
  Response,
  ResponseFunctionToolCall,
  ResponseOutputItem,
} from 'openai/resources/responses/responses';
import type { AppError } from '../../platform/errors';
import { messageOf } from '../../platform/http/openai/message-item';
import {
  responseError,
  responseShape,
  responseUsage,
  seconds,
  type WireResponse,
} from '../../platform/http/openai/response-shape';
import type { RunRecord } from '../../runs/record/run-record';
import { digitsOf } from '../../runs/record/run-id';
import type { ChatReply } from '../dto/chat-response.dto';
import { checkSuccess, type OpenChat, openChatOf } from '../openai/open-chat';
import { callsOf, citationsIn, contentOf } from '../stream/reply-text';
import type { ChatResponseRequest } from './read-response';

/** What all states of one response have in common. */
export interface ResponseHead {
  digits: string;
  createdMs: number;
  /** Of a chat on record. */
  completedMs?: number | null;
  request: ChatResponseRequest;
}

export function newHead(request: ChatResponseRequest): ResponseHead {
  const digits = randomUUID().replaceAll('-', '');
  return { digits, createdMs: Date.now(), request };
}

/** Of a chat on record: the same for every request with its idempotency key. */
export function headOf(
  {
    id,
    createdMs,
    completedMs,
  }: Pick<RunRecord, 'id' | 'createdMs' | 'completedMs'>,
  request: ChatResponseRequest,
): ResponseHead {
  return { digits: digitsOf(id), createdMs, completedMs, request };
}

/** @throws AppError if the chat has failed. */
export function responseOf(
  reply: ChatReply,
  head: ResponseHead,
): WireResponse & OpenChat {
  checkSuccess(reply);
  const text = contentOf(reply);
  const calls = callItems(reply, head);
  const message = messageOf(
    messageId(head),
    text,
    citationsIn(reply, text),
    endOf(reply).status,
  );
  const hasMessage = text !== '' || calls.length === 0;
  return finished(reply, head, [...(hasMessage ? [message] : []), ...calls]);
}

/** A response at its end, with these items. */
export function finished(
  reply: ChatReply,
  head: ResponseHead,
  output: ResponseOutputItem[],
): WireResponse & OpenChat {
  const { status, reason } = endOf(reply);
  const completedMs = head.completedMs ?? Date.now();
  return {
    ...shapeOf(head),
    status,
    ...(status === 'completed' && { completed_at: seconds(completedMs) }),
    incomplete_details: reason ? { reason } : null,
    output,
    ...(reply.usage && { usage: responseUsage(reply.usage) }),
    ...openChatOf(reply),
  };
}

export function unfinished(head: ResponseHead): Response {
  return { ...shapeOf(head), status: 'in_progress' } as Response;
}

export function failed(head: ResponseHead, error: AppError): Response {
  return {
    ...shapeOf(head),
    status: 'failed',
    error: responseError(error),
  } as Response;
}

export function messageId({ digits }: ResponseHead): string {
  return `msg_${digits}`;
}

export type CallItem = ResponseFunctionToolCall & { id: string };

/** The calls of functions of the caller. */
export function callItems(
  reply: ChatReply,
  { digits }: ResponseHead,
): CallItem[] {
  return callsOf(reply).map(
    ({ id: call_id, name, arguments: args }, index) => ({
      id: `fc_${digits}${index}`,
      type: 'function_call',
      status: 'completed',
      call_id,
      name,
      arguments: args,
    }),
  );
}

interface End {
  status: 'completed' | 'incomplete';
  reason?: 'content_filter' | 'max_output_tokens';
}

export function endOf(reply: ChatReply): End {
  if (callsOf(reply).length > 0) return { status: 'completed' };
  if (reply.guardrail)
    return { status: 'incomplete', reason: 'content_filter' };
  return reply.truncated
    ? { status: 'incomplete', reason: 'max_output_tokens' }
    : { status: 'completed' };
}

function shapeOf({ digits, createdMs, request }: ResponseHead): WireResponse {
  const { text, reasoning, tools, tool_choice } = request;
  return responseShape({
    id: `resp_${digits}`,
    createdMs,
    background: false,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    model: request.model,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    ...(reasoning && {
      reasoning: {
        effort: (reasoning.effort ?? null) as Effort,
        summary: reasoning.summary ?? null,
      },
    }),
    store: false,
    temperature: request.temperature ?? 1,
    text: { format: (text?.format ?? { type: 'text' }) as Format },
    tool_choice: tool_choice ?? 'auto',
    tools: (tools ?? []).map(toolOf),
    top_p: request.top_p ?? 1,
    metadata: request.metadata ?? {},
  });
}

type Effort = NonNullable<Response['reasoning']>['effort'];
type Format = NonNullable<NonNullable<Response['text']>['format']>;

function toolOf({
  name,
  description,
  parameters,
  strict,
}: NonNullable<ChatResponseRequest['tools']>[number]): FunctionTool {
  return {
    type: 'function',
    name,
    description: description ?? null,
    parameters: parameters ?? null,
    strict: strict ?? true,
  };
}
