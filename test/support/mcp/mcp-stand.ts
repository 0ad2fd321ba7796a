import { Logger, type LoggerService, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConfigModule } from '../../../src/config/config.module';
import { loadConfig } from '../../../src/config/load-config';
import type { McpServerConfig } from '../../../src/config/files/mcp-file';
import { START } from '../../../src/tools/mcp-client/mcp-connection';
import { McpModule } from '../../../src/tools/mcp-client/mcp.module';
import { McpServers } from '../../../src/tools/mcp-client/mcp-servers';
import type { Tool, ToolContext } from '../../../src/tools/tool';
import { ToolError } from '../../../src/tools/tool-error';
import { ToolRegistry } from '../../../src/tools/tool-registry';
import { ToolResult } from '../../../src/tools/tool-result';
import { ToolsModule } from '../../../src/tools/tools.module';

// A healthy server may need long on a busy machine.
START.waitMs = 120_000;

const COMMON = { name: 'here', timeoutMs: 60_000, connectTimeoutMs: 20_000 };

export function program(
  command: string,
  args: string[],
  more: object = {},
): McpServerConfig {
  return { ...COMMON, kind: 'stdio', command, args, env: {}, ...more };
}

export function endpoint(url: string, more: object = {}): McpServerConfig {
  return { ...COMMON, kind: 'http', url, headers: {}, ...more };
}

export interface Progress {
  detail: string;
  progress?: number;
  total?: number;
}

/** An application with the tools of MCP servers and nothing else, and its log lines at info and above. */
export class McpStand {
  readonly lines: string[] = [];
  private stop: () => Promise<void> = () => Promise.resolve();
  servers!: McpServers;
  private registry!: ToolRegistry;

  static async start(...servers: McpServerConfig[]): Promise<McpStand> {
    const stand = new McpStand();
    const mcp = { servers };
    const config = Object.assign({}, loadConfig({}), { mcp });
    Module({
      imports: [
        ConfigModule.forRoot(config),
        ToolsModule,
        McpModule.forWorker(),
      ],
    })(McpApplication);
    const app = await NestFactory.createApplicationContext(McpApplication, {
      logger: stand.logger(),
    });
    stand.servers = app.get(McpServers);
    stand.registry = app.get(ToolRegistry, { strict: false });
    stand.stop = () => app.close();
    return stand;
  }

  get names(): string[] {
    return this.registry.list().map(({ name }) => name);
  }

  tool(name: string): Tool {
    const tool = this.registry.find(name);
    if (!tool) throw new Error(`There is only ${this.names.join(', ')}`);
    return tool;
  }

  whenFound(name: string): Promise<Tool | undefined> {
    return this.registry.whenFound(name, new AbortController().signal);
  }

  /** The parts of the result, or the reported failure. */
  async run(
    name: string,
    args: Record<string, unknown> = {},
    given: { signal?: AbortSignal; progress?: (step: Progress) => void } = {},
  ): Promise<unknown> {
    const context: ToolContext = {
      invocationId: 'tool_1',
      signal: given.signal ?? new AbortController().signal,
      progress: (detail, of) => given.progress?.({ detail, ...of }),
    };
    try {
      const returned = await this.tool(name).run!(args, context);
      return returned instanceof ToolResult ? returned.contents : returned;
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return { code: error.code, message: error.message };
    }
  }

  async close(): Promise<void> {
    await this.stop();
    Logger.overrideLogger(false);
  }

  private logger(): LoggerService {
    const keep = (message: unknown) => void this.lines.push(String(message));
    const drop = () => undefined;
    return { log: keep, warn: keep, error: keep, fatal: keep, debug: drop };
  }
}

class McpApplication {}
