import { Injectable } from '@nestjs/common';
import { isFinal } from '../../../runs/record/run';
import { RunsService } from '../../../runs/runs.service';
import type { McpTool } from '../mcp-call';
import { invalid, RunAccess } from '../run-access';
import { runResult } from './run-result';
import { RunWaits } from '../run-waits';
import { definition, ofOneRun } from './tool-schemas';

/** In seconds: below the time limits that clients have. */
const MAX_WAIT = 50;
const READS = { readOnlyHint: true, idempotentHint: true };

/** Tools that work on one run of their caller, at whatever door it was begun. */
@Injectable()
export class RunTools {
  constructor(
    private readonly runs: RunsService,
    private readonly access: RunAccess,
    private readonly waits: RunWaits,
  ) {}

  list(): McpTool[] {
    return [this.status(), this.result(), this.cancel()];
  }

  private status(): McpTool {
    return {
      definition: definition(
        'research_status',
        'State of a run',
        'Returns the state of a run without its report. With wait_seconds it waits that long for the end.',
        ofOneRun({
          wait_seconds: { type: 'number', minimum: 0, maximum: MAX_WAIT },
        }),
        READS,
      ),
      needs: { route: 'read' },
      call: async ({ wait_seconds: seconds = 0, ...args }, call) => {
        if (
          typeof seconds !== 'number' ||
          !(seconds >= 0 && seconds <= MAX_WAIT)
        )
          throw invalid('wait_seconds', `must be 0 to ${MAX_WAIT}`);
        const record = await this.access.named(args, call.caller);
        if (seconds === 0) return runResult(record, call, false);
        await this.waits.admit(call);
        const later = await this.waits.wait(record, call, seconds * 1_000);
        return runResult(later, call, false);
      },
    };
  }

  private result(): McpTool {
    return {
      definition: definition(
        'research_result',
        'Result of a run',
        'Returns the report of a run, or its state while it has none.',
        ofOneRun(),
        READS,
      ),
      needs: { route: 'read' },
      call: async (args, call) =>
        runResult(await this.access.named(args, call.caller), call),
    };
  }

  private cancel(): McpTool {
    return {
      definition: definition(
        'research_cancel',
        'Cancel a run',
        'Stops a run and its work at the model endpoint, for everyone who waits for it. One that has ended stays as it is.',
        ofOneRun(),
        { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
      ),
      needs: { route: 'tools' },
      call: async (args, call) => {
        const record = await this.access.named(args, call.caller);
        const ended = isFinal(record.status)
          ? record
          : await this.runs.cancel(record);
        const result = runResult(ended, call, false);
        if (isFinal(ended.status)) return result;
        const text = `The run ${record.id} is being stopped; research_status with wait_seconds waits for its end.`;
        return { ...result, content: [{ type: 'text', text }] };
      },
    };
  }
}
