import { Injectable } from '@nestjs/common';
import type { Job } from 'bullmq';
import { AppConfig } from '../config/config';
import { forwardedIn, withForwarded } from '../llm/upstream/forwarded.headers';
import type { ActiveRun } from '../runs/worker/active-run';
import { ActiveRuns } from '../runs/worker/active-runs';
import { EndListeners } from '../runs/upkeep/end-listeners';
import {
  type Admittance,
  RunProcessor,
  type Outcome,
} from '../runs/worker/run.processor';
import { type RunJob, JOB_PRIORITY } from '../runs/queue/run.queue';
import { RunReader } from '../runs/record/run.reader';
import { type Claim, type Finish, RunStore } from '../runs/record/run.store';
import { WaitingList } from './admission/waiting-list';
import { HostedRunner } from './hosted/hosted.runner';
import { TwoPhase } from './hosted/two-phase/two-phase';
import { describeLine } from './hosted/wait';

/** Carries out research. Its options come from the configuration, see ResearchModule. */
@Injectable()
export class ResearchProcessor extends RunProcessor {
  constructor(
    private readonly records: RunStore,
    reader: RunReader,
    endings: EndListeners,
    held: ActiveRuns,
    private readonly line: WaitingList,
    private readonly phases: TwoPhase,
    private readonly engine: HostedRunner,
    private readonly config: AppConfig,
  ) {
    super(records, reader, endings, held);
  }

  protected async admit(
    id: string,
    { opts }: Job<RunJob>,
  ): Promise<Admittance> {
    const { timeoutMs } = this.config.research;
    if (await this.phases.isIdle(id)) return { timeLimitMs: timeoutMs };
    const rank = opts.priority ?? JOB_PRIORITY.normal;
    const place = await this.line.enter(id, rank);
    if (place === 'in') return { timeLimitMs: timeoutMs };
    await this.records.noteWait(id, describeLine(place.before));
    return place;
  }

  protected run(claim: Claim, run: ActiveRun): Promise<Outcome> {
    const forwarded = forwardedIn(claim.fields);
    return withForwarded(forwarded, () => this.engine.run(claim, run));
  }

  protected abandon(claim: Claim): Promise<Finish> {
    return this.engine.abandon(claim);
  }
}
