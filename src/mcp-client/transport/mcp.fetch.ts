import { Agent, fetch, type RequestInit } from 'undici';
import type { McpEndpoint } from '../../config/files/mcp-servers';
import { limitMessages } from './message.limit';

const NO_CLOCK = { headersTimeout: 0, bodyTimeout: 0 };

/** How an endpoint is reached over HTTP, whichever transport is spoken: connecting has a limit, and so has each message. */
export class McpFetch {
  private readonly agent: Agent;

  constructor({ connectTimeoutMs }: Pick<McpEndpoint, 'connectTimeoutMs'>) {
    const connect = { timeout: connectTimeoutMs };
    this.agent = new Agent({ ...NO_CLOCK, connect });
  }

  /** The `fetch` of the agent: that of older versions of Node.js takes no other one's. */
  readonly fetch = async (
    target: string | URL,
    init?: globalThis.RequestInit,
  ): Promise<globalThis.Response> => {
    const options = { ...init, dispatcher: this.agent } as RequestInit;
    const reply = limitMessages(await fetch(target, options));
    return reply as unknown as globalThis.Response;
  };

  async close(): Promise<void> {
    await this.agent.destroy().catch(() => undefined);
  }
}
