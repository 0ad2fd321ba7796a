import { setImmediate } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Agent, type Dispatcher, Pool } from 'undici';
import { AppConfig } from '../../config/config';
import { proxiedAgent } from '../../platform/egress/proxied-agent';
import { traceHeaders } from '../../platform/tracing/tracing';
import { forwardedHeaders } from './forwarded-headers';
import {
  bodyStart,
  bodyText,
  MAX_ERROR_BYTES,
  MAX_ERROR_MS,
  requestText,
} from './upstream-body';
import { isWrongUrl } from './upstream-cause';
import { readEvents } from './upstream-events';
import { connectionError, replyError, UpstreamError } from './upstream-error';
import { requestWhole } from './whole-reply';

export interface UpstreamCall {
  method: 'GET' | 'POST' | 'DELETE';
  /** Relative to `/v1`, e.g. `/responses/resp_1`. */
  path: string;
  body?: object;
  /** The only time limit of a call: the connection has none, so that a model may think for an hour. */
  signal: AbortSignal;
  /** Limit of the reply, 32 MiB by default; a larger reply fails the call. */
  maxBytes?: number;
  /** The call must not be repeated if its connection breaks: it gets a new one, as the server may be closing a used one. */
  once?: boolean;
}

/** The reply to a request for a stream: some gateways send the plain JSON object instead. */
export type StreamReply<E> =
  | ({ kind: 'stream'; headers: ReplyHeaders } & EventStream<E>)
  | ({ kind: 'json' } & UpstreamReply<unknown>);

export interface UpstreamReply<T> {
  body: T;
  headers: ReplyHeaders;
}

export type ReplyHeaders = Readonly<
  Record<string, string | string[] | undefined>
>;

export interface EventStream<E> {
  events: AsyncIterator<E[]>;
  /** Closes the connection, also during a read. */
  readonly close: () => void;
}

type RequestOptions = Dispatcher.DispatchOptions & { body: string | null };

const NO_TIMEOUTS = {
  headersTimeout: 0,
  bodyTimeout: 0,
  connect: { timeout: 10_000 },
};

/** An answer with images takes several MiB. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** Characters of a request body from which on it yields to the event loop. */
const LARGE_BODY = 64 * 1024;

/**
 * The only client of the model endpoint. It never repeats a call, and instructs a LiteLLM proxy not to: only the caller knows
 * what a repetition costs. `ARCHITECTURE.md` says why it does not use the client of the openai SDK.
 */
@Injectable()
export class UpstreamClient implements OnApplicationShutdown {
  /** Short calls share a few connections. Streams have their own, because they occupy one for long. */
  private readonly calls: Dispatcher;
  private readonly streams: Agent;
  /** Without pipelining a connection ends with its request. */
  private readonly single: Agent;
  private readonly origin: string;
  private readonly base: string;
  private readonly headers: Record<string, string>;

  constructor(config: AppConfig) {
    const url = new URL(config.upstream.baseUrl!);
    this.origin = url.origin;
    const calls = { ...NO_TIMEOUTS, connections: 128 };
    // Every chat passes here: a pool costs less than an agent with one.
    this.calls = config.proxies
      ? proxiedAgent(config.proxies, calls)
      : new Pool(url.origin, calls);
    this.streams = proxiedAgent(config.proxies, NO_TIMEOUTS);
    const single = { ...NO_TIMEOUTS, pipelining: 0 };
    this.single = proxiedAgent(config.proxies, single);
    this.base = url.pathname.replace(/\/$/, '');
    this.headers = {
      'content-type': 'application/json',
      'user-agent': 'sonde',
      ...(config.upstream.apiKey && {
        authorization: `Bearer ${config.upstream.apiKey}`,
      }),
    };
  }

  /** @throws UpstreamError, or the signal's reason. */
  async json<T>(call: UpstreamCall): Promise<T> {
    return (await this.reply<T>(call)).body;
  }

  /**
   * The same with the headers of the reply.
   * @throws UpstreamError, or the signal's reason.
   */
  reply<T>(call: UpstreamCall): Promise<UpstreamReply<T>> {
    return this.whole<T>(call.once ? this.single : this.calls, call);
  }

  /** @throws UpstreamError, or the signal's reason; so does the iteration. */
  async stream<E>(call: UpstreamCall): Promise<StreamReply<E>> {
    const reply = await this.open(call, 'text/event-stream');
    const { headers } = reply;
    if (!String(headers['content-type']).startsWith('text/event-stream')) {
      const text = await this.reading(call.signal, () =>
        bodyText(reply.body, MAX_BODY_BYTES),
      );
      return { kind: 'json', body: parseReply(reply, text), headers };
    }
    // A stream may be closed before anybody reads it.
    reply.body.on('error', () => undefined);
    return {
      kind: 'stream',
      headers,
      events: readEvents<E>(reply.body, call.signal),
      close: () => reply.body.destroy(),
    };
  }

  /**
   * A reply whose body is not read: it ends with the signal, or has to be destroyed.
   * @throws UpstreamError, or the signal's reason.
   */
  async open(
    call: UpstreamCall,
    accept = 'application/json',
  ): Promise<Dispatcher.ResponseData> {
    const dispatcher = call.once ? this.single : this.streams;
    const options = this.prepare(call, accept);
    if (isLarge(options)) await setImmediate();
    call.signal.throwIfAborted();
    let reply: Dispatcher.ResponseData;
    try {
      reply = await dispatcher.request({ ...options, signal: call.signal });
    } catch (error) {
      call.signal.throwIfAborted();
      throw connectionError(error);
    }
    if (reply.statusCode < 300) return reply;
    const { statusCode, headers } = reply;
    const beginning = await bodyStart(
      reply.body,
      MAX_ERROR_BYTES,
      MAX_ERROR_MS,
    );
    call.signal.throwIfAborted();
    throw replyError(statusCode, headers, beginning, modelOf(call));
  }

  async onApplicationShutdown(): Promise<void> {
    const all = [this.calls, this.streams, this.single];
    await Promise.all(all.map((dispatcher) => dispatcher.destroy()));
  }

  private async whole<T>(
    dispatcher: Dispatcher,
    call: UpstreamCall,
  ): Promise<UpstreamReply<T>> {
    const { signal, maxBytes = MAX_BODY_BYTES } = call;
    const options = this.prepare(call, 'application/json');
    if (isLarge(options)) await setImmediate();
    signal.throwIfAborted();
    const reply = await requestWhole(dispatcher, options, signal, maxBytes);
    const { statusCode, headers, text } = reply;
    if (statusCode >= 300)
      throw replyError(statusCode, headers, text, modelOf(call));
    return { body: parseReply<T>(reply, text), headers };
  }

  private prepare(
    { method, path, body }: UpstreamCall,
    accept: string,
  ): RequestOptions {
    return {
      origin: this.origin,
      path: this.base + path,
      method,
      headers: {
        ...forwardedHeaders(),
        ...traceHeaders(),
        ...this.headers,
        accept,
        ...(method === 'POST' && { 'x-litellm-num-retries': '0' }),
      },
      body: body === undefined ? null : requestText(body),
    };
  }

  private async reading(
    signal: AbortSignal,
    read: () => Promise<string>,
  ): Promise<string> {
    try {
      return await read();
    } catch (error) {
      signal.throwIfAborted();
      throw new UpstreamError('upstream_error', 'unknown', {}, error);
    }
  }
}

/** Sending gives way to other requests after a step that has blocked for megabytes. */
function isLarge({ body }: RequestOptions): boolean {
  return body !== null && body.length > LARGE_BODY;
}

function modelOf({ body }: UpstreamCall): string | undefined {
  return (body as { model?: string } | undefined)?.model;
}

/** @throws UpstreamError; with effect `none` if the reply is a web page instead of the API's. */
function parseReply<T>(
  {
    statusCode,
    headers,
  }: Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>,
  body: string,
): T {
  if (isWrongUrl(statusCode, headers, body))
    throw new UpstreamError('upstream_wrong_url', 'none', {
      status: statusCode,
    });
  try {
    return JSON.parse(body) as T;
  } catch (error) {
    const fault = { status: statusCode };
    throw new UpstreamError('upstream_error', 'unknown', fault, error);
  }
}
