import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { AppConfig } from '../../config/config';
import type { McpServerConfig } from '../../config/files/mcp-file';
import { ToolRegistry } from '../tool-registry';
import { McpConnection } from './mcp-connection';
import { McpToolbox, prefixOf } from './mcp-toolbox';

export interface McpServerState {
  name: string;
  connected: boolean;
  /** Its callable tools, including those of a server that is unavailable now. */
  tools: number;
}

interface Server {
  name: string;
  connection: McpConnection;
  toolbox: McpToolbox;
}

/** The configured servers. Their tools are registered after the first connect. */
@Injectable()
export class McpServers
  implements OnApplicationBootstrap, OnApplicationShutdown
{
  private readonly servers: Server[];

  constructor({ mcp }: AppConfig, registry: ToolRegistry) {
    this.servers = mcp.servers.map((server) => assemble(server, registry));
  }

  /** After the built-in tools, which have precedence for names, and before the first request. */
  async onApplicationBootstrap(): Promise<void> {
    await Promise.all(this.servers.map(({ connection }) => connection.start()));
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.servers.map(({ connection }) => connection.close()));
  }

  states(): McpServerState[] {
    return this.servers.map(({ name, connection, toolbox }) => ({
      name,
      connected: connection.connected,
      tools: toolbox.size,
    }));
  }
}

function assemble(server: McpServerConfig, registry: ToolRegistry): Server {
  const connection: McpConnection = new McpConnection(server, (entries) =>
    toolbox.replace(entries),
  );
  const toolbox = new McpToolbox(server, connection, registry);
  registry.addSource({
    prefix: prefixOf(server.name),
    listed: (signal) => connection.listed(signal),
  });
  return { name: server.name, connection, toolbox };
}
