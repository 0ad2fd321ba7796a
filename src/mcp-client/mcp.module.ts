import { type DynamicModule, Module } from '@nestjs/common';
import { ToolsModule } from '../tools/tools.module';
import { McpHealth } from './mcp.health';
import { McpServers } from './mcp.servers';

/** Tools of other servers. Processes that only list them connect as well: who else knows what there is. */
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
