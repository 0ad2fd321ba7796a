import { Queue } from 'bullmq';
import { QUEUE_PREFIX } from '../../../src/app/queue-options';
import {
  RESEARCH_JOB,
  RESEARCH_QUEUE,
} from '../../../src/research/research-queue';
import type { TestRedis } from '../../support/redis/redis';

/** Delivers invocations again, as other jobs. While Redis rejects writes, the delivery is skipped. */
export async function redeliver(
  redis: TestRedis,
  ids: string[],
  name: string,
): Promise<void> {
  const connection = redis.connect();
  const queue = new Queue(RESEARCH_QUEUE, { connection, prefix: QUEUE_PREFIX });
  queue.on('error', () => undefined);
  const jobs = ids.map((id) => ({
    name: RESEARCH_JOB,
    data: { invocation_id: id },
    opts: {
      jobId: `${name}-${id}`,
      removeOnComplete: true,
      removeOnFail: true,
    },
  }));
  await queue.addBulk(jobs).catch(() => []);
  await queue.close();
  connection.disconnect();
}
