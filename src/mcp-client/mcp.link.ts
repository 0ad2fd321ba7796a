import {
  type CallToolResult,
  Client,
  type ProgressCallback,
  SdkHttpError,
} from '@modelcontextprotocol/client';
import { setTimeout as sleep } from 'node:timers/promises';
import type { McpServerConfig } from '../config/files/mcp-servers';
import { HttpTransport } from './transport/http.transport';
import {
  type McpDefinition,
  passEntriesBy,
  readDefinitions,
} from './mcp.definitions';
import { openTransport } from './transport/mcp.transport';
import { isTooLarge } from './transport/message.limit';

/** The version is that of the manners of this client, which a server may log. */
const CLIENT = { name: 'sonde', version: '1' };
/** How long a server may take to forget the session. */
const LEAVE_MS = 1_000;

export interface LinkEvents {
  /** The tools may have changed, or the server may be gone: only asking it tells. */
  doubt: () => void;
  /** For the log at debug: a line of a program's standard error, or what the SDK complains of. */
  trace: (said: string | Error) => void;
}

export interface McpCall {
  definition: McpDefinition;
  args: Record<string, unknown>;
  signal: AbortSignal;
  onprogress: ProgressCallback;
  /** How long the call may be silent. */
  silenceMs: number;
}

/** With which a server of 2024-11-05 answers the first message of a newer transport. */
const OLDER = new Set([400, 404, 405]);

/** The same server spoken to as up to 2024-11-05, if this may be why it refused. */
function older(
  server: McpServerConfig,
  error: unknown,
): McpServerConfig | null {
  const refused = error instanceof SdkHttpError && OLDER.has(error.status ?? 0);
  return refused && server.kind === 'http' && !server.sse
    ? { ...server, sse: true }
    : null;
}

/** One connection to a server, from its beginning to its end. It is never mended: another one takes its place. */
export class McpLink {
  private readonly ending = new AbortController();
  private client!: Client;
  private transport!: ReturnType<typeof openTransport>;
  private closing?: Promise<void>;
  private closeDone!: () => void;
  readonly closed = new Promise<void>((resolve) => (this.closeDone = resolve));
  /** Aborts when the link is no longer for new calls, whoever ended it. */
  readonly gone = this.ending.signal;
  /** The server sent more than is read at once, which ended the link. */
  sentTooMuch = false;
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

  /** Whether changes of the tools are told only to those who `listen`, which is so since 2026-07-28. */
  get tellsListeners(): boolean {
    const announces = this.client.getServerCapabilities()?.tools?.listChanged;
    return this.client.getProtocolEra() === 'modern' && announces === true;
  }

  /** @throws what the SDK throws, as all methods do but `close`. What could not be opened is to be closed as well. */
  async open(): Promise<void> {
    try {
      await this.connect();
    } catch (error) {
      const next = older(this.server, error);
      if (!next) throw error;
      await this.discard();
      this.gone.throwIfAborted();
      this.prepare(next);
      // What it said to the transport of today says more than that it does not speak the older one either.
      await this.connect().catch(() => Promise.reject(error));
    }
    this.hasTools = !!this.client.getServerCapabilities()?.tools;
  }

  async definitions(): Promise<unknown[]> {
    if (!this.hasTools) return [];
    return readDefinitions(this.client, this.server.connectTimeoutMs);
  }

  /** Ends when the server tells of no more changes. */
  async listen(): Promise<void> {
    const { connectTimeoutMs: timeout } = this.server;
    const wanted = { toolsListChanged: true };
    const changes = await this.client.listen(wanted, { timeout });
    await changes.closed;
  }

  async call(call: McpCall): Promise<CallToolResult> {
    const { name, inputSchema } = call.definition;
    const { args, signal, onprogress, silenceMs } = call;
    this.calls++;
    try {
      return await this.client.callTool(
        { name, arguments: args },
        {
          signal,
          onprogress,
          timeout: silenceMs,
          resetTimeoutOnProgress: true,
          // Without the schema of the result: checking it is not left to the SDK.
          toolDefinition: { name, inputSchema },
        },
      );
    } finally {
      this.calls--;
      if (this.gone.aborted && this.calls === 0) void this.close();
    }
  }

  /** For no more calls. Those under way go on, and the last of them closes it. */
  giveUp(): void {
    this.ending.abort();
    if (this.calls === 0) void this.close();
  }

  /** A program has four seconds to end before it is killed. */
  close(): Promise<void> {
    return (this.closing ??= this.end());
  }

  private prepare(server: McpServerConfig): void {
    const probe = { timeoutMs: server.connectTimeoutMs / 2 };
    const isOlder = server.kind === 'http' && server.sse;
    const client = new Client(CLIENT, {
      versionNegotiation: isOlder
        ? { mode: 'legacy' }
        : { mode: 'auto', probe },
      inputRequired: { autoFulfill: false },
    });
    this.client = client;
    this.transport = openTransport(server, this.events.trace);
    // What closes before the link is open fails to open.
    client.onclose = () => {
      if (this.hasTools !== undefined) this.ending.abort();
    };
    client.onerror = (error) => this.events.trace(error);
    // Both are called before the SDK's own; and this one not for what the SDK complains of, e.g. progress that comes late.
    this.transport.onmessage = passEntriesBy;
    this.transport.onerror = (error) => this.hearOf(error);
    const changed = 'notifications/tools/list_changed';
    client.setNotificationHandler(changed, () => this.events.doubt());
  }

  private async connect(): Promise<void> {
    const { connectTimeoutMs: timeout } = this.server;
    await this.client.connect(this.transport, { timeout, signal: this.gone });
  }

  /** The client and its transport, which another one takes the place of. */
  private async discard(): Promise<void> {
    const { client, transport } = this;
    await client.close().catch(this.events.trace);
    await transport.close().catch(this.events.trace);
  }

  private async end(): Promise<void> {
    const { transport } = this;
    this.ending.abort();
    if (transport instanceof HttpTransport) {
      const enough = sleep(LEAVE_MS, undefined, { ref: false });
      await Promise.race([transport.leave(), enough]);
    }
    await this.client.close().catch(this.events.trace);
    await transport.close().catch(this.events.trace);
    this.closeDone();
  }

  private hearOf(error: Error): void {
    if (this.gone.aborted || this.hasTools === undefined) return;
    if (isTooLarge(error)) {
      this.sentTooMuch = true;
      void this.close();
    } else if (this.server.kind === 'http') {
      // The end of a program is told by its pipes. Over HTTP nothing else tells it.
      this.events.doubt();
    }
  }
}
