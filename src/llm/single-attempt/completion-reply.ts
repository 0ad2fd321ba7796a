import {
  readCompletion,
  readCompletionUsage,
} from '../completions/completions-reply';
import { countIn } from '../prices/amount';
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
  /** Most of the output is reasoning. */
  reasoned: boolean;
}

/** @throws UpstreamError of effect `unknown` if the reply reports a failure, or holds no answer. */
export function readReply(protocol: Protocol, body: unknown): ReadReply {
  if (typeof body !== 'object' || body === null) throw unreadable();
  const { thinking = '', ...reply } =
    protocol === 'responses'
      ? readResponse(body as Response)
      : readChatCompletion(body as ChatCompletion);
  const text = withoutReasoning(reply.text);
  const thought = thinking.length + reply.text.length - text.length;
  const share = reasoningShareIn(body as Reported);
  const isMost = share === undefined ? thought > text.length : share > 0.5;
  return { ...reply, text, reasoned: text === '' || isMost };
}

/** Its text may have reasoning in it, `thinking` is what stands beside it. */
type RawReply = Omit<ReadReply, 'reasoned'> & { thinking?: string };

function readResponse(response: Response): RawReply {
  const { status, error, output, usage } = response;
  if (status === 'failed')
    throw new UpstreamError(failureCode(error), 'unknown');
  if (status === 'cancelled')
    throw new UpstreamError('upstream_cancelled', 'unknown');
  if (!Array.isArray(output)) throw frameError(response) ?? unreadable();
  const reason = response.incomplete_details?.reason;
  const finish =
    status === 'completed' ? 'stop' : (finishOf(reason) ?? 'other');
  const { text, thinking } = readContent(response);
  return {
    text: text ?? '',
    thinking,
    finish: hasRefusal(output) ? 'filtered' : finish,
    usage,
  };
}

function readChatCompletion(completion: ChatCompletion): RawReply {
  const [choice] = entriesIn(completion.choices);
  if (!choice) throw frameError(completion) ?? unreadable();
  const { finish_reason, message } = choice;
  const { text, thinking = '' } = readCompletion(completion);
  const finish = message?.refusal
    ? 'filtered'
    : (finishOf(finish_reason) ?? 'other');
  // A server that mistakes the whole answer for reasoning leaves the content empty.
  const isAnswer = text === '' && finish === 'stop';
  return {
    text: isAnswer ? thinking : text,
    thinking: isAnswer ? '' : thinking,
    finish,
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

interface Reported {
  usage?: Record<
    'output_tokens_details' | 'completion_tokens_details',
    { reasoning_tokens?: unknown } | null
  > & { output_tokens?: unknown; completion_tokens?: unknown };
}

/** Of the output; undefined where the endpoint reports none. */
function reasoningShareIn({ usage }: Reported): number | undefined {
  const { output_tokens_details, completion_tokens_details } = usage ?? {};
  const details = output_tokens_details ?? completion_tokens_details;
  const reasoning = countIn(details?.reasoning_tokens);
  const output = countIn(usage?.output_tokens ?? usage?.completion_tokens);
  return reasoning && output ? reasoning / output : undefined;
}

function withoutReasoning(text: string): string {
  const parser = new AnswerParser(null);
  parser.push(text);
  return parser.end().text.trim();
}

function unreadable(): UpstreamError {
  return new UpstreamError('upstream_error', 'unknown');
}
