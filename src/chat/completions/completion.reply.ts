import { randomUUID } from 'node:crypto';
import type {
  ChatCompletion,
  ChatCompletionMessage,
  ChatCompletionMessageFunctionToolCall,
} from 'openai/resources/chat/completions';
import type { CompletionUsage } from 'openai/resources/completions';
import { AppError, isErrorCode } from '../../errors';
import { type Citation, codePoints, located } from '../../message/citation';
import type { RunRecord } from '../../runs/record/run.record';
import type { ChatReply } from '../dto/chat-response.dto';

/** What a completion and all its chunks have in common. */
export interface CompletionHead {
  id: string;
  created: number;
  model: string;
}

/** Where a chat waits for a decision of the user: the record that takes it, and what opens it. */
interface OpenChat {
  sonde?: Pick<ChatReply, 'chat_id' | 'invocation_token' | 'required_action'>;
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
  const calls = callsOf(reply);
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
          annotations: annotationsOf(reply, content),
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

/** @throws AppError that a chat has failed with. */
export function checkSuccess({ status, error }: ChatReply): void {
  if (status === 'completed' || status === 'requires_action') return;
  const code = error?.code ?? status;
  if (!isErrorCode(code)) throw new AppError('internal_error');
  throw new AppError(code, error?.message);
}

export function finishOf(reply: ChatReply): FinishReason {
  if (callsOf(reply).length > 0) return 'tool_calls';
  if (reply.guardrail) return 'content_filter';
  return reply.truncated ? 'length' : 'stop';
}

/**
 * The text of the reply. Before calls of the caller it begins with the report of research that Sonde has run: the next request
 * repeats this message, and without the report the model would ask for the research again.
 */
export function contentOf(reply: ChatReply): string {
  const { content, research_summary: report } = reply;
  if (callsOf(reply).length === 0) return content ?? '';
  return [report, content].filter(Boolean).join('\n\n');
}

/** The calls of functions of the caller. */
export function callsOf({
  message,
}: ChatReply): ChatCompletionMessageFunctionToolCall[] {
  return (message?.tool_calls ?? []).map(({ id = '', function: fn }) => ({
    id,
    type: 'function',
    function: { name: fn.name, arguments: JSON.stringify(fn.arguments) },
  }));
}

/**
 * The citations as places in `content`. A page that research cites and whose report is not part of the text stands at its
 * end, with an empty range.
 */
export function annotationsOf(reply: ChatReply, content: string): Annotation[] {
  const { citations, research_summary: report } = reply;
  if (!citations) return [];
  if (report === null || report === content) return citations.map(annotationOf);
  if (content.includes(report.trim()))
    return located(citations, report, content).map(annotationOf);
  const end = codePoints(content);
  const pages = new Map(citations.map((citation) => [citation.url, citation]));
  return [...pages.values()].map(({ url, title }) =>
    annotationOf({ url, title, start_index: end, end_index: end }),
  );
}

function annotationOf({
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

export function openChatOf(reply: ChatReply): OpenChat {
  const { required_action, chat_id, invocation_token } = reply;
  if (!required_action) return {};
  return { sonde: { chat_id, invocation_token, required_action } };
}
