import {
  type CallToolResult,
  Client,
  type ProgressCallback,
  SdkHttpError,
} from '@modelcontextprotocol/client';
import type { McpServerConfig } from '../../config/files/mcp-file';
import { within } from '../../platform/pause';
import { HttpTransport } from './transport/http-transport';
import {
  type McpDefinition,
  bypassEntryValidation,
  readDefinitions,
} from './mcp-definitions';
import { openTransport } from './transport/mcp-transport';
import { isTooLarge } from './transport/message-limit';

/** The version that a server may log: it changes with the behaviour of this client. */
const CLIENT = { name: 'sonde', version: '1' };
/** How long a server may take to end the session. */
const END_SESSION_TIMEOUT_MS = 1_000;

export interface LinkEvents {
  /** The tools may have changed, or the server may be gone: only a new listing shows which. */
  recheck: () => void;
  /** Logged at debug: a line of a program's standard error, or an error of the SDK. */
  trace: (message: string | Error) => void;
}

export interface McpCall {
  definition: McpDefinition;
  args: Record<string, unknown>;
  signal: AbortSignal;
  onprogress: ProgressCallback;
  /** Maximum time without progress. */
  progressTimeoutMs: number;
}

/** The statuses with which a server of 2024-11-05 refuses the first message of a newer transport. */
const LEGACY_STATUSES = new Set([400, 404, 405]);

/** The same server with the transport of 2024-11-05, if that may be why it refused. */
function legacyOf(
  server: McpServerConfig,
  error: unknown,
): McpServerConfig | null {
  const refused =
    error instanceof SdkHttpError && LEGACY_STATUSES.has(error.status ?? 0);
  return refused && server.kind === 'http' && !server.sse
    ? { ...server, sse: true }
    : null;
}

/** One connection to a server, from open to close. It is never repaired; another one replaces it. */
export class McpLink {
  private readonly ending = new AbortController();
  private client!: Client;
  private transport!: ReturnType<typeof openTransport>;
  private closing?: Promise<void>;
  private closeDone!: () => void;
  readonly closed = new Promise<void>((resolve) => (this.closeDone = resolve));
  /** Aborts when the link takes no more calls, whichever side ended it. */
  readonly ended = this.ending.signal;
  /** The server exceeded the message limit, which ended the link. */
  exceededLimit = false;
  private calls = 0;
  /** Undefined until the link is open. */
  private hasTools?: boolean;

  constructor(
    private readonly server: McpServerConfig,
    private readonly events: LinkEvents,
  ) {
    this.prepare(server);
  }

  get inUse(): boolean {
    return this.calls > 0 && !this.closing;
  }

  get inSession(): boolean {
    return 'sessionId' in this.transport && !!this.transport.sessionId;
  }

  /** Whether the server reports changes of its tools only to subscribers, as since 2026-07-28. */
  get notifiesSubscribers(): boolean {
    const announces = this.client.getServerCapabilities()?.tools?.listChanged;
    return this.client.getProtocolEra() === 'modern' && announces === true;
  }

  /** @throws what the SDK throws, as all methods do except `close`. A link that failed to open must be closed as well. */
  async open(): Promise<void> {
    try {
      await this.connect();
    } catch (error) {
      const legacy = legacyOf(this.server, error);
      if (!legacy) throw error;
      await this.discard();
      this.ended.throwIfAborted();
      this.prepare(legacy);
      // The refusal of the current transport explains more than that of the older one.
      await this.connect().catch(() => Promise.reject(error));
    }
    this.hasTools = !!this.client.getServerCapabilities()?.tools;
  }

  async definitions(): Promise<unknown[]> {
    if (!this.hasTools) return [];
    return readDefinitions(this.client, this.server.connectTimeoutMs);
  }

  /** Resolves when the server ends the subscription. */
  async listen(): Promise<void> {
    const { connectTimeoutMs: timeout } = this.server;
    const filter = { toolsListChanged: true };
    const changes = await this.client.listen(filter, { timeout });
    await changes.closed;
  }

  async call(call: McpCall): Promise<CallToolResult> {
    const { name, inputSchema } = call.definition;
    const { args, signal, onprogress, progressTimeoutMs } = call;
    this.calls++;
    try {
      return await this.client.callTool(
        { name, arguments: args },
        {
          signal,
          onprogress,
          timeout: progressTimeoutMs,
          resetTimeoutOnProgress: true,
          // Without the schema of the result: the SDK does not validate it.
          toolDefinition: { name, inputSchema },
        },
      );
    } finally {
      this.calls--;
      if (this.ended.aborted && this.calls === 0) void this.close();
    }
  }

  /** Takes no more calls. Calls in progress continue, and the last of them closes the link. */
  retire(): void {
    this.ending.abort();
    if (this.calls === 0) void this.close();
  }

  /** A program has four seconds to exit before it is killed. */
  close(): Promise<void> {
    return (this.closing ??= this.end());
  }

  private prepare(server: McpServerConfig): void {
    const probe = { timeoutMs: server.connectTimeoutMs / 2 };
    const isLegacy = server.kind === 'http' && server.sse;
    const client = new Client(CLIENT, {
      versionNegotiation: isLegacy
        ? { mode: 'legacy' }
        : { mode: 'auto', probe },
      inputRequired: { autoFulfill: false },
    });
    this.client = client;
    this.transport = openTransport(server, this.events.trace);
    // A close before the link is open fails the opening.
    client.onclose = () => {
      if (this.hasTools !== undefined) this.ending.abort();
    };
    client.onerror = (error) => this.events.trace(error);
    // Both are called before the handlers of the SDK; the second is not called for errors of the SDK, e.g. late
    // progress.
    this.transport.onmessage = bypassEntryValidation;
    this.transport.onerror = (error) => this.onTransportError(error);
    const changed = 'notifications/tools/list_changed';
    client.setNotificationHandler(changed, () => this.events.recheck());
  }

  private async connect(): Promise<void> {
    const { connectTimeoutMs: timeout } = this.server;
    await this.client.connect(this.transport, { timeout, signal: this.ended });
  }

  /** Closes the client and transport before others replace them. */
  private async discard(): Promise<void> {
    const { client, transport } = this;
    await client.close().catch(this.events.trace);
    await transport.close().catch(this.events.trace);
  }

  private async end(): Promise<void> {
    const { transport } = this;
    this.ending.abort();
    if (transport instanceof HttpTransport) {
      await within(END_SESSION_TIMEOUT_MS, transport.endSession());
    }
    await this.client.close().catch(this.events.trace);
    await transport.close().catch(this.events.trace);
    this.closeDone();
  }

  private onTransportError(error: Error): void {
    if (this.ended.aborted || this.hasTools === undefined) return;
    if (isTooLarge(error)) {
      this.exceededLimit = true;
      void this.close();
    } else if (this.server.kind === 'http') {
      // The exit of a program closes its pipes. Over HTTP nothing else reports it.
      this.events.recheck();
    }
  }
}
