import type { Queue } from 'bullmq';
import { workersOf } from './workers-of';
import type { Checkup, Finding } from '../../redis/checkup.types';

const PAGE = 200;
const UNSEEN =
  'Workers are not checked: the user of REDIS_URL may not run CLIENT LIST';

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
    for (const queue of work) yield* workerFindings(queue);
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

async function* workerFindings(queue: Queue): AsyncGenerator<Finding> {
  const workers = await workersOf(queue);
  if (workers === 0)
    yield { problem: 'No worker is connected to it', id: queue.name };
  if (workers === undefined) yield { problem: UNSEEN };
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
