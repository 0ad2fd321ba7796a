import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import type { Checkup, Finding } from '../redis/checkup';
import { InvocationReader } from '../tool-invocations/invocation.reader';
import { Admission } from './admission';
import { RESEARCH_QUEUE, type ResearchJob } from './research.queue';
import { ResearchTool } from './research.tool';

/** Whether deliveries and places are where the records need them. */
@Injectable()
export class ResearchCheckup implements Checkup {
  readonly title = 'Research';

  constructor(
    @InjectQueue(RESEARCH_QUEUE) private readonly queue: Queue<ResearchJob>,
    private readonly reader: InvocationReader,
    private readonly tool: ResearchTool,
    private readonly admission: Admission,
  ) {}

  async *look(): AsyncGenerator<Finding> {
    // No more than a thousand are kept, see JOB_OPTIONS.
    const jobs = await this.queue.getFailed();
    const ids = jobs.map(({ data }) => data.invocation_id);
    const states = await this.reader.states(ids);
    for (const [i, state] of states.entries())
      if (state.kind === 'waiting')
        yield {
          problem: 'Unfinished, but its delivery was given up',
          id: ids[i],
          mend: () => this.tool.revive(ids[i], state.priority),
        };
    for (const model of await this.admission.miscounted())
      yield {
        problem: 'The count of the admitted runs of a model is wrong',
        id: model,
        mend: () => this.admission.recount(),
      };
  }
}
