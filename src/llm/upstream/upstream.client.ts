import { setImmediate } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { Agent, type Dispatcher } from 'undici';
import { AppConfig } from '../../config/config';
import { forwardedHeaders } from './forwarded.headers';
import { bodyStart, bodyText, requestText } from './upstream.body';
import { isWrongUrl } from './upstream.cause';
import { readEvents } from './upstream.events';
import { connectionError, replyError, UpstreamError } from './upstream.error';

export interface UpstreamCall {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below `/v1`, e.g. `/responses/resp_1`. */
  path: string;
  body?: object;
  /** The only clock of a call: the connection has none, so that an upstream may think for an hour. */
  signal: AbortSignal;
  /** Of the reply, 32 MiB by default; a larger one fails. */
  maxBytes?: number;
}

/** What came back where a stream was asked for: some gateways answer with the plain object all the same. */
export type StreamReply<E = ResponseStreamEvent> =
  ({ kind: 'stream' } & EventStream<E>) | { kind: 'json'; body: unknown };

export interface EventStream<E = ResponseStreamEvent> {
  events: AsyncIterator<E[]>;
  /** Ends the connection, also while a read is under way. */
  readonly close: () => void;
}

const NO_CLOCK = {
  headersTimeout: 0,
  bodyTimeout: 0,
  connect: { timeout: 10_000 },
};

/** An answer with images takes several MiB. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** Of an error only the beginning is read, and not for long: it may never end. */
const MAX_ERROR_BYTES = 64 * 1024;
const MAX_ERROR_MS = 10_000;
/** Characters of a request. */
const LARGE = 64 * 1024;

/**
 * The one client of the model endpoint. It never repeats a call by itself, and asks a LiteLLM proxy not to do so either:
 * who calls knows what a repetition costs.
 * Below the openai SDK on purpose, whose types it uses: the SDK retries what must not be bought twice, forgets
 * `retry-after` above a minute, and costs four fifths of a chat request.
 */
@Injectable()
export class UpstreamClient implements OnApplicationShutdown {
  /** Short calls share few connections; streams are held for long and must not stand in their way. */
  private readonly calls = new Agent({ ...NO_CLOCK, connections: 128 });
  private readonly streams = new Agent({ ...NO_CLOCK });
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
  async stream<E = ResponseStreamEvent>(
    call: UpstreamCall,
  ): Promise<StreamReply<E>> {
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
    // Between two pieces of work on megabytes the process serves everything else.
    if (body !== null && body.length > LARGE) await setImmediate();
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
    const begins = await bodyStart(reply.body, MAX_ERROR_BYTES, MAX_ERROR_MS);
    call.signal.throwIfAborted();
    const { model } = (call.body ?? {}) as { model?: string };
    throw replyError(statusCode, headers, begins, model);
  }

  private async text(
    { headers, body }: Dispatcher.ResponseData,
    { signal, maxBytes = MAX_BODY_BYTES }: UpstreamCall,
  ): Promise<string> {
    try {
      // No more arrives than was declared.
      if (Number(headers['content-length']) <= maxBytes)
        return await body.text();
      return await bodyText(body, maxBytes);
    } catch (error) {
      signal.throwIfAborted();
      throw new UpstreamError('upstream_error', 'unknown', {}, error);
    }
  }
}

/** @throws UpstreamError; where a page came instead of the API's reply, nothing was begun. */
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
