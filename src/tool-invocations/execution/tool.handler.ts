import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import type { Claim, Finish } from '../../runs/store/run-claim';
import { RunReader } from '../../runs/store/run-reader';
import type { ActiveRun } from '../../runs/worker/active-run';
import type { Admittance, RunHandler } from '../../runs/worker/run.handler';
import { ended, type Outcome } from '../../runs/worker/run-outcome';
import { RunWorker } from '../../runs/worker/run.worker';
import { ToolRegistry } from '../../tools/tool-registry';
import { ToolExecutor } from './tool-executor';
import { TOOL_QUEUE } from './tool-kind';

/** Injection token: names of the tools that are kinds of their own and still run as any tool does. */
export const TOOLS_WITH_QUEUE = Symbol('TOOLS_WITH_QUEUE');

/** How often a run looks for the server of its tool, which has not connected yet. */
const RETRY_MS = 500;

/** Carries out every tool that has no handler of its own. */
@Injectable()
export class ToolHandler implements RunHandler, OnModuleInit {
  constructor(
    private readonly worker: RunWorker,
    private readonly reader: RunReader,
    private readonly executor: ToolExecutor,
    private readonly registry: ToolRegistry,
    private readonly config: AppConfig,
    @Inject(TOOLS_WITH_QUEUE) private readonly others: readonly string[],
  ) {}

  onModuleInit(): void {
    for (const kind of [TOOL_QUEUE, ...this.others])
      this.worker.register(kind, this, this.config.tools.concurrency);
  }

  /** A run that was accepted for later begins when it is due. */
  async admit(id: string): Promise<Admittance> {
    const { tool, dueInMs, ageMs } = await this.reader.readPlan(id);
    if (dueInMs > 0) return { retryMs: dueInMs };
    const found = this.registry.find(tool);
    if (!found && ageMs < this.connectMs(tool)) return { retryMs: RETRY_MS };
    return { timeLimitMs: found?.timeoutMs ?? this.config.tools.timeoutMs };
  }

  run(claim: Claim, run: ActiveRun): Promise<Outcome> {
    return this.executor.run(claim, run);
  }

  abandon(): Promise<Finish> {
    return Promise.resolve(ended('failed', 'worker_crashed_repeatedly'));
  }

  /** The API process is connected to a server that this process may not have reached yet. */
  private connectMs(tool: string): number {
    const limits = this.config.mcp.servers
      .filter(({ name }) => tool.startsWith(`${name}__`))
      .map(({ connectTimeoutMs }) => connectTimeoutMs);
    return Math.max(0, ...limits);
  }
}
