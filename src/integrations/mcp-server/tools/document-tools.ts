import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../config/config';
import { RunsService } from '../../../runs/runs.service';
import { ToolRegistry } from '../../../tools/tool-registry';
import type { McpTool } from '../mcp-call';
import { runResult } from './run-result';
import { RunWaits } from '../run-waits';
import { definition } from './tool-schemas';

const TOOL = 'search_documents';

/** The operator's documents, where there are any. Their search is a run like any other, and buys nothing. */
@Injectable()
export class DocumentTools {
  constructor(
    private readonly config: AppConfig,
    private readonly runs: RunsService,
    private readonly waits: RunWaits,
    private readonly registry: ToolRegistry,
  ) {}

  list(): McpTool[] {
    const tool = this.registry.callable(TOOL);
    if (!tool || this.config.documents.folder === undefined) return [];
    return [
      {
        definition: definition(
          TOOL,
          'Search documents',
          tool.description,
          { ...tool.parameters, type: 'object' },
          tool.annotations,
        ),
        needs: { tool: TOOL },
        call: async (args, call) => {
          await this.waits.admit(call);
          const { caller, requestId } = call;
          const { record } = await this.runs.submit({
            tool: TOOL,
            arguments: args,
            mode: 'foreground',
            caller,
            requestId,
          });
          return runResult(await this.waits.wait(record, call), call);
        },
      },
    ];
  }
}
