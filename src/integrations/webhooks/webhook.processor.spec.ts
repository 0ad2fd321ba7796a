import { type Job, Queue, WaitingError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { TestRedis } from '../../../test/support/redis/redis';
import type { AppConfig } from '../../config/config';
import type { WebhookClient } from './webhook.client';
import { WebhookProcessor } from './webhook.processor';
import { WEBHOOK_QUEUE, type WebhookJob } from './webhook-queue';
import type { WebhookStore } from './webhook.store';

const TOKEN = 'token';

describe(WebhookProcessor.name, () => {
  let redis: TestRedis;
  let connection: Redis;
  let queue: Queue<WebhookJob>;
  let worker: Worker<WebhookJob>;
  let processor: WebhookProcessor;
  const reads: string[] = [];

  beforeAll(async () => {
    redis = await TestRedis.start();
    connection = redis.connect();
    queue = new Queue(WEBHOOK_QUEUE, { connection });
    worker = new Worker(WEBHOOK_QUEUE, null, { connection, autorun: false });
    const store = {
      read: (id: string) => Promise.resolve(void reads.push(id)),
    };
    processor = new WebhookProcessor(
      store as unknown as WebhookStore,
      undefined as unknown as WebhookClient,
      undefined as unknown as AppConfig,
    );
    Object.assign(processor, { _worker: worker });
  });

  afterAll(async () => {
    await processor.beforeApplicationShutdown();
    await queue.close();
    connection.disconnect();
    await redis.stop();
  });

  const taken = async (id: string): Promise<Job<WebhookJob>> => {
    await queue.add('webhook', { invocation_id: id });
    return (await worker.getNextJob(TOKEN))!;
  };

  it('leaves a delivery that it is given during a shutdown to another worker', async () => {
    await processor.process(await taken('inv_1'), TOKEN);
    expect(reads).toEqual(['inv_1']);

    const job = await taken('inv_2');
    await processor.onModuleDestroy();
    await expect(processor.process(job, TOKEN)).rejects.toThrow(WaitingError);
    expect(await job.getState()).toBe('waiting');
    expect(reads).toEqual(['inv_1']);
  });
});
