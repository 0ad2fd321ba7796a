import { ERRORS, type ErrorCode } from '../errors';
import type { Citation, Source } from '../message/citation';
import type { Part } from '../message/message';
import type { Priority } from '../tools/tool';
import type {
  Mode,
  Progress,
  Status,
  Usage,
  WebhookStatus,
} from './invocation';

/** What is read of the hash to answer a caller: everything but the arguments and the workers' bookkeeping. */
export const RECORD_FIELDS = [
  'tool',
  'mode',
  'status',
  'format',
  'priority',
  'webhook',
  'webhook_status',
  'webhook_attempts',
  'caller',
  'request_id',
  'due_ms',
  'tokens',
  'deleted',
  'seq',
  'upstream_id',
  'citations',
  'sources',
  'usage',
  'progress',
  'response',
  'contents',
  'undecided',
  'error_code',
  'error_message',
  'created_ms',
  'started_ms',
  'completed_ms',
  'expires_ms',
] as const;

export interface InvocationRecord {
  id: string;
  tool: string;
  mode: Mode;
  status: Status;
  deliverableFormat: string | null;
  priority: Priority;
  /** Where its end is announced. */
  webhook?: string;
  webhookDelivery: { status: WebhookStatus; attempts: number };
  /** Name of the API key that submitted it. */
  caller?: string;
  tokenHashes: string[];
  /** Of the last event. */
  seq: number;
  /** Among those that wait to begin, from 1; null once it has begun. */
  queuePosition: number | null;
  upstreamId: string | null;
  text: string | null;
  citations: Citation[] | null;
  sources: Source[] | null;
  usage: Usage | null;
  progress: Progress | null;
  response: object | null;
  /** What a model is told of it, if that is more than the text. */
  contents: Part[] | null;
  /** Keys of the decisions that it waits for. */
  undecided: string[];
  error: { code: ErrorCode; message: string; retryable: boolean } | null;
  /** `X-Request-Id` of the request that it belongs to. */
  requestId?: string;
  createdMs: number;
  /** When it is to begin, if not at once. */
  dueMs: number | null;
  startedMs: number | null;
  completedMs: number | null;
  expiresMs: number | null;
}

export function toRecord(
  id: string,
  fields: Record<string, string | undefined>,
  text: string | null,
  queuePosition: number | null = null,
): InvocationRecord {
  const code = fields.error_code as ErrorCode;
  return {
    id,
    tool: fields.tool ?? '',
    mode: fields.mode as Mode,
    status: fields.status as Status,
    deliverableFormat: fields.format || null,
    priority: toPriority(fields.priority),
    webhook: fields.webhook || undefined,
    webhookDelivery: {
      status: (fields.webhook_status || 'pending') as WebhookStatus,
      attempts: Number(fields.webhook_attempts || 0),
    },
    caller: fields.caller || undefined,
    tokenHashes: fields.tokens ? fields.tokens.split(',') : [],
    seq: Number(fields.seq),
    queuePosition,
    upstreamId: fields.upstream_id || null,
    text,
    citations: json(fields.citations),
    sources: json(fields.sources),
    usage: json(fields.usage),
    progress: json(fields.progress),
    response: json(fields.response),
    contents: json(fields.contents),
    undecided: json(fields.undecided) ?? [],
    error: code
      ? {
          code,
          message: fields.error_message || `${ERRORS[code][2]}.`,
          retryable: ERRORS[code][1],
        }
      : null,
    requestId: fields.request_id || undefined,
    createdMs: Number(fields.created_ms),
    dueMs: millis(fields.due_ms),
    startedMs: millis(fields.started_ms),
    completedMs: millis(fields.completed_ms),
    expiresMs: millis(fields.expires_ms),
  };
}

export function toPriority(value: string | null | undefined): Priority {
  return (value || 'normal') as Priority;
}

function json<T>(value: string | undefined): T | null {
  return value ? (JSON.parse(value) as T) : null;
}

function millis(value: string | undefined): number | null {
  return value ? Number(value) : null;
}
