import {
  Injectable,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { AppConfig } from '../config/config';
import { forwardedIn, withForwarded } from '../llm/upstream/forwarded.headers';
import type { Claim, Finish } from '../runs/record/run.claim';
import { RunStore } from '../runs/record/run.store';
import type { ActiveRun } from '../runs/worker/active-run';
import type { Admittance, RunHandler } from '../runs/worker/run.handler';
import type { Outcome } from '../runs/worker/run.outcome';
import { RunWorker } from '../runs/worker/run.worker';
import type { HostedField } from './hosted/hosted-run.fields';
import { HostedRunner } from './hosted/hosted.runner';
import { TwoPhase } from './hosted/two-phase/two-phase';
import { queuedDetail } from './hosted/progress-steps';
import { ResearchKind } from './research.kind';
import { RESEARCH_JOB } from './research.queue';

/** Carries out research. */
@Injectable()
export class ResearchHandler
  implements RunHandler, OnModuleInit, OnApplicationShutdown
{
  private watch?: NodeJS.Timeout;

  constructor(
    private readonly worker: RunWorker,
    private readonly store: RunStore,
    private readonly kind: ResearchKind,
    private readonly phases: TwoPhase,
    private readonly runner: HostedRunner,
    private readonly config: AppConfig,
  ) {}

  onModuleInit(): void {
    const { concurrency, modelLimits } = this.config.research;
    this.worker.register(RESEARCH_JOB, this, concurrency);
    if (modelLimits.size > 0) this.watch = this.kind.waitingList.watch();
  }

  onApplicationShutdown(): void {
    clearInterval(this.watch);
  }

  async admit(id: string, rank: number): Promise<Admittance> {
    const { timeoutMs } = this.config.research;
    if (await this.phases.isIdle(id)) return { timeLimitMs: timeoutMs };
    const entry = await this.kind.waitingList.enter(id, rank);
    if (entry === 'in') return { timeLimitMs: timeoutMs };
    await this.store.noteWait(id, queuedDetail(entry.ahead));
    return entry;
  }

  run(claim: Claim<HostedField>, run: ActiveRun): Promise<Outcome> {
    const forwarded = forwardedIn(claim.fields);
    return withForwarded(forwarded, () => this.runner.run(claim, run));
  }

  abandon(claim: Claim<HostedField>): Promise<Finish> {
    return this.runner.abandon(claim);
  }
}
