import { Injectable } from '@nestjs/common';
import { AppError } from '../errors';
import type { Tool } from './tool';

/** The tools that are on, by name. */
@Injectable()
export class ToolRegistry {
  private readonly tools = new Map<string, Tool>();

  register(tool: Tool): void {
    if (this.tools.has(tool.name)) {
      throw new Error(
        `Two tools are named "${tool.name}": rename one of them.`,
      );
    }
    this.tools.set(tool.name, tool);
  }

  list(): Tool[] {
    return [...this.tools.values()];
  }

  find(name: string): Tool | undefined {
    return this.tools.get(name);
  }

  /** @throws AppError `unknown_tool`, which lists the tools that exist. */
  get(name: string): Tool {
    const tool = this.tools.get(name);
    if (tool) return tool;
    const names = [...this.tools.keys()].join(', ');
    const message = `There is no tool of this name. There is: ${names}.`;
    throw new AppError('unknown_tool', message, {
      errors: [{ path: 'tool_name', message }],
    });
  }
}
