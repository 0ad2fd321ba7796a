import { setImmediate } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, type Dispatcher } from 'undici';
import { AppConfig } from '../../config/config';
import { forwardedHeaders } from './forwarded.headers';
import { bodyStart, bodyText, requestText } from './upstream.body';
import { isWrongUrl } from './upstream.cause';
import { readEvents } from './upstream.events';
import { connectionError, replyError, UpstreamError } from './upstream.error';

export interface UpstreamCall {
  method: 'GET' | 'POST' | 'DELETE';
  /** Relative to `/v1`, e.g. `/responses/resp_1`. */
  path: string;
  body?: object;
  /** The only time limit of a call: the connection has none, so that a model may think for an hour. */
  signal: AbortSignal;
  /** Limit of the reply, 32 MiB by default; a larger reply fails the call. */
  maxBytes?: number;
}

/** The reply to a request for a stream: some gateways send the plain JSON object instead. */
export type StreamReply<E> =
  ({ kind: 'stream' } & EventStream<E>) | { kind: 'json'; body: unknown };

export interface EventStream<E> {
  events: AsyncIterator<E[]>;
  /** Closes the connection, also during a read. */
  readonly close: () => void;
}

const NO_TIMEOUTS = {
  headersTimeout: 0,
  bodyTimeout: 0,
  connect: { timeout: 10_000 },
};

/** An answer with images takes several MiB. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** Of an error only the beginning is read, for a limited time: its body may never end. */
const MAX_ERROR_BYTES = 64 * 1024;
const MAX_ERROR_MS = 10_000;
/** Characters of a request body from which on it yields to the event loop. */
const LARGE_BODY = 64 * 1024;

/**
 * The only client of the model endpoint. It never repeats a call, and instructs a LiteLLM proxy not to: only the caller knows
 * what a repetition costs. It does not use the openai SDK, which retries purchases, ignores a `retry-after` above a minute,
 * and costs four fifths of a chat request.
 */
@Injectable()
export class UpstreamClient implements OnApplicationShutdown {
  /** Short calls share a few connections. Streams have their own, because they occupy one for long. */
  private readonly calls = new Agent({ ...NO_TIMEOUTS, connections: 128 });
  private readonly streams = new Agent({ ...NO_TIMEOUTS });
  private readonly origin: string;
  private readonly base: string;
  private readonly headers: Record<string, string>;

  constructor(config: AppConfig) {
    const url = new URL(config.upstream.baseUrl!);
    this.origin = url.origin;
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
    const reply = await this.send(this.calls, call, 'application/json');
    return parseReply<T>(reply, await this.text(reply, call));
  }

  /** @throws UpstreamError, or the signal's reason; so does the iteration. */
  async stream<E>(call: UpstreamCall): Promise<StreamReply<E>> {
    const reply = await this.send(this.streams, call, 'text/event-stream');
    if (
      !String(reply.headers['content-type']).startsWith('text/event-stream')
    ) {
      return {
        kind: 'json',
        body: parseReply(reply, await this.text(reply, call)),
      };
    }
    return {
      kind: 'stream',
      events: readEvents<E>(reply.body, call.signal),
      close: () => reply.body.destroy(),
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.calls.destroy(), this.streams.destroy()]);
  }

  private async send(
    agent: Agent,
    call: UpstreamCall,
    accept: string,
  ): Promise<Dispatcher.ResponseData> {
    const body = call.body === undefined ? null : requestText(call.body);
    // Gives way to other requests between two steps that block for megabytes.
    if (body !== null && body.length > LARGE_BODY) await setImmediate();
    call.signal.throwIfAborted();
    let reply: Dispatcher.ResponseData;
    try {
      reply = await agent.request({
        origin: this.origin,
        path: this.base + call.path,
        method: call.method,
        headers: {
          ...forwardedHeaders(),
          ...this.headers,
          accept,
          ...(call.method === 'POST' && { 'x-litellm-num-retries': '0' }),
        },
        body,
        signal: call.signal,
      });
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
    const { model } = (call.body ?? {}) as { model?: string };
    throw replyError(statusCode, headers, beginning, model);
  }

  private async text(
    { headers, body }: Dispatcher.ResponseData,
    { signal, maxBytes = MAX_BODY_BYTES }: UpstreamCall,
  ): Promise<string> {
    try {
      // No more bytes arrive than the header declares.
      if (Number(headers['content-length']) <= maxBytes)
        return await body.text();
      return await bodyText(body, maxBytes);
    } catch (error) {
      signal.throwIfAborted();
      throw new UpstreamError('upstream_error', 'unknown', {}, error);
    }
  }
}

/** @throws UpstreamError; with effect `none` if the reply is a web page instead of the API's. */
function parseReply<T>(
  { statusCode, headers }: Dispatcher.ResponseData,
  body: string,
): T {
  if (isWrongUrl(statusCode, headers, body))
    throw new UpstreamError('upstream_wrong_url', 'none', {
      status: statusCode,
    });
  try {
    return JSON.parse(body) as T;
  } catch (error) {
    throw new UpstreamError('upstream_error', 'unknown', {}, error);
  }
}
