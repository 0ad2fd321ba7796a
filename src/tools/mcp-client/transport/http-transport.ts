import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
  StreamableHTTPClientTransport,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import type { McpEndpoint } from '../../../config/files/mcp-file';
import { McpFetch } from './mcp-fetch';

/** The error code of a response whose stream ended without one. No code of JSON-RPC or of a server. */
export const RESPONSE_LOST = -1;

/** A server chooses the delay before a lost stream is resumed; these limits prevent a busy loop and an endless wait. */
const MIN_RECONNECT_MS = 500;
const MAX_RECONNECT_MS = 30_000;

/**
 * Streamable HTTP of the SDK with four differences: a call whose stream ends fails at once, instead of at its timeout;
 * the stream of a cancelled call is closed; a call may take more than five minutes without progress; and the size of
 * messages is limited.
 */
export class HttpTransport implements Transport {
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  onmessage?: Transport['onmessage'];
  readonly hasPerRequestStream = true;
  private readonly inner: StreamableHTTPClientTransport;
  private readonly http: McpFetch;
  /** Controllers that end the streams of requests without a response. */
  private readonly pending = new Map<RequestId, AbortController>();

  constructor(endpoint: McpEndpoint) {
    const { url, headers } = endpoint;
    this.http = new McpFetch(endpoint);
    this.inner = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers },
      reconnectionScheduler: reconnectLater,
      fetch: this.http.fetch,
    });
    this.inner.onclose = () => this.onclose?.();
    this.inner.onerror = (error) => this.onerror?.(error);
    this.inner.onmessage = (message) => this.deliver(message);
  }

  get sessionId(): string | undefined {
    return this.inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.inner.setProtocolVersion(version);
  }

  start(): Promise<void> {
    return this.inner.start();
  }

  async send(
    message: JSONRPCMessage,
    options: TransportSendOptions = {},
  ): Promise<void> {
    // A caller that handles the end of the stream itself: a subscription has no other response.
    if (isJSONRPCRequest(message) && !options.onRequestStreamEnd) {
      return this.request(message.id, message, options);
    }
    await this.inner.send(message, options);
    if (isJSONRPCNotification(message)) this.afterNotification(message);
  }

  async close(): Promise<void> {
    await this.inner.close();
    await this.http.close();
  }

  /** Ends the session at the server. Failures do not matter: the server may be gone or have no sessions. */
  async endSession(): Promise<void> {
    await this.inner.terminateSession().catch(() => undefined);
  }

  private async request(
    id: RequestId,
    message: JSONRPCMessage,
    options: TransportSendOptions,
  ): Promise<void> {
    const ending = new AbortController();
    this.pending.set(id, ending);
    const { requestSignal = ending.signal } = options;
    requestSignal.addEventListener('abort', () => this.pending.delete(id));
    try {
      await this.inner.send(message, {
        ...options,
        requestSignal: AbortSignal.any([requestSignal, ending.signal]),
        onRequestStreamEnd: () => this.failPending(id),
      });
    } catch (error) {
      this.pending.delete(id);
      throw error;
    }
  }

  private failPending(id: RequestId): void {
    if (!this.pending.has(id)) return;
    const error = { code: RESPONSE_LOST, message: 'The stream ended.' };
    this.deliver({ jsonrpc: '2.0', id, error });
  }

  private deliver(message: JSONRPCMessage): void {
    const answers = 'id' in message && !('method' in message);
    if (answers && message.id !== undefined) this.pending.delete(message.id);
    this.onmessage?.(message);
  }

  /** Up to revision 2025-11-25 cancelling a call does not close its stream, and the server may never end it. */
  private afterNotification({
    method,
    params,
  }: {
    method: string;
    params?: Record<string, unknown>;
  }): void {
    if (method !== 'notifications/cancelled') return;
    this.pending.get(params?.requestId as RequestId)?.abort();
  }
}

function reconnectLater(reconnect: () => void, ms: number): () => void {
  const pauseMs = Math.max(MIN_RECONNECT_MS, Math.min(ms, MAX_RECONNECT_MS));
  const timer = setTimeout(reconnect, pauseMs);
  return () => clearTimeout(timer);
}
