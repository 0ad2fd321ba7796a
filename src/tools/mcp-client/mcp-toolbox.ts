import { Logger } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { McpServerConfig } from '../../config/files/mcp-file';
import type { ToolRegistry } from '../tool-registry';
import type { McpConnection } from './mcp-connection';
import { nameOf, parseDefinition } from './mcp-definitions';
import { KnownDefinitions } from './mcp-known';
import { McpTool } from './mcp.tool';

const MAX_NAME = 64;
const HASH_LENGTH = 8;

/** Registers the tools of one server. They stay registered while the server is unavailable. */
export class McpToolbox {
  private readonly log: Logger;
  private readonly names = new Set<string>();
  private readonly warned = new Set<string>();
  private readonly known = new KnownDefinitions();

  constructor(
    private readonly server: McpServerConfig,
    private readonly connection: McpConnection,
    private readonly registry: ToolRegistry,
  ) {
    this.log = new Logger(`MCP ${server.name}`);
  }

  get size(): number {
    return this.names.size;
  }

  /** Replaces the tools by those of a new list. An invalid entry affects only itself. Never throws. */
  replace(entries: readonly unknown[]): void {
    const before = [...this.names].join();
    for (const name of this.names) this.registry.unregister(name);
    this.names.clear();
    const { tools } = this.server;
    const allowed = entries.filter((entry) => {
      return !tools || tools.includes(nameOf(entry));
    });
    for (const entry of allowed) this.add(entry);
    if ([...this.names].join() !== before) {
      this.log.log(`has ${this.size} tools`);
    }
  }

  private add(entry: unknown): void {
    try {
      const definition = parseDefinition(entry);
      const name = nameFor(this.server.name, definition.name);
      const changed = this.known.isChanged(definition);
      const { server, connection } = this;
      const tool = new McpTool(name, definition, server, connection, changed);
      this.registry.register(tool);
      this.names.add(name);
      if (changed) this.warnChanged(definition.name);
    } catch (fault) {
      this.warnOnce(nameOf(entry), fault as Error);
    }
  }

  private warnOnce(name: string, fault: Error): void {
    this.once(`Skipped the tool "${name}"`, `: ${fault.message}`);
  }

  private warnChanged(name: string): void {
    const change = `The tool "${name.slice(0, 128)}" has changed`;
    this.once(change, ': its calls need approval until the next start');
  }

  private once(what: string, more: string): void {
    if (this.warned.has(what) || this.warned.size > 1_000) return;
    this.warned.add(what);
    this.log.warn(what + more);
  }
}

/** With which the names of all tools of a server begin. */
export function prefixOf(server: string): string {
  return nameFor(server, '').slice(0, MAX_NAME - HASH_LENGTH - 1);
}

/** `server__tool`, in the characters that model endpoints accept; a longer name ends with a hash of the whole. */
export function nameFor(server: string, tool: string): string {
  const whole = `${server}__${tool}`;
  const name = whole.replace(/[^a-zA-Z0-9_-]/g, '_');
  if (name.length <= MAX_NAME) return name;
  const hash = createHash('sha256').update(whole).digest('hex');
  return `${name.slice(0, MAX_NAME - HASH_LENGTH - 1)}_${hash.slice(0, HASH_LENGTH)}`;
}
