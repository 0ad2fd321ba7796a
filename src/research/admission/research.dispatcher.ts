import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { type RunJob, JOB_PRIORITY } from '../../runs/queue/run.queue';
import { RunDispatcher } from '../../runs/queue/run.dispatcher';
import type { Priority } from '../../tools/tool';
import { AdmissionStore } from './admission.store';
import { RESEARCH_JOB, RESEARCH_QUEUE } from '../research.queue';

/** Brings research to its workers; who has to wait for a place stands in the line. */
@Injectable()
export class ResearchDispatcher extends RunDispatcher {
  constructor(
    @InjectQueue(RESEARCH_QUEUE) queue: Queue<RunJob>,
    private readonly admission: AdmissionStore,
  ) {
    super(queue, RESEARCH_JOB);
  }

  override async start(
    invocationId: string,
    priority: Priority,
  ): Promise<number | null> {
    const rank = JOB_PRIORITY[priority];
    const position = await this.admission.join(invocationId, rank);
    await super.start(invocationId, priority);
    return position;
  }

  override queuePosition(invocationId: string): Promise<number | null> {
    return this.admission.position(invocationId);
  }
}
