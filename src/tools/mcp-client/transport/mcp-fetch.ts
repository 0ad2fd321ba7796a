import { type Agent, fetch, type RequestInit } from 'undici';
import type { McpEndpoint } from '../../../config/files/mcp-file';
import { proxiedAgent } from '../../../platform/egress/proxied-agent';
import { traceHeaders } from '../../../platform/tracing/tracing';
import { limitMessages } from './message-limit';

const NO_READ_TIMEOUT = { headersTimeout: 0, bodyTimeout: 0 };

/** HTTP for both transports, with a connect timeout and a limit for the size of each message. */
export class McpFetch {
  private readonly agent: Agent;

  constructor({
    connectTimeoutMs,
    proxies,
  }: Pick<McpEndpoint, 'connectTimeoutMs' | 'proxies'>) {
    const connect = { timeout: connectTimeoutMs };
    this.agent = proxiedAgent(proxies, { ...NO_READ_TIMEOUT, connect });
  }

  /** The `fetch` of the same undici as the agent: that of older Node.js versions accepts no other agent. */
  readonly fetch = async (
    target: string | URL,
    init?: globalThis.RequestInit,
  ): Promise<globalThis.Response> => {
    const options = {
      ...withTrace(init),
      dispatcher: this.agent,
    } as RequestInit;
    const reply = limitMessages(await fetch(target, options));
    return reply as unknown as globalThis.Response;
  };

  async close(): Promise<void> {
    await this.agent.destroy().catch(() => undefined);
  }
}

function withTrace(
  init: globalThis.RequestInit | undefined,
): globalThis.RequestInit | undefined {
  const { traceparent } = traceHeaders();
  if (!traceparent) return init;
  const headers = new Headers(init?.headers);
  headers.set('traceparent', traceparent);
  return { ...init, headers: Object.fromEntries(headers) };
}
