import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { RunsHttpModule } from '../../runs/http/runs-http.module';
import { CallerAccessModule } from '../../platform/auth/caller-access.module';
import { CallerRunsListing } from '../../runs/submit/caller-runs-listing';
import { ToolsModule } from '../../tools/tools.module';
import { ChatTools } from './tools/chat-tools';
import { DocumentTools } from './tools/document-tools';
import { JoinedCalls } from './joined-calls';
import { McpController } from './mcp.controller';
import { McpEndpoint } from './mcp-endpoint';
import { McpResources } from './mcp-resources';
import { McpTools } from './tools/mcp-tools';
import { ResearchTools } from './tools/research-tools';
import { RunAccess } from './run-access';
import { RunTools } from './tools/run-tools';
import { RunWaits } from './run-waits';

/** Serves the Model Context Protocol. Of API processes. */
@Module({})
export class McpServerModule {
  /** @param chats exports `McpChat`. */
  static with(chats: Type): DynamicModule {
    return {
      module: McpServerModule,
      imports: [chats, CallerAccessModule, RunsHttpModule, ToolsModule],
      controllers: [McpController],
      providers: [
        CallerRunsListing,
        ChatTools,
        DocumentTools,
        JoinedCalls,
        McpEndpoint,
        McpResources,
        McpTools,
        ResearchTools,
        RunAccess,
        RunTools,
        RunWaits,
      ],
    };
  }
}
