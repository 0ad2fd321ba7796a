import type { CallToolResult } from '@modelcontextprotocol/client';
import { Logger } from '@nestjs/common';
import { EventEmitter, once } from 'node:events';
import type { McpServerConfig } from '../config/files/mcp-servers';
import {
  codeOf,
  isAnswer,
  neverArrived,
  tooMuch,
  unavailable,
} from './mcp.failure';
import { type McpCall, McpLink } from './mcp.link';
import { McpWatch, pause } from './mcp.watch';

const FIRST_MS = 250;
const MOST_MS = 30_000;
/** While a call waits for the server. */
const MOST_AWAITED_MS = 1_000;

/** Keeps one server linked for as long as the process lives, and makes the calls of its tools. */
export class McpConnection {
  private readonly log: Logger;
  private readonly changes = new EventEmitter().setMaxListeners(0);
  private readonly ending = new AbortController();
  private current?: { link: McpLink; watch: McpWatch };
  private reachable = true;
  private waiting = 0;
  private hasten?: () => void;
  private staying?: Promise<void>;

  /** `onTools` is told all tools whenever they are listed: after every connect, and when they may have changed. */
  constructor(
    private readonly server: McpServerConfig,
    private readonly onTools: (entries: unknown[]) => void,
  ) {
    this.log = new Logger(`MCP ${server.name}`);
  }

  get connected(): boolean {
    return this.linked !== undefined;
  }

  /** Ends when the tools are known, the first attempt has failed, or the time to connect is up. Never throws. */
  async start(): Promise<void> {
    const attempted = this.change('attempted');
    this.staying = this.stay();
    await attempted;
  }

  async close(): Promise<void> {
    this.ending.abort();
    await this.staying;
  }

  /**
   * Waits for a server that is away, for as long as connecting may take. The call is made a second time only if the
   * server has surely not seen the first one.
   * @throws ToolError, or what the SDK throws.
   */
  async call(call: McpCall): Promise<CallToolResult> {
    const first = await this.whenLinked(call.signal);
    try {
      return await this.callOver(first, call);
    } catch (error) {
      const { link } = first;
      if (!neverArrived(error, link.inSession)) throw error;
      // It may refuse this one call only, and others may be under way.
      const gone = await first.watch.look().catch(() => true);
      if (!gone) throw error;
      link.giveUp();
      return this.callOver(await this.whenLinked(call.signal), call);
    }
  }

  private get linked(): typeof this.current {
    return this.current?.link.gone.aborted ? undefined : this.current;
  }

  private async callOver(
    { link, watch }: { link: McpLink; watch: McpWatch },
    call: McpCall,
  ): Promise<CallToolResult> {
    try {
      return await link.call(call);
    } catch (error) {
      if (link.sentTooMuch) throw tooMuch(error);
      if (!isAnswer(error)) watch.doubt();
      throw error;
    }
  }

  private async whenLinked(
    signal: AbortSignal,
  ): Promise<{ link: McpLink; watch: McpWatch }> {
    if (this.linked) return this.linked;
    this.waiting++;
    this.hasten?.();
    await this.change('linked', signal);
    this.waiting--;
    if (this.linked) return this.linked;
    throw unavailable();
  }

  /** Ends with the change, when the signal aborts, or when the time to connect is up. */
  private async change(
    name: 'attempted' | 'linked',
    ...signals: AbortSignal[]
  ): Promise<void> {
    const limit = AbortSignal.timeout(this.server.connectTimeoutMs);
    const signal = AbortSignal.any([limit, this.ending.signal, ...signals]);
    await once(this.changes, name, { signal }).catch(() => undefined);
  }

  private async stay(): Promise<void> {
    const { signal } = this.ending;
    for (let attempt = 0; !signal.aborted; attempt++) {
      const began = Date.now();
      await this.stayOnce();
      if (Date.now() - began > MOST_MS) attempt = 0;
      const most = this.waiting > 0 ? MOST_AWAITED_MS : MOST_MS;
      const ms = Math.min(FIRST_MS * 2 ** attempt, most);
      const hastened = new AbortController();
      this.hasten = () => hastened.abort();
      // Less up to a quarter, so that many processes do not come back at once.
      const rest = ms * (1 - Math.random() / 4);
      await pause(rest, AbortSignal.any([signal, hastened.signal]));
      this.hasten = undefined;
    }
  }

  /** One link, from the attempt to its end. */
  private async stayOnce(): Promise<void> {
    const trace = (said: unknown) => this.log.debug(said);
    const link: McpLink = new McpLink(this.server, {
      doubt: () => watch.doubt(),
      trace,
    });
    const watch = new McpWatch(link, this.onTools, trace);
    const end = () => void link.close();
    const { signal } = this.ending;
    signal.addEventListener('abort', end);
    void link.closed.then(() => signal.removeEventListener('abort', end));
    try {
      await link.open();
      await watch.look();
      this.current = { link, watch };
      this.tell('linked');
      if (link.tellsListeners) void watch.listen();
      this.changes.emit('linked');
      this.changes.emit('attempted');
      if (!link.gone.aborted) await once(link.gone, 'abort');
      this.tell('lost', link.sentTooMuch ? 'MESSAGE_TOO_LARGE' : 'CLOSED');
    } catch (error) {
      this.log.debug(error);
      this.tell('away', codeOf(error));
      this.changes.emit('attempted');
    }
    if (!link.inUse) await link.close();
  }

  /** One line for an outage, not one for every attempt. */
  private tell(state: 'linked' | 'lost' | 'away', code?: string): void {
    const reachable = state === 'linked';
    if (reachable === this.reachable || this.ending.signal.aborted) return;
    this.reachable = reachable;
    if (reachable) this.log.log('is back');
    else if (state === 'lost') this.log.warn(`was lost (${code})`);
    else this.log.warn(`cannot be reached (${code})`);
  }
}
