import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/config';
import { covers } from '../config/name-pattern';
import { AppError } from '../platform/errors';
import type { Tool } from './tool';

/** Names of chat records, and of the tool that asks the user. */
const RESERVED = new Set(['chat', 'ask_user']);

/** A source whose tools are registered after the start. */
export interface LateSource {
  /** The beginning of the names of all its tools. */
  prefix: string;
  /** Resolves when they are registered, a signal aborts, or they cannot be had in time. Never rejects. */
  listed(signal: AbortSignal): Promise<void>;
}

/** The registered tools, by name. Those of MCP servers are added and removed at runtime. */
@Injectable()
export class ToolRegistry {
  private readonly tools = new Map<string, Tool>();
  private readonly sources: LateSource[] = [];
  private callables: readonly Tool[] = [];

  constructor(private readonly config: AppConfig) {}

  /** @throws Error with one sentence that names the tool and the remedy. */
  register(tool: Tool): void {
    if (RESERVED.has(tool.name)) {
      throw new Error(
        `No tool can be named "${tool.name}", which is reserved for chats: rename it.`,
      );
    }
    if (this.tools.has(tool.name)) {
      throw new Error(
        `Two tools are named "${tool.name}": rename one of them.`,
      );
    }
    this.tools.set(tool.name, tool);
    this.changed();
  }

  unregister(name: string): void {
    this.tools.delete(name);
    this.changed();
  }

  /** The names of all tools that operators can disable. */
  get names(): string[] {
    return [...this.tools.values()]
      .filter(({ internal }) => !internal)
      .map(({ name }) => name);
  }

  /** Whether the operator has documents, which every request may search. */
  get hasDocuments(): boolean {
    return this.config.documents.folder !== undefined;
  }

  /** The tools that callers and models can call. */
  list(): readonly Tool[] {
    return this.callables;
  }

  /** Also finds disabled and internal tools: an invocation may still be in progress. */
  find(name: string): Tool | undefined {
    return this.tools.get(name);
  }

  addSource(source: LateSource): void {
    this.sources.push(source);
  }

  /** As `find`; a tool that is not there yet is waited for where its source may still bring it. */
  async whenFound(
    name: string,
    signal: AbortSignal,
  ): Promise<Tool | undefined> {
    const source = this.sources.find(({ prefix }) => name.startsWith(prefix));
    if (source && !this.tools.has(name)) await source.listed(signal);
    return this.find(name);
  }

  /** A tool that callers and models can call. */
  callable(name: string): Tool | undefined {
    const tool = this.tools.get(name);
    return tool && this.isEnabled(tool) ? tool : undefined;
  }

  /** @throws AppError `unknown_tool`, which lists the tools that can be called. */
  get(name: string): Tool {
    const tool = this.callable(name);
    if (tool) return tool;
    const names = this.list().map((one) => one.name);
    const message =
      names.length === 0
        ? 'There are no tools.'
        : `There is no tool of this name. There is: ${names.join(', ')}.`;
    throw new AppError('unknown_tool', message, {
      errors: [{ path: 'tool_name', message }],
    });
  }

  private changed(): void {
    const all = [...this.tools.values()];
    this.callables = all.filter((tool) => this.isEnabled(tool));
  }

  private isEnabled({ name, internal }: Tool): boolean {
    if (internal) return false;
    return !this.config.tools.off.some((pattern) => covers(pattern, name));
  }
}
