import { Injectable } from '@nestjs/common';
import type { Mode } from '../../../runs/record/run';
import type { RunRecord } from '../../../runs/record/run-record';
import { RunsService } from '../../../runs/runs.service';
import { ToolRegistry } from '../../../tools/tool-registry';
import { JoinedCalls } from '../joined-calls';
import type { Arguments, McpCall, McpTool } from '../mcp-call';
import { runResult } from './run-result';
import { RunWaits } from '../run-waits';
import { definition, repeatable } from './tool-schemas';

const TOOL = 'deep_research';
const AGAIN =
  'The same arguments join the run that is unfinished or succeeded in the last 15 minutes, so a repeated call buys nothing ' +
  'again; another idempotency_key begins another run. Only research_cancel stops a run.';
/** A run costs money, so hosts may ask before each. */
const HINTS = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

/** Tools that begin research. */
@Injectable()
export class ResearchTools {
  constructor(
    private readonly runs: RunsService,
    private readonly joined: JoinedCalls,
    private readonly waits: RunWaits,
    private readonly registry: ToolRegistry,
  ) {}

  list(): McpTool[] {
    const tool = this.registry.callable(TOOL);
    if (!tool) return [];
    const schema = repeatable(tool.parameters);
    const needs = { tool: TOOL };
    return [
      {
        definition: definition(
          'research',
          'Research a question',
          `Researches a question for minutes and returns a cited report. If the client stops waiting, the run goes on. ${AGAIN}`,
          schema,
          HINTS,
        ),
        needs,
        call: async (args, call) => {
          await this.waits.admit(call);
          const record = await this.submit(args, call, 'foreground');
          return runResult(await this.waits.wait(record, call), call);
        },
      },
      {
        definition: definition(
          'research_start',
          'Begin research',
          `Begins research and returns its invocation_id at once, for research_status and research_result. ${AGAIN}`,
          schema,
          HINTS,
        ),
        needs,
        call: async (args, call) =>
          runResult(await this.submit(args, call, 'background'), call, false),
      },
    ];
  }

  private submit(
    given: Arguments,
    { caller, requestId, forwarded }: McpCall,
    mode: Mode,
  ): Promise<RunRecord> {
    return this.joined.submit(caller, TOOL, given, (args, key) =>
      this.runs.submit({
        tool: TOOL,
        arguments: args,
        mode,
        caller,
        requestId,
        forwarded,
        // As a request of the REST API has it.
        idempotency: { key, body: { tool_name: TOOL, arguments: args } },
      }),
    );
  }
}
