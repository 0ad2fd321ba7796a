import type { CallToolResult } from '@modelcontextprotocol/client';
import { Logger } from '@nestjs/common';
import { EventEmitter, once } from 'node:events';
import type { McpServerConfig } from '../../config/files/mcp-file';
import {
  codeOf,
  isServerResponse,
  neverArrived,
  tooLarge,
  unavailable,
} from './mcp-failure';
import { type McpCall, McpLink } from './mcp-link';
import { pause, within } from '../../platform/pause';
import { McpWatch } from './mcp-watch';

/** The start of the process waits no longer for a server. */
export const START = { waitMs: 5_000 };
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 30_000;
/** The maximum while a call waits for the server. */
const MAX_RETRY_WITH_CALLS_MS = 1_000;

/** Keeps one server connected for as long as the process runs, and makes the calls of its tools. */
export class McpConnection {
  private readonly log: Logger;
  private readonly changes = new EventEmitter().setMaxListeners(0);
  private readonly ending = new AbortController();
  private current?: { link: McpLink; watch: McpWatch };
  private reachable = true;
  private waiting = 0;
  private retryNow?: () => void;
  private reconnecting?: Promise<void>;

  /** `onTools` receives all tools whenever they are listed: after every connect, and when they may have changed. */
  constructor(
    private readonly server: McpServerConfig,
    private readonly onTools: (entries: unknown[]) => void,
  ) {
    this.log = new Logger(`MCP ${server.name}`);
  }

  get connected(): boolean {
    return this.linked !== undefined;
  }

  /**
   * Resolves when the tools are listed, the first attempt has failed, or the start has waited long enough; its tools come
   * later then. Never throws.
   */
  async start(): Promise<void> {
    const attempted = this.change('attempted');
    this.reconnecting = this.reconnect();
    await within(START.waitMs, attempted, () =>
      this.log.warn('does not answer yet; its tools come once it does'),
    );
  }

  async close(): Promise<void> {
    this.ending.abort();
    await this.reconnecting;
  }

  /**
   * Waits for an unavailable server, up to the connect timeout. The call is repeated only if the server certainly never
   * received it.
   * @throws ToolError, or what the SDK throws.
   */
  async call(call: McpCall): Promise<CallToolResult> {
    const first = await this.whenLinked(call.signal);
    try {
      return await this.callOver(first, call);
    } catch (error) {
      const { link } = first;
      if (!neverArrived(error, link.inSession)) throw error;
      // The server may refuse only this call, and others may be in progress.
      const lost = await first.watch.list().catch(() => true);
      if (!lost) throw error;
      link.retire();
      return this.callOver(await this.whenLinked(call.signal), call);
    }
  }

  /** Resolves when the server is connected and its tools are listed, a signal aborts, or at the connect timeout. Never rejects. */
  async listed(signal: AbortSignal): Promise<void> {
    if (this.linked) return;
    this.waiting++;
    this.retryNow?.();
    await this.change('linked', signal);
    this.waiting--;
  }

  private get linked(): typeof this.current {
    return this.current?.link.ended.aborted ? undefined : this.current;
  }

  private async callOver(
    { link, watch }: { link: McpLink; watch: McpWatch },
    call: McpCall,
  ): Promise<CallToolResult> {
    try {
      return await link.call(call);
    } catch (error) {
      if (link.exceededLimit) throw tooLarge(error);
      if (!isServerResponse(error)) watch.recheck();
      throw error;
    }
  }

  private async whenLinked(
    signal: AbortSignal,
  ): Promise<{ link: McpLink; watch: McpWatch }> {
    await this.listed(signal);
    if (this.linked) return this.linked;
    throw unavailable();
  }

  /** Resolves with the change, when a signal aborts, or at the connect timeout. Never rejects. */
  private async change(
    name: 'attempted' | 'linked',
    ...signals: AbortSignal[]
  ): Promise<void> {
    const limit = AbortSignal.timeout(this.server.connectTimeoutMs);
    const signal = AbortSignal.any([limit, this.ending.signal, ...signals]);
    await once(this.changes, name, { signal }).catch(() => undefined);
  }

  private async reconnect(): Promise<void> {
    const { signal } = this.ending;
    for (let attempt = 0; !signal.aborted; attempt++) {
      const began = Date.now();
      await this.connectOnce();
      if (Date.now() - began > MAX_RETRY_MS) attempt = 0;
      const most = this.waiting > 0 ? MAX_RETRY_WITH_CALLS_MS : MAX_RETRY_MS;
      const ms = Math.min(FIRST_RETRY_MS * 2 ** attempt, most);
      const wake = new AbortController();
      this.retryNow = () => wake.abort();
      // Reduced by up to a quarter, so that many processes do not reconnect at the same time.
      const delayMs = ms * (1 - Math.random() / 4);
      await pause(delayMs, AbortSignal.any([signal, wake.signal]));
      this.retryNow = undefined;
    }
  }

  /** One link, from the attempt to its end. */
  private async connectOnce(): Promise<void> {
    const trace = (message: unknown) => this.log.debug(message);
    const link: McpLink = new McpLink(this.server, {
      recheck: () => watch.recheck(),
      trace,
    });
    const watch = new McpWatch(link, this.onTools, trace);
    const end = () => void link.close();
    const { signal } = this.ending;
    signal.addEventListener('abort', end);
    void link.closed.then(() => signal.removeEventListener('abort', end));
    try {
      await link.open();
      await watch.list();
      this.current = { link, watch };
      this.logState('linked');
      if (link.notifiesSubscribers) void watch.listen();
      this.changes.emit('linked');
      this.changes.emit('attempted');
      if (!link.ended.aborted) await once(link.ended, 'abort');
      this.logState(
        'lost',
        link.exceededLimit ? 'MESSAGE_TOO_LARGE' : 'CLOSED',
      );
    } catch (error) {
      this.log.debug(error);
      this.logState('unreachable', codeOf(error));
      this.changes.emit('attempted');
    }
    if (!link.inUse) await link.close();
  }

  /** One line per outage, not per attempt. */
  private logState(
    state: 'linked' | 'lost' | 'unreachable',
    code?: string,
  ): void {
    const reachable = state === 'linked';
    if (reachable === this.reachable || this.ending.signal.aborted) return;
    this.reachable = reachable;
    if (reachable) this.log.log('is connected again');
    else if (state === 'lost') this.log.warn(`connection lost (${code})`);
    else this.log.warn(`cannot be reached (${code})`);
  }
}
