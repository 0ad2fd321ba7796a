import type { FunctionOptions } from './functions.js';
import type { CallOptions } from './http/clock.js';
import type { RecordOptions } from './http/records.js';
import type { TransportOptions } from './http/transport.js';
import type { ChatStatus } from './chat-types.js';
import type { InvocationStatus, Priority } from './types.js';

export interface SondeClientOptions extends TransportOptions {
  /**
   * Base URL of Sonde, without `/api/v1`; `http://127.0.0.1:8080` unless given. Plain http is accepted for loopback
   * addresses only.
   */
  baseUrl?: string;
}

/** An invocation: its id, or a record that contains it, preferably with its token. */
export type InvocationRef =
  string | { invocation_id: string | null; invocation_token?: string | null };

export interface ChatOptions extends CallOptions, FunctionOptions {
  /**
   * Stores the chat; repeating the request with the same key returns the same chat. Without a key, a request is never
   * repeated after it may have been processed.
   */
  idempotencyKey?: string;
  /** Seconds after which the reply is the unfinished stored chat. */
  waitSeconds?: number;
}

export interface SubmitOptions extends CallOptions {
  /** Generated for each call unless given; requests repeated with the same key are executed and billed once. */
  idempotencyKey?: string;
  priority?: Priority;
  /** URL that is notified when the invocation ends. */
  webhook?: { url: string };
  /** Up to 16 pairs that are kept with the record: keys of at most 64 characters, values of at most 512. */
  metadata?: Record<string, string>;
}

export interface InvokeOptions extends SubmitOptions {
  /** Seconds after which the reply is the unfinished record. */
  waitSeconds?: number;
  /** Rejects with a `SondeApiError` if the invocation fails, instead of returning a failed record. */
  strict?: boolean;
}

export interface ContinueOptions extends RecordOptions {
  /** Generated for each call unless given; requests repeated with the same key are executed and billed once. */
  idempotencyKey?: string;
}

export interface ShareOptions extends RecordOptions {
  /** For how long the link opens the report: 60 to 7,776,000; a week unless given. */
  expiresInSeconds?: number;
}

interface PageQuery {
  /** Only those with all of these pairs; older services refuse it, and the two below. */
  metadata?: Record<string, string>;
  /** Created at this time or later, in RFC 3339 or as a day of UTC. */
  from?: string;
  /** Created before this time. */
  to?: string;
  /** A part of the question or the report, in upper or lower case; older services refuse it. */
  search?: string;
  /** 1 to 100, 20 unless given. */
  limit?: number;
  /** `next_cursor` of the previous page. */
  cursor?: string;
}

export interface ListQuery extends PageQuery {
  status?: InvocationStatus;
  tool_name?: string;
}

export interface ChatListQuery extends PageQuery {
  status?: ChatStatus;
}

/** Omits undefined options, which would otherwise override a default. */
export function withoutUndefined<T extends object>(options: T): T {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as T;
}
