import { type DynamicModule, Module } from '@nestjs/common';
import { ToolsModule } from '../tools.module';
import { McpHealth } from './mcp-health';
import { McpServers } from './mcp-servers';

/** The tools of MCP servers. API processes connect as well, since only the servers know their tools. */
@Module({})
export class McpModule {
  static forApi(): DynamicModule {
    return {
      module: McpModule,
      imports: [ToolsModule],
      providers: [McpServers, McpHealth],
    };
  }

  static forWorker(): DynamicModule {
    return {
      module: McpModule,
      imports: [ToolsModule],
      providers: [McpServers],
    };
  }
}
