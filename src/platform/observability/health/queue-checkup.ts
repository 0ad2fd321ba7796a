import type { Queue } from 'bullmq';
import type { Checkup, Finding } from '../../redis/checkup.types';

const PAGE = 200;

/** Checks that the queues have workers and deliver. */
export class QueueCheckup implements Checkup {
  readonly title = 'Queues';

  constructor(
    private readonly queues: {
      /** Queues that make no progress without a worker. */
      work: Queue[];
      /** Queues whose failed jobs wait for an operator. */
      deadLetters: Queue[];
    },
  ) {
    for (const queue of [...queues.work, ...queues.deadLetters])
      // The caller gets the error; without a listener BullMQ prints it as well, with the address.
      queue.on('error', () => undefined);
  }

  async *look(): AsyncGenerator<Finding> {
    const { work, deadLetters } = this.queues;
    for (const queue of work)
      if ((await queue.getWorkersCount()) === 0)
        yield { problem: 'No worker is connected to it', id: queue.name };
    for (const queue of [...work, ...deadLetters])
      if (await queue.isPaused())
        yield {
          problem: 'Paused',
          id: queue.name,
          fix: () => queue.resume(),
        };
    for (const queue of deadLetters) yield* failedOf(queue);
  }
}

async function* failedOf(queue: Queue): AsyncGenerator<Finding> {
  for (let start = 0; ; start += PAGE) {
    const jobs = await queue.getFailed(start, start + PAGE - 1);
    for (const { id } of jobs)
      yield {
        problem: `Failed for good in "${queue.name}" (retry on the dashboard)`,
        id,
      };
    if (jobs.length < PAGE) return;
  }
}
