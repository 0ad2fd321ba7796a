import { isObject } from './http/api-error.js';
import type { ChatReply, ChatRequest } from './chat-types.js';
import { chatEvent, Chats } from './chats.js';
import { Clock, type CallOptions } from './http/clock.js';
import { SondeConnectionError, SondeProtocolError } from './errors.js';
import type { ChatEvent, InvocationEvent } from './event-types.js';
import type {
  Evidence,
  ReadSource,
  ReadSourceList,
  ResearchBudget,
} from './evidence-types.js';
import { FunctionChat, type FunctionOptions } from './functions.js';
import { dataOf, framesOf, MalformedFrame } from './http/event-stream.js';
import {
  Records,
  type RecordEventsOptions,
  type RecordOptions,
} from './http/records.js';
import type { RunEstimate, RunEstimateList } from './estimate-types.js';
import { ReportFile, type ReportFormat } from './report-file.js';
import type { CreatedShare, ShareList } from './sharing-types.js';
import type { KeyUsage, UsageQuery } from './usage-types.js';
import type { SseFrame } from './http/sse.js';
import { printable, Transport } from './http/transport.js';
import type {
  ArgumentsOf,
  Invocation,
  InvocationList,
  PlanDecision,
  ToolList,
} from './types.js';
import { withoutUndefined } from './options.js';
import type {
  ChatOptions,
  ContinueOptions,
  InvocationRef,
  InvokeOptions,
  ListQuery,
  ShareOptions,
  SondeClientOptions,
  SubmitOptions,
} from './options.js';
import { pathOf, searchOf, sondeUrl } from './http/urls.js';

/** Default time limit of calls during which research may run, in milliseconds. */
const LONG_TIMEOUT_MS = 600_000;

/** Calls the Sonde service. Every method rejects with a `SondeError`, or with the reason of its `signal`. */
export class SondeClient {
  /** Operations on stored chats. */
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
      isSettled,
      invocationEvent,
    );
  }

  /**
   * Sends a message and returns the answer, after the model has called the tools it needs, and this client the
   * `functions` of the request that have a `run`. Times out after 600 s unless `timeoutMs` is set.
   */
  async chat(
    request: ChatRequest | string,
    options: ChatOptions = {},
  ): Promise<ChatReply> {
    const { timeoutMs = LONG_TIMEOUT_MS, signal } = options;
    const clock = new Clock(timeoutMs, signal);
    const chat = new FunctionChat(requestOf(request), options);
    try {
      for (;;) {
        const left = Math.max(1, clock.remaining);
        const limit = { timeoutMs: chat.isContinued ? left : timeoutMs };
        const reply = chat.whole(
          await this.send(chat, { ...options, ...limit }),
        );
        if (!(await chat.goOn(reply, clock.signal))) return reply;
      }
    } catch (error) {
      throw clock.signal.aborted ? clock.errorOf(error) : error;
    } finally {
      clock.abort();
    }
  }

  /**
   * Like `chat`, but yields events as they happen; the last is `completed` or `error`. The stream cannot be resumed: a
   * broken connection rejects with a `SondeConnectionError`. Leaving the loop early disconnects and stops the model's
   * turn. `timeoutMs` limits the time until the first byte and between any two.
   */
  async *chatStream(
    request: ChatRequest | string,
    options: CallOptions & FunctionOptions = {},
  ): AsyncGenerator<ChatEvent, void, undefined> {
    const { signal = new AbortController().signal } = options;
    const chat = new FunctionChat(requestOf(request), options);
    let isOver = false;
    while (!isOver) {
      isOver = true;
      for await (const event of this.streamed(chat.request, options)) {
        if (event.type !== 'completed') {
          yield chat.counted(event);
          continue;
        }
        const data = chat.whole(event.data);
        isOver = !(await chat.goOn(data, signal));
        if (isOver) yield { ...event, data };
      }
    }
  }

  /**
   * Runs a tool and returns its final record, or the unfinished one if the service stops waiting. Times out after 600
   * s unless `timeoutMs` is set.
   */
  invoke<Name extends string>(
    tool: Name,
    args: ArgumentsOf<Name>,
    options: InvokeOptions = {},
  ): Promise<Invocation> {
    return this.post(tool, args, {
      timeoutMs: LONG_TIMEOUT_MS,
      ...withoutUndefined(options),
    });
  }

  /**
   * Starts a tool run and returns its record immediately; a worker continues it. Set `stream` if the events are
   * followed from the start.
   */
  submit<Name extends string>(
    tool: Name,
    args: ArgumentsOf<Name>,
    { stream, ...options }: SubmitOptions & { stream?: boolean } = {},
  ): Promise<Invocation> {
    const mode = stream ? { stream: true } : { background: true };
    return this.post(tool, { ...args, ...mode }, options);
  }

  /** Returns the current state of the record. */
  get(ref: InvocationRef, options?: RecordOptions): Promise<Invocation> {
    return this.records.get(ref, options);
  }

  /**
   * Waits until the record is final or requires action, across broken connections.
   * Times out after 3,600 s unless `timeoutMs` is set.
   */
  wait(ref: InvocationRef, options?: RecordOptions): Promise<Invocation> {
    return this.records.wait(ref, options);
  }

  /**
   * Yields every event once and in order, across broken connections. The last event is `completed`, `error` or `gap`.
   */
  events(
    ref: InvocationRef,
    options?: RecordEventsOptions,
  ): AsyncGenerator<InvocationEvent> {
    return this.records.events(ref, options);
  }

  /** Cancels the invocation, also at the model endpoint. A final record is returned unchanged. */
  cancel(ref: InvocationRef, options?: RecordOptions): Promise<Invocation> {
    return this.records.cancel(ref, options);
  }

  /**
   * Approves, edits or refuses the plan of a run that was started with `plan: 'review'`. The same decision again changes
   * nothing.
   */
  decidePlan(
    ref: InvocationRef,
    decision: PlanDecision,
    options: RecordOptions = {},
  ): Promise<Invocation> {
    const call = { method: 'POST', path: '/plan', body: decision } as const;
    return this.records.request(ref, call, options);
  }

  /**
   * Continues a run of the agent that ended at a limit, with a budget of its own. Returns the new run, which has all that
   * the earlier one found; `continued_from` names the earlier one, which stays as it is.
   */
  continueRun(
    ref: InvocationRef,
    budget: ResearchBudget,
    { idempotencyKey, ...options }: ContinueOptions = {},
  ): Promise<Invocation> {
    const key = idempotencyKey ?? crypto.randomUUID();
    const headers = submissionHeaders(key, undefined);
    const call = { method: 'POST', path: '/continue', headers } as const;
    return this.records.create(ref, { ...call, body: { budget } }, options);
  }

  /** Deletes the record, cancelling the invocation first if it is still running. */
  delete(ref: InvocationRef, options?: RecordOptions): Promise<void> {
    return this.records.delete(ref, options);
  }

  /** Keeps the record of an ended invocation until it is released. */
  keep(ref: InvocationRef, options: RecordOptions = {}): Promise<Invocation> {
    const call = { method: 'POST', path: '/keep' } as const;
    return this.records.request(ref, call, options);
  }

  /** Releases a kept record: it expires after the retention of the service from now on. */
  release(
    ref: InvocationRef,
    options: RecordOptions = {},
  ): Promise<Invocation> {
    const call = { method: 'DELETE', path: '/keep' } as const;
    return this.records.request(ref, call, options);
  }

  /**
   * Makes a link that opens the report, for anyone who has it. It is not retried after a lost reply; `shares` has what
   * was made.
   */
  share(
    ref: InvocationRef,
    { expiresInSeconds, ...options }: ShareOptions = {},
  ): Promise<CreatedShare> {
    const body =
      expiresInSeconds === undefined
        ? undefined
        : { expires_in_seconds: expiresInSeconds };
    return this.records.add(ref, '/share', body, options);
  }

  /** Returns the links that open the report. */
  shares(ref: InvocationRef, options?: RecordOptions): Promise<ShareList> {
    return this.records.read(ref, '/share', options);
  }

  /** Revokes a link that opens the report. */
  async unshare(
    ref: InvocationRef,
    shareId: string,
    options?: RecordOptions,
  ): Promise<void> {
    await this.records.delete(
      ref,
      options,
      `/share${pathOf('shareId', shareId)}`,
    );
  }

  /** Revokes all links that open the report. */
  unshareAll(ref: InvocationRef, options?: RecordOptions): Promise<void> {
    return this.records.delete(ref, options, '/share');
  }

  /**
   * Returns what a run would use, and its limits, without starting it; no model is called. Rejects with what `submit`
   * would, except for what is full or spent at the moment.
   */
  estimate<Name extends string>(
    tool: Name,
    args: ArgumentsOf<Name>,
    options?: CallOptions,
  ): Promise<RunEstimate> {
    const path = '/api/v1/tool-invocations/estimate';
    const body = { tool_name: tool, arguments: args };
    return this.transport.json(
      { method: 'POST', path, body, retry: 'any' },
      options,
    );
  }

  /** Returns what research of each depth would use, and what past runs took. */
  estimates(options?: CallOptions): Promise<RunEstimateList> {
    const path = '/api/v1/tool-invocations/estimate';
    return this.transport.json({ method: 'GET', path, retry: 'any' }, options);
  }

  /** Returns what research has read, with its quotes. */
  sources(
    ref: InvocationRef,
    options?: RecordOptions,
  ): Promise<ReadSourceList> {
    return this.records.read(ref, '/sources', options);
  }

  /** Returns one source, by the number that citations name. */
  source(
    ref: InvocationRef,
    number: number,
    options?: RecordOptions,
  ): Promise<ReadSource> {
    return this.records.read(ref, `/sources/${Number(number)}`, options);
  }

  /** Returns the plan, the notes and the verdicts of research by the agent. */
  evidence(ref: InvocationRef, options?: RecordOptions): Promise<Evidence> {
    return this.records.read(ref, '/evidence', options);
  }

  /** Returns the report of ended research as a file, with numbered citations. */
  async report(
    ref: InvocationRef,
    format: ReportFormat = 'md',
    options?: RecordOptions,
  ): Promise<ReportFile> {
    const below = `/report?format=${encodeURIComponent(format)}`;
    const { type, bytes } = await this.records.file(ref, below, options);
    return new ReportFile(type, bytes);
  }

  /** Lists the invocations of this API key, newest first. */
  list(query: ListQuery = {}, options?: CallOptions): Promise<InvocationList> {
    const path = `/api/v1/tool-invocations${searchOf(query)}`;
    return this.transport.json({ method: 'GET', path, retry: 'any' }, options);
  }

  /** Returns what this API key has used by day, kind and model, and its budget; a key is required. */
  usage(query: UsageQuery = {}, options?: CallOptions): Promise<KeyUsage> {
    const path = `/api/v1/usage${searchOf(query)}`;
    return this.transport.json({ method: 'GET', path, retry: 'any' }, options);
  }

  /** Lists the enabled tools. */
  tools(options?: CallOptions): Promise<ToolList> {
    const path = '/api/v1/tools';
    return this.transport.json({ method: 'GET', path, retry: 'any' }, options);
  }

  /** Sends the next request of a chat. A key is of its first request: a later one is another body. */
  private send(
    { request, isContinued }: FunctionChat,
    { idempotencyKey, waitSeconds, timeoutMs, signal }: ChatOptions,
  ): Promise<ChatReply> {
    // JavaScript callers may pass null.
    const hasKey = (idempotencyKey ?? undefined) !== undefined;
    const ownKey = hasKey ? idempotencyKey : undefined;
    const key = hasKey && isContinued ? crypto.randomUUID() : ownKey;
    return this.transport.json(
      {
        method: 'POST',
        path: '/api/v1/chat',
        headers: submissionHeaders(key, waitSeconds),
        body: request,
        retry: hasKey ? 'any' : 'refused',
      },
      withoutUndefined({ timeoutMs, signal }),
    );
  }

  /** The events of one request of a chat. */
  private async *streamed(
    request: ChatRequest,
    { timeoutMs = LONG_TIMEOUT_MS, signal }: CallOptions,
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
      if (error instanceof MalformedFrame)
        throw new SondeProtocolError(error.message);
      throw clock.errorOf(error);
    } finally {
      clock.abort();
    }
    throw new SondeConnectionError(
      'the stream ended before the response was complete',
    );
  }

  private async post(
    tool_name: string,
    args: object,
    options: InvokeOptions,
  ): Promise<Invocation> {
    const { priority, webhook, metadata, waitSeconds, strict } = options;
    const key = options.idempotencyKey ?? crypto.randomUUID();
    return this.transport.json(
      {
        method: 'POST',
        path: '/api/v1/tool-invocations',
        headers: submissionHeaders(key, waitSeconds, strict),
        body: { tool_name, arguments: args, priority, webhook, metadata },
        retry: 'any',
      },
      options,
    );
  }
}

function requestOf(request: ChatRequest | string): ChatRequest {
  return typeof request === 'string' ? { message: request } : request;
}

/** Whether the record can no longer change. */
export function isFinal({ status }: Invocation): boolean {
  return ['completed', 'incomplete', 'failed', 'cancelled'].includes(status);
}

/** Whether the record is final or waits for a decision. */
export function isSettled(record: Invocation): boolean {
  return isFinal(record) || record.status === 'requires_action';
}

function submissionHeaders(
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

function invocationEvent(frame: SseFrame): InvocationEvent {
  const body = dataOf(frame);
  if (!isObject(body))
    throw new MalformedFrame('an event is not a JSON object');
  const { id, event: type } = frame;
  // A `gap` event is not stored and carries no status.
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
