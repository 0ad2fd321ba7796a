import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { ToolRegistry } from '../../tools/tool.registry';
import { ended } from '../../runs/worker/ended';
import type { ActiveRun } from '../../runs/worker/active-run';
import { ActiveRuns } from '../../runs/worker/active-runs';
import { EndListeners } from '../../runs/upkeep/end-listeners';
import {
  type Admittance,
  RunProcessor,
  type Outcome,
} from '../../runs/worker/run.processor';
import { RunReader } from '../../runs/record/run.reader';
import { type Claim, type Finish, RunStore } from '../../runs/record/run.store';
import { ToolExecutor } from './tool.executor';

/** How long the tool of a server that is on its way is waited for. */
const ABSENT_MS = 10_000;
const RETRY_MS = 500;

/** Carries out all tools that have no workers of their own. Its options come from the configuration, see ToolWorkerModule. */
@Injectable()
export class ToolProcessor
  extends RunProcessor
  implements OnApplicationBootstrap
{
  constructor(
    store: RunStore,
    private readonly records: RunReader,
    endings: EndListeners,
    held: ActiveRuns,
    private readonly engine: ToolExecutor,
    private readonly registry: ToolRegistry,
    private readonly config: AppConfig,
  ) {
    super(store, records, endings, held);
  }

  /** Not before all tools are there. */
  onApplicationBootstrap(): void {
    void this.worker.run();
  }

  /** One that was accepted for later begins when it is due. */
  protected async admit(id: string): Promise<Admittance> {
    const { tool, dueInMs, ageMs } = await this.records.readPlan(id);
    if (dueInMs > 0) return { retryMs: dueInMs };
    const found = this.registry.find(tool);
    if (!found && this.mayCome(tool) && ageMs < ABSENT_MS)
      return { retryMs: RETRY_MS };
    return { timeLimitMs: found?.timeoutMs ?? this.config.tools.timeoutMs };
  }

  /** The API has seen a server that this process has not found yet. */
  private mayCome(tool: string): boolean {
    return this.config.mcp.servers.some(({ name }) =>
      tool.startsWith(`${name}__`),
    );
  }

  protected run(claim: Claim, run: ActiveRun): Promise<Outcome> {
    return this.engine.run(claim, run);
  }

  protected abandon(): Promise<Finish> {
    return Promise.resolve(ended('failed', 'worker_crashed_repeatedly'));
  }
}
