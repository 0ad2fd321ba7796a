import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { AppConfig } from '../config/config';
import { ModelChoice } from '../llm/models/model.choice';
import { RedisConnections } from '../redis/redis-connections';
import { AdmissionStore } from '../runs/admission/admission.store';
import { WaitingList } from '../runs/admission/waiting-list';
import { RunDispatcher } from '../runs/queue/run.dispatcher';
import type { RunJob } from '../runs/queue/run.queue';
import { type Attachments, RunKinds } from '../runs/run.kinds';
import type { FieldsOf, RunField } from '../runs/record/run.fields';
import type { HostedField } from './hosted/hosted-run.fields';
import { parentRunOf, publicPhaseOf } from './hosted/two-phase/public-phase';
import { RESEARCH_JOB, RESEARCH_QUEUE } from './research.queue';

/** Research has a queue of its own, and one model runs only so much of it at once. */
@Injectable()
export class ResearchKind implements OnModuleInit {
  readonly admission: AdmissionStore;
  readonly waitingList: WaitingList;
  private readonly dispatcher: RunDispatcher;

  constructor(
    @InjectQueue(RESEARCH_QUEUE) queue: Queue<RunJob>,
    connections: RedisConnections,
    models: ModelChoice,
    private readonly kinds: RunKinds,
    { research: { modelLimits } }: AppConfig,
  ) {
    this.admission = new AdmissionStore(connections, {
      tag: 'admission',
      limitOf: (model) =>
        Number(modelLimits.get(model) ?? modelLimits.get('*') ?? 0),
    });
    this.dispatcher = new RunDispatcher(queue, RESEARCH_JOB, this.admission);
    this.waitingList = new WaitingList(
      this.admission,
      this.dispatcher,
      async () => (await models.known()).research[0],
    );
  }

  onModuleInit(): void {
    this.kinds.register({
      name: RESEARCH_JOB,
      dispatcher: this.dispatcher,
      settle: (id) => this.settle(id),
      leftovers: () => this.admission.everyone(),
      purge: attachmentsOf,
    });
  }

  /** Frees its place, and promotes the research that waits for it if it is a public phase. */
  private async settle(id: string): Promise<void> {
    const parent = parentRunOf(id);
    await Promise.all([
      this.waitingList.leave(id),
      parent && this.dispatcher.promote(parent),
    ]);
  }
}

function attachmentsOf(
  id: string,
  { upstream_id, phase }: FieldsOf<HostedField | RunField>,
): Attachments {
  return {
    responses: upstream_id ? [upstream_id] : [],
    runs: phase ? [publicPhaseOf(id)] : [],
  };
}
