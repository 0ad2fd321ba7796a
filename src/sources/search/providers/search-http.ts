import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Agent, Dispatcher } from 'undici';
import { AppConfig } from '../../../config/config';
import { proxiedAgent } from '../../../platform/egress/proxied-agent';
import { ProviderFailed } from '../search.types';
import { readRetryAfter } from '../../../platform/egress/retry-after';

const CONNECT_MS = 10_000;
const MAX_BYTES = 2_000_000;
const TOO_LARGE = 'its reply is over 2 MB';

export interface HttpReply {
  status: number;
  headers: Dispatcher.ResponseData['headers'];
  /** The body, if it is JSON. */
  json: unknown;
}

/**
 * Requests to the search providers that the operator configured. It follows no redirect, and shares nothing with the
 * client of the model endpoint.
 */
@Injectable()
export class SearchHttp implements OnApplicationShutdown {
  private readonly agent: Agent;

  constructor({ proxies }: AppConfig) {
    this.agent = proxiedAgent(proxies, { connect: { timeout: CONNECT_MS } });
  }

  /** Any reply but a redirect. @throws ProviderFailed, or any error once the signal has aborted. */
  async request(
    url: URL,
    options: Pick<Dispatcher.RequestOptions, 'method' | 'body'> & {
      headers?: Record<string, string>;
    },
    signal: AbortSignal,
  ): Promise<HttpReply> {
    try {
      const { statusCode, headers, body } = await this.agent.request({
        ...options,
        origin: url.origin,
        path: url.pathname + url.search,
        headers: {
          accept: 'application/json',
          'user-agent': 'sonde',
          ...options.headers,
        },
        signal,
      });
      const bytes = await readBody(body);
      if (statusCode >= 300 && statusCode < 400)
        throw new ProviderFailed('bad_reply', `it redirects (${statusCode})`);
      return { status: statusCode, headers, json: jsonOf(bytes) };
    } catch (cause) {
      if (cause instanceof ProviderFailed) throw cause;
      throw new ProviderFailed('unreachable', undefined, { cause });
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }
}

/** The address of `path` below a configured URL, which may have a path of its own. */
export function endpoint(base: string, path: string): URL {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  url.search = '';
  url.hash = '';
  return url;
}

/** The pause that the reply asks for. */
export function retryAfterOf({ headers }: HttpReply): number | undefined {
  return readRetryAfter(headers['retry-after']);
}

/** What a status means at every provider, where its body says nothing else. */
export function statusFault(
  reply: HttpReply,
  detail = `HTTP ${reply.status}`,
): ProviderFailed {
  const { status } = reply;
  const options = { retryAfterMs: retryAfterOf(reply) };
  const fault = (): ProviderFailed['fault'] => {
    if (status === 401 || status === 403) return 'unauthorized';
    if (status === 402) return 'quota_exceeded';
    if (status === 429) return 'rate_limited';
    if (status === 400 || status === 414 || status === 422)
      return 'refused_query';
    return status >= 500 || status === 408 ? 'unreachable' : 'bad_reply';
  };
  return new ProviderFailed(fault(), detail, options);
}

async function readBody(
  body: Dispatcher.ResponseData['body'],
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Leaving the loop destroys the body, and so the connection.
    if (bytes > MAX_BYTES) throw new ProviderFailed('bad_reply', TOO_LARGE);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
