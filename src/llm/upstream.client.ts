import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { Agent, type Dispatcher } from 'undici';
import { AppConfig } from '../config/config';
import { forwardedHeaders } from './forwarded.headers';
import { readEvents } from './upstream.events';
import { connectionError, replyError, UpstreamError } from './upstream.error';

export interface UpstreamCall {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below `/v1`, e.g. `/responses/resp_1`. */
  path: string;
  body?: object;
  /** The only clock of a call: the connection has none, so that an upstream may think for an hour. */
  signal: AbortSignal;
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

/**
 * The one client of the model endpoint. It never repeats a call by itself: who calls knows what a repetition costs.
 * Below the openai SDK on purpose, whose types it uses: the SDK retries what must not be bought twice, forgets
 * `retry-after` above a minute, and costs four fifths of a chat request.
 */
@Injectable()
export class UpstreamClient implements OnApplicationShutdown {
  /** Short calls share few connections; streams are held for long and must not stand in their way. */
  private readonly calls = new Agent({
    ...NO_CLOCK,
    connections: 128,
    maxResponseSize: 64 * 1024 * 1024,
  });
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
    return parseReply<T>(await this.text(reply, call.signal));
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
        body: parseReply(await this.text(reply, call.signal)),
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
    call.signal.throwIfAborted();
    let reply: Dispatcher.ResponseData;
    try {
      reply = await agent.request({
        origin: this.origin,
        path: this.base + call.path,
        method: call.method,
        headers: { ...forwardedHeaders(), ...this.headers, accept },
        body: call.body === undefined ? undefined : JSON.stringify(call.body),
        signal: call.signal,
      });
    } catch (error) {
      call.signal.throwIfAborted();
      throw connectionError(error);
    }
    if (reply.statusCode < 300) return reply;
    throw replyError(
      reply.statusCode,
      reply.headers,
      await this.text(reply, call.signal),
    );
  }

  private async text(
    reply: Dispatcher.ResponseData,
    signal: AbortSignal,
  ): Promise<string> {
    try {
      return await reply.body.text();
    } catch (error) {
      signal.throwIfAborted();
      throw new UpstreamError('upstream_error', 'unknown', {}, error);
    }
  }
}

function parseReply<T>(body: string): T {
  try {
    return JSON.parse(body) as T;
  } catch (error) {
    throw new UpstreamError('upstream_error', 'unknown', {}, error);
  }
}
