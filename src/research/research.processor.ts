import { Injectable } from '@nestjs/common';
import type { Job } from 'bullmq';
import { AppConfig } from '../config/config';
import type { HeldRun } from '../tool-invocations/held-run';
import { HeldRuns } from '../tool-invocations/held-runs';
import { InvocationEndings } from '../tool-invocations/invocation.endings';
import {
  type Admittance,
  InvocationProcessor,
  type Outcome,
} from '../tool-invocations/invocation.processor';
import {
  type InvocationJob,
  JOB_PRIORITY,
} from '../tool-invocations/invocation.queue';
import { InvocationReader } from '../tool-invocations/invocation.reader';
import {
  type Claim,
  type Finish,
  InvocationStore,
} from '../tool-invocations/invocation.store';
import { Line } from './line';
import { ResearchEngine } from './research.engine';
import { TwoPhases } from './two.phases';
import { describeLine } from './wait';

/** Carries out research. Its options come from the configuration, see ResearchModule. */
@Injectable()
export class ResearchProcessor extends InvocationProcessor {
  constructor(
    private readonly records: InvocationStore,
    reader: InvocationReader,
    endings: InvocationEndings,
    held: HeldRuns,
    private readonly line: Line,
    private readonly phases: TwoPhases,
    private readonly engine: ResearchEngine,
    private readonly config: AppConfig,
  ) {
    super(records, reader, endings, held);
  }

  protected async admit(
    id: string,
    { opts }: Job<InvocationJob>,
  ): Promise<Admittance> {
    const { timeoutMs } = this.config.research;
    if (await this.phases.isIdle(id)) return { timeLimitMs: timeoutMs };
    const rank = opts.priority ?? JOB_PRIORITY.normal;
    const place = await this.line.enter(id, rank);
    if (place === 'in') return { timeLimitMs: timeoutMs };
    await this.records.noteWait(id, describeLine(place.before));
    return place;
  }

  protected run(claim: Claim, run: HeldRun): Promise<Outcome> {
    return this.engine.run(claim, run);
  }

  protected abandon(claim: Claim): Promise<Finish> {
    return this.engine.abandon(claim);
  }
}
