import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
  StreamableHTTPClientTransport,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import type { McpEndpoint } from '../../config/files/mcp-servers';
import { McpFetch } from './mcp.fetch';

/** Said in the place of the answer if its stream ended without one. No code of JSON-RPC, and none of a server. */
export const ANSWER_LOST = -1;

/** A server names the pause before a lost stream is read on. It can make that neither a loop nor a wait for ever. */
const RECONNECT_LEAST_MS = 500;
const RECONNECT_MOST_MS = 30_000;

/**
 * Streamable HTTP as the SDK speaks it, but for four things: a call whose stream ends is told so at once, where the SDK
 * waits for the time limit; the stream of a cancelled call is closed; a call may be silent for longer than five minutes;
 * and a message has a largest size.
 */
export class HttpTransport implements Transport {
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  onmessage?: Transport['onmessage'];
  readonly hasPerRequestStream = true;
  private readonly inner: StreamableHTTPClientTransport;
  private readonly reach: McpFetch;
  /** What ends the stream of each request that has no answer yet. */
  private readonly unanswered = new Map<RequestId, AbortController>();

  constructor(endpoint: McpEndpoint) {
    const { url, headers } = endpoint;
    this.reach = new McpFetch(endpoint);
    this.inner = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers },
      reconnectionScheduler: reconnectLater,
      fetch: this.reach.fetch,
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
    // Who asks for the end of the stream sees to it: a subscription has no other answer.
    if (isJSONRPCRequest(message) && !options.onRequestStreamEnd) {
      return this.ask(message.id, message, options);
    }
    await this.inner.send(message, options);
    if (isJSONRPCNotification(message)) this.afterNotification(message);
  }

  async close(): Promise<void> {
    await this.inner.close();
    await this.reach.close();
  }

  /** Lets the server forget the session. It may be gone, or know no sessions: nothing is lost if that fails. */
  async leave(): Promise<void> {
    await this.inner.terminateSession().catch(() => undefined);
  }

  private async ask(
    id: RequestId,
    message: JSONRPCMessage,
    options: TransportSendOptions,
  ): Promise<void> {
    const ending = new AbortController();
    this.unanswered.set(id, ending);
    const { requestSignal = ending.signal } = options;
    requestSignal.addEventListener('abort', () => this.unanswered.delete(id));
    try {
      await this.inner.send(message, {
        ...options,
        requestSignal: AbortSignal.any([requestSignal, ending.signal]),
        onRequestStreamEnd: () => this.loseAnswer(id),
      });
    } catch (error) {
      this.unanswered.delete(id);
      throw error;
    }
  }

  private loseAnswer(id: RequestId): void {
    if (!this.unanswered.has(id)) return;
    const error = { code: ANSWER_LOST, message: 'The stream ended.' };
    this.deliver({ jsonrpc: '2.0', id, error });
  }

  private deliver(message: JSONRPCMessage): void {
    const answers = 'id' in message && !('method' in message);
    if (answers && message.id !== undefined) this.unanswered.delete(message.id);
    this.onmessage?.(message);
  }

  /** Up to 2025-11-25 the stream of a call is not closed by cancelling it, and the server may never end it. */
  private afterNotification({
    method,
    params,
  }: {
    method: string;
    params?: Record<string, unknown>;
  }): void {
    if (method !== 'notifications/cancelled') return;
    this.unanswered.get(params?.requestId as RequestId)?.abort();
  }
}

function reconnectLater(reconnect: () => void, ms: number): () => void {
  const pauseMs = Math.max(RECONNECT_LEAST_MS, Math.min(ms, RECONNECT_MOST_MS));
  const timer = setTimeout(reconnect, pauseMs);
  return () => clearTimeout(timer);
}
