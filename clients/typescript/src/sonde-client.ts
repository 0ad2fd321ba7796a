import { isObject } from './api-error.js';
import type { ChatReply, ChatRequest } from './chat-types.js';
import { chatEvent, Chats } from './chats.js';
import { Clock, type CallOptions } from './clock.js';
import { SondeConnectionError, SondeProtocolError } from './errors.js';
import type { ChatEvent, InvocationEvent } from './event-types.js';
import { dataOf, framesOf, UnreadableFrame } from './follow.js';
import {
  Records,
  type RecordEventsOptions,
  type RecordOptions,
} from './records.js';
import type { SseFrame } from './sse.js';
import { printable, Transport, type TransportOptions } from './transport.js';
import type {
  ArgumentsOf,
  Invocation,
  InvocationList,
  InvocationStatus,
  Priority,
  ToolList,
} from './types.js';
import { sondeUrl } from './urls.js';

/** How long what is researched meanwhile may take, in milliseconds. */
const LONG = 600_000;

export interface SondeClientOptions extends TransportOptions {
  /** Where Sonde is, without `/api/v1`; `http://127.0.0.1:8080` unless given. Plain http only to this machine. */
  baseUrl?: string;
}

/** An invocation: its id, or a record that has it, best with its token. */
export type InvocationRef =
  string | { invocation_id: string | null; invocation_token?: string | null };

export interface ChatOptions extends CallOptions {
  /** Puts the chat on record; sent again with the same one, it is the same chat. Without it nothing is sent twice. */
  idempotencyKey?: string;
  /** After so many seconds the reply is the unfinished chat on record. */
  waitSeconds?: number;
}

export interface SubmitOptions extends CallOptions {
  /** A new one for each call unless given; whatever is sent again under it is bought once. */
  idempotencyKey?: string;
  priority?: Priority;
  /** Where the end is announced. */
  webhook?: { url: string };
}

export interface InvokeOptions extends SubmitOptions {
  /** After so many seconds the reply is the unfinished record. */
  waitSeconds?: number;
  /** What failed is an HTTP error, and rejects with a `SondeApiError`, instead of a record that says so. */
  strict?: boolean;
}

export interface ListQuery {
  status?: InvocationStatus;
  tool_name?: string;
  /** 1 to 100, 20 unless given. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

/** Talks to Sonde. Every method rejects with a `SondeError`, or with the reason of its `signal`. */
export class SondeClient {
  /** Chats on record. */
  readonly chats: Chats;
  private readonly transport: Transport;
  private readonly records: Records<Invocation, InvocationEvent>;

  constructor({ baseUrl, ...options }: SondeClientOptions = {}) {
    const url = sondeUrl(baseUrl ?? 'http://127.0.0.1:8080');
    this.transport = new Transport(url, 'problem', options);
    this.chats = new Chats(this.transport);
    this.records = new Records<Invocation, InvocationEvent>(
      this.transport,
      '/api/v1/tool-invocations',
      'invocation_id',
      isFinal,
      invocationEvent,
    );
  }

  /** One message, answered with whatever tools the model calls; waits 600 s unless `timeoutMs` says otherwise. */
  async chat(
    request: ChatRequest,
    options: ChatOptions = {},
  ): Promise<ChatReply> {
    const { idempotencyKey: key, waitSeconds } = options;
    // From JavaScript it may be null, and that is none.
    const idempotencyKey = key ?? undefined;
    return this.transport.json(
      {
        method: 'POST',
        path: '/api/v1/chat',
        headers: asked(idempotencyKey, waitSeconds),
        body: request,
        retry: idempotencyKey === undefined ? 'refused' : 'any',
      },
      { timeoutMs: LONG, ...given(options) },
    );
  }

  /**
   * The same with all that happens meanwhile. It cannot be resumed: a stream that breaks rejects with a
   * `SondeConnectionError`. Leaving the loop early closes the connection, and ends the turn of the model.
   * `timeoutMs`: until the first byte, and then between any two.
   */
  async *chatStream(
    request: ChatRequest,
    { timeoutMs = LONG, signal }: CallOptions = {},
  ): AsyncGenerator<ChatEvent, void, undefined> {
    const clock = new Clock(timeoutMs, signal);
    try {
      const response = await this.transport.events(
        {
          method: 'POST',
          path: '/api/v1/chat',
          body: { ...request, stream: true },
          retry: 'refused',
        },
        clock,
      );
      for await (const frame of framesOf(response, clock, timeoutMs)) {
        const event = chatEvent(frame);
        yield event;
        if (event.type === 'completed' || event.type === 'error') return;
      }
    } catch (error) {
      if (error instanceof UnreadableFrame)
        throw new SondeProtocolError(error.message);
      throw clock.errorOf(error);
    } finally {
      clock.abort();
    }
    throw new SondeConnectionError(
      'the stream ended before the response was complete',
    );
  }

  /** The finished record of a tool; the unfinished one if the service waits no longer. 600 s unless `timeoutMs` says otherwise. */
  invoke<Name extends string>(
    tool: Name,
    args: ArgumentsOf<Name>,
    options: InvokeOptions = {},
  ): Promise<Invocation> {
    return this.post(tool, args, { timeoutMs: LONG, ...given(options) });
  }

  /** The record at once; the work goes on in a worker. `stream`: for who follows the events from the start. */
  submit<Name extends string>(
    tool: Name,
    args: ArgumentsOf<Name>,
    { stream, ...options }: SubmitOptions & { stream?: boolean } = {},
  ): Promise<Invocation> {
    const mode = stream ? { stream: true } : { background: true };
    return this.post(tool, { ...args, ...mode }, options);
  }

  /** The record as it is now. */
  get(ref: InvocationRef, options?: RecordOptions): Promise<Invocation> {
    return this.records.get(ref, options);
  }

  /** The record once it is final; 3,600 s unless `timeoutMs` says otherwise. Goes on over broken connections. */
  wait(ref: InvocationRef, options?: RecordOptions): Promise<Invocation> {
    return this.records.wait(ref, options);
  }

  /** Every event once and in order, the last one being `completed`, `error` or `gap`; goes on over broken connections. */
  events(
    ref: InvocationRef,
    options?: RecordEventsOptions,
  ): AsyncGenerator<InvocationEvent> {
    return this.records.events(ref, options);
  }

  /** Stops it, at the model endpoint too. A final record is returned as it is. */
  cancel(ref: InvocationRef, options?: RecordOptions): Promise<Invocation> {
    return this.records.cancel(ref, options);
  }

  /** Stops it if needed, and forgets it. */
  delete(ref: InvocationRef, options?: RecordOptions): Promise<void> {
    return this.records.delete(ref, options);
  }

  /** The invocations of this API key, newest first. */
  list(query: ListQuery = {}, options?: CallOptions): Promise<InvocationList> {
    const fields = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const search = new URLSearchParams(fields).toString();
    const path = `/api/v1/tool-invocations${search && `?${search}`}`;
    return this.transport.json({ method: 'GET', path, retry: 'any' }, options);
  }

  /** The tools that are on. */
  tools(options?: CallOptions): Promise<ToolList> {
    const path = '/api/v1/tools';
    return this.transport.json({ method: 'GET', path, retry: 'any' }, options);
  }

  private async post(
    tool_name: string,
    args: object,
    options: InvokeOptions,
  ): Promise<Invocation> {
    const { priority, webhook, waitSeconds, strict } = options;
    const key = options.idempotencyKey ?? crypto.randomUUID();
    return this.transport.json(
      {
        method: 'POST',
        path: '/api/v1/tool-invocations',
        headers: asked(key, waitSeconds, strict),
        body: { tool_name, arguments: args, priority, webhook },
        retry: 'any',
      },
      options,
    );
  }
}

/** Whether nothing of it will change any more. */
export function isFinal({ status }: Invocation): boolean {
  return ['completed', 'incomplete', 'failed', 'cancelled'].includes(status);
}

function asked(
  key: string | undefined,
  waitSeconds: number | undefined,
  strict = false,
) {
  printable('idempotencyKey', key);
  const wait = waitSeconds === undefined ? [] : [`wait=${waitSeconds}`];
  const all = [...wait, ...(strict ? ['handling=strict'] : [])];
  return {
    'idempotency-key': key,
    prefer: all.length === 0 ? undefined : all.join(', '),
  };
}

/** Without what is undefined, which would hide a default. */
function given<T extends object>(options: T): T {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as T;
}

function invocationEvent(frame: SseFrame): InvocationEvent {
  const body = dataOf(frame);
  if (!isObject(body))
    throw new UnreadableFrame('an event is not a JSON object');
  const { id, event: type } = frame;
  // It is no part of the log, and says no more than this.
  if (type === 'gap') return { type, data: body } as InvocationEvent;
  const { invocation_id, status, data } = body;
  return {
    ...(id && { id }),
    type,
    invocation_id,
    status,
    data,
  } as InvocationEvent;
}
