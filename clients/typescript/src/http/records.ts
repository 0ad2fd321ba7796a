import { isObject } from './api-error.js';
import type { CallOptions, Clock } from './clock.js';
import { SondeUsageError } from '../errors.js';
import { follow, type EventsOptions } from './event-stream.js';
import type { SseFrame } from './sse.js';
import { printable, type Call, type Transport } from './transport.js';
import { pathOf } from './urls.js';
import { pollUntil } from './poll.js';

export interface TokenOption {
  /** The token of the record; overrides that of the reference. */
  token?: string;
}

export type RecordOptions = CallOptions & TokenOption;
export type RecordEventsOptions = EventsOptions & TokenOption;

/** Minimum interval between polls, for services that reply immediately although they were asked to wait. */
const MIN_POLL_INTERVAL_MS = 500;

/** Operations that invocations and stored chats share: read, wait, follow, cancel and delete. */
export class Records<
  R extends { status: string; invocation_token: string | null },
  E extends { type: string },
> {
  constructor(
    private readonly transport: Transport,
    private readonly path: string,
    private readonly idName: 'invocation_id' | 'chat_id',
    private readonly isDone: (record: R) => boolean,
    private readonly parse: (frame: SseFrame) => E,
  ) {}

  get(ref: unknown, options: RecordOptions = {}): Promise<R> {
    return this.request(ref, { method: 'GET', path: '' }, options);
  }

  wait(ref: unknown, { token, ...options }: RecordOptions = {}): Promise<R> {
    return pollUntil(
      (seconds, limits) =>
        this.request(
          ref,
          { method: 'GET', path: `/wait?timeout=${seconds}`, retry: 'never' },
          { token, ...limits },
        ),
      this.isDone,
      (_, tookMs) => Math.max(0, MIN_POLL_INTERVAL_MS - tookMs),
      options,
    );
  }

  events(ref: unknown, options: RecordEventsOptions = {}): AsyncGenerator<E> {
    const { path, headers } = this.locate(ref, options.token);
    const open = (last: string | undefined, clock: Clock) => {
      const all = { ...headers, 'last-event-id': last };
      return this.transport.events(
        { method: 'GET', path: `${path}/events`, headers: all, retry: 'never' },
        clock,
      );
    };
    // Browser storage returns null for a missing entry.
    const lastEventId = options.lastEventId ?? undefined;
    printable('lastEventId', lastEventId);
    return follow(open, this.parse, { ...options, lastEventId });
  }

  cancel(ref: unknown, options: RecordOptions = {}): Promise<R> {
    return this.request(ref, { method: 'POST', path: '/cancel' }, options);
  }

  /** Deletes the record, or what is kept below its path. */
  async delete(
    ref: unknown,
    options: RecordOptions = {},
    below = '',
  ): Promise<void> {
    const { path, headers } = this.locate(ref, options.token);
    await this.transport.json(
      { method: 'DELETE', path: path + below, headers, retry: 'deletion' },
      options,
    );
  }

  /** Adds something below the path of a record, never twice. */
  add<T>(
    ref: unknown,
    below: string,
    body: unknown,
    options: RecordOptions,
  ): Promise<T> {
    const { path, headers } = this.locate(ref, options.token);
    return this.transport.json<T>(
      { method: 'POST', path: path + below, headers, body, retry: 'refused' },
      options,
    );
  }

  /** Returns what is kept below the path of a record. */
  read<T>(ref: unknown, below: string, options: RecordOptions = {}) {
    const { path, headers } = this.locate(ref, options.token);
    return this.transport.json<T>(
      { method: 'GET', path: path + below, headers, retry: 'any' },
      options,
    );
  }

  /** Returns a file that is kept below the path of a record. */
  file(ref: unknown, below: string, options: RecordOptions = {}) {
    const { path, headers } = this.locate(ref, options.token);
    return this.transport.file(
      { method: 'GET', path: path + below, headers, retry: 'any' },
      options,
    );
  }

  /** Returns the record of the reply, together with the token that the request was made with. */
  async request(
    ref: unknown,
    call: Pick<Call, 'method' | 'path' | 'body'> & Partial<Call>,
    options: RecordOptions,
  ): Promise<R> {
    const { path, headers, token } = this.locate(ref, options.token);
    const record = await this.transport.json<R>(
      { retry: 'any', headers, ...call, path: path + call.path },
      options,
    );
    return {
      ...record,
      invocation_token: record.invocation_token ?? token ?? null,
    };
  }

  /** Returns the new record of the reply, with no token but its own. */
  create(
    ref: unknown,
    call: Pick<Call, 'method' | 'path' | 'body' | 'headers'>,
    options: RecordOptions,
  ): Promise<R> {
    const { path, headers } = this.locate(ref, options.token);
    return this.transport.json<R>(
      {
        ...call,
        path: path + call.path,
        headers: { ...call.headers, ...headers },
        retry: 'any',
      },
      options,
    );
  }

  private locate(ref: unknown, tokenOption: string | undefined) {
    const fields = isObject(ref) ? ref : { [this.idName]: ref };
    const path = this.path + pathOf(this.idName, fields[this.idName]);
    const token = tokenOption ?? fields.invocation_token ?? undefined;
    if (token !== undefined && typeof token !== 'string')
      throw new SondeUsageError('invocation_token: must be a string');
    printable('invocation_token', token);
    return {
      path,
      headers: { 'x-invocation-token': token },
      token,
    };
  }
}
