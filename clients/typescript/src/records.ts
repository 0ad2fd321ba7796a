import { isObject } from './api-error.js';
import type { CallOptions, Clock } from './clock.js';
import { SondeUsageError } from './errors.js';
import { follow, type EventsOptions } from './follow.js';
import type { SseFrame } from './sse.js';
import { printable, type Call, type Transport } from './transport.js';
import { pathOf } from './urls.js';
import { untilFinal } from './wait.js';

export interface TokenOption {
  /** The token of the record, if the reference has none. */
  token?: string;
}

export type RecordOptions = CallOptions & TokenOption;
export type RecordEventsOptions = EventsOptions & TokenOption;

/** Polls that the service answers at once although it was asked to wait are not sent more often than this. */
const LEAST_MS = 500;

/** What invocations and chats on record have in common: how they are read, followed and ended. */
export class Records<
  R extends { status: string; invocation_token: string | null },
  E extends { type: string },
> {
  constructor(
    private readonly transport: Transport,
    private readonly path: string,
    private readonly idName: 'invocation_id' | 'chat_id',
    private readonly isSettled: (record: R) => boolean,
    private readonly read: (frame: SseFrame) => E,
  ) {}

  get(ref: unknown, options: RecordOptions = {}): Promise<R> {
    return this.ask(ref, { method: 'GET', path: '' }, options);
  }

  wait(ref: unknown, { token, ...options }: RecordOptions = {}): Promise<R> {
    return untilFinal(
      (seconds, limits) =>
        this.ask(
          ref,
          { method: 'GET', path: `/wait?timeout=${seconds}`, retry: 'never' },
          { token, ...limits },
        ),
      this.isSettled,
      (_, tookMs) => Math.max(0, LEAST_MS - tookMs),
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
    // What storage of a browser does not have is null there.
    const lastEventId = options.lastEventId ?? undefined;
    printable('lastEventId', lastEventId);
    return follow(open, this.read, { ...options, lastEventId });
  }

  cancel(ref: unknown, options: RecordOptions = {}): Promise<R> {
    return this.ask(ref, { method: 'POST', path: '/cancel' }, options);
  }

  async delete(ref: unknown, options: RecordOptions = {}): Promise<void> {
    const { path, headers } = this.locate(ref, options.token);
    const call = { method: 'DELETE', path, headers, retry: 'any' } as const;
    await this.transport.json(call, options);
  }

  /** The record that the reply is, with the token that it was asked with. */
  async ask(
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

  private locate(ref: unknown, given: string | undefined) {
    const known = isObject(ref) ? ref : { [this.idName]: ref };
    const id = known[this.idName];
    if (typeof id !== 'string' || /^\.{0,2}$/.test(id))
      throw new SondeUsageError(`${this.idName}: not a valid id`);
    const token = given ?? known.invocation_token ?? undefined;
    if (token !== undefined && typeof token !== 'string')
      throw new SondeUsageError('invocation_token: must be a string');
    printable('invocation_token', token);
    return {
      path: this.path + pathOf(id),
      headers: { 'x-invocation-token': token },
      token,
    };
  }
}
