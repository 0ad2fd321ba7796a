import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/config';
import { covers } from '../config/name-pattern';
import { AppError } from '../errors';
import type { Tool } from './tool';

/** Of the records of chats, and of what a model asks the user with. */
const RESERVED = new Set(['chat', 'ask_user']);

/** The tools there are, by name. They come and go with the servers that offer them. */
@Injectable()
export class ToolRegistry {
  private readonly tools = new Map<string, Tool>();
  private callables: readonly Tool[] = [];

  constructor(private readonly config: AppConfig) {}

  /** @throws Error with a sentence that names the tool and the mend. */
  register(tool: Tool): void {
    if (RESERVED.has(tool.name)) {
      throw new Error(
        `No tool can be named "${tool.name}", which chats use themselves: rename it.`,
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

  /** Of all tools that operators can switch off. */
  get names(): string[] {
    return [...this.tools.values()]
      .filter(({ internal }) => !internal)
      .map(({ name }) => name);
  }

  /** Those that callers and models can call. */
  list(): readonly Tool[] {
    return this.callables;
  }

  /** Also what is switched off or not for callers: an invocation of it may still be on its way. */
  find(name: string): Tool | undefined {
    return this.tools.get(name);
  }

  /** One that callers and models can call. */
  callable(name: string): Tool | undefined {
    const tool = this.tools.get(name);
    return tool && this.isOn(tool) ? tool : undefined;
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
    this.callables = all.filter((tool) => this.isOn(tool));
  }

  private isOn({ name, internal }: Tool): boolean {
    if (internal) return false;
    return !this.config.tools.off.some((pattern) => covers(pattern, name));
  }
}
