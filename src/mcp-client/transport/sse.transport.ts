import {
  type JSONRPCMessage,
  SdkError,
  SdkErrorCode,
  SSEClientTransport,
  SseError,
  type Transport,
} from '@modelcontextprotocol/client';
import type { McpEndpoint } from '../../config/files/mcp-servers';
import { McpFetch } from './mcp.fetch';

/**
 * The transport of 2024-11-05, HTTP with one stream of events, as the SDK speaks it, but for three things: it has to open in
 * time; a stream that ends closes it, where the SDK opens another one that knows nothing of the session; and a message has
 * a largest size.
 */
export class SseTransport implements Transport {
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  onmessage?: Transport['onmessage'];
  private readonly inner: SSEClientTransport;
  private readonly reach: McpFetch;
  private readonly timeoutMs: number;
  private closed = false;

  constructor(endpoint: McpEndpoint) {
    const { url, headers, connectTimeoutMs } = endpoint;
    this.timeoutMs = connectTimeoutMs;
    this.reach = new McpFetch(endpoint);
    this.inner = new SSEClientTransport(new URL(url), {
      requestInit: { headers },
      fetch: this.reach.fetch,
    });
    this.inner.onclose = () => void this.close();
    this.inner.onerror = (error) => {
      this.onerror?.(error);
      if (error instanceof SseError) void this.close();
    };
    this.inner.onmessage = (message) => this.onmessage?.(message);
  }

  setProtocolVersion(version: string): void {
    this.inner.setProtocolVersion(version);
  }

  async start(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new SdkError(SdkErrorCode.RequestTimeout, 'No endpoint came.'));
      }, this.timeoutMs);
    });
    try {
      await Promise.race([this.inner.start(), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.inner.send(message);
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.inner.close();
    await this.reach.close();
    this.onclose?.();
  }
}
