import { Logger } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { McpServerConfig } from '../config/mcp-servers';
import type { ToolRegistry } from '../tools/tool.registry';
import type { McpConnection } from './mcp.connection';
import { nameOf, parseDefinition } from './mcp.definitions';
import { McpTool } from './mcp.tool';

const MAX_NAME = 64;
const HASH_LENGTH = 8;

/** The tools of one server among all others. They stay there while the server is away. */
export class McpToolbox {
  private readonly log: Logger;
  private readonly names = new Set<string>();
  private readonly warned = new Set<string>();

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

  /** What is not in the list is gone. A bad entry costs only itself. Never throws. */
  replace(entries: readonly unknown[]): void {
    const before = [...this.names].join();
    for (const name of this.names) this.registry.unregister(name);
    this.names.clear();
    const { tools } = this.server;
    const wanted = entries.filter((entry) => {
      return !tools || tools.includes(nameOf(entry));
    });
    for (const entry of wanted) this.add(entry);
    if ([...this.names].join() !== before) {
      this.log.log(`offers ${this.size} tools`);
    }
  }

  private add(entry: unknown): void {
    try {
      const definition = parseDefinition(entry);
      const name = nameFor(this.server.name, definition.name);
      const tool = new McpTool(name, definition, this.server, this.connection);
      this.registry.register(tool);
      this.names.add(name);
    } catch (fault) {
      this.warnOnce(nameOf(entry), fault as Error);
    }
  }

  private warnOnce(name: string, fault: Error): void {
    if (this.warned.has(name) || this.warned.size > 1_000) return;
    this.warned.add(name);
    this.log.warn(`Left out the tool "${name}": ${fault.message}`);
  }
}

/** `server__tool`, in the letters that models' endpoints take; with the hash of the whole in the place of what is too much. */
export function nameFor(server: string, tool: string): string {
  const whole = `${server}__${tool}`;
  const name = whole.replace(/[^a-zA-Z0-9_-]/g, '_');
  if (name.length <= MAX_NAME) return name;
  const hash = createHash('sha256').update(whole).digest('hex');
  return `${name.slice(0, MAX_NAME - HASH_LENGTH - 1)}_${hash.slice(0, HASH_LENGTH)}`;
}
