import {
  type JSONRPCMessage,
  SdkError,
  SdkErrorCode,
  SSEClientTransport,
  SseError,
  type Transport,
} from '@modelcontextprotocol/client';
import type { McpEndpoint } from '../../../config/files/mcp-file';
import { within } from '../../../platform/pause';
import { McpFetch } from './mcp-fetch';

/**
 * The HTTP+SSE transport of 2024-11-05 of the SDK with three differences: it must open within the connect timeout; a
 * stream that ends closes it, instead of being replaced by one without the session; and the size of messages is
 * limited.
 */
export class SseTransport implements Transport {
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  onmessage?: Transport['onmessage'];
  private readonly inner: SSEClientTransport;
  private readonly http: McpFetch;
  private readonly timeoutMs: number;
  private closed = false;

  constructor(endpoint: McpEndpoint) {
    const { url, headers, connectTimeoutMs } = endpoint;
    this.timeoutMs = connectTimeoutMs;
    this.http = new McpFetch(endpoint);
    this.inner = new SSEClientTransport(new URL(url), {
      requestInit: { headers },
      fetch: this.http.fetch,
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
    await within(this.timeoutMs, this.inner.start(), () => {
      throw new SdkError(
        SdkErrorCode.RequestTimeout,
        'The server sent no endpoint.',
      );
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.inner.send(message);
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.inner.close();
    await this.http.close();
    this.onclose?.();
  }
}
