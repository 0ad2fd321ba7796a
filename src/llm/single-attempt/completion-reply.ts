import {
  readCompletion,
  readCompletionUsage,
} from '../completions/completions-reply';
import type { ReportedUsage } from '../turns/model.types';
import type { Protocol } from '../models/model-protocols';
import { AnswerParser } from '../prompted/answer-parser';
import { readContent } from '../responses/responses-output';
import { failureCode } from '../upstream/upstream-cause';
import { frameError, UpstreamError } from '../upstream/upstream-error';
import { entriesIn } from '../upstream/reply-fields';
import type { CompletionFinish } from './completion.types';

type Response = Parameters<typeof readContent>[0];
type ChatCompletion = Parameters<typeof readCompletion>[0];

/** What both protocols report about one answer. */
export interface ReadReply extends ReportedUsage {
  /** Without reasoning. */
  text: string;
  finish: CompletionFinish;
}

/** @throws UpstreamError of effect `unknown` if the reply reports a failure, or holds no answer. */
export function readReply(protocol: Protocol, body: unknown): ReadReply {
  if (typeof body !== 'object' || body === null) throw unreadable();
  const reply =
    protocol === 'responses'
      ? readResponse(body as Response)
      : readChatCompletion(body as ChatCompletion);
  return { ...reply, text: withoutReasoning(reply.text) };
}

function readResponse(response: Response): ReadReply {
  const { status, error, output, usage } = response;
  if (status === 'failed')
    throw new UpstreamError(failureCode(error), 'unknown');
  if (status === 'cancelled')
    throw new UpstreamError('upstream_cancelled', 'unknown');
  if (!Array.isArray(output)) throw frameError(response) ?? unreadable();
  const reason = response.incomplete_details?.reason;
  const finish =
    status === 'completed' ? 'stop' : (finishOf(reason) ?? 'other');
  return {
    text: readContent(response).text ?? '',
    finish: hasRefusal(output) ? 'filtered' : finish,
    usage,
  };
}

function readChatCompletion(completion: ChatCompletion): ReadReply {
  const [choice] = entriesIn(completion.choices);
  if (!choice) throw frameError(completion) ?? unreadable();
  const { finish_reason, message } = choice;
  return {
    text: readCompletion(completion).text,
    finish: message?.refusal
      ? 'filtered'
      : (finishOf(finish_reason) ?? 'other'),
    ...readCompletionUsage(completion),
  };
}

/** Gateways pass the reasons of other providers on. */
export function finishOf(reason: unknown): CompletionFinish | undefined {
  switch (reason) {
    case 'stop':
    case 'end_turn':
    case 'eos':
      return 'stop';
    case 'length':
    case 'max_tokens':
    case 'max_output_tokens':
      return 'length';
    case 'content_filter':
    case 'safety':
      return 'filtered';
    default:
      return undefined;
  }
}

function hasRefusal(output: Response['output']): boolean {
  return entriesIn(output).some(
    (item) =>
      item.type === 'message' &&
      Array.isArray(item.content) &&
      item.content.some((part) => part?.type === 'refusal'),
  );
}

function withoutReasoning(text: string): string {
  const parser = new AnswerParser(null);
  parser.push(text);
  return parser.end().text.trim();
}

function unreadable(): UpstreamError {
  return new UpstreamError('upstream_error', 'unknown');
}
