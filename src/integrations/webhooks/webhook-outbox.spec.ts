import { Queue } from 'bullmq';
import { Invocations } from '../../../test/support/invocations';
import { TestRedis } from '../../../test/support/redis/redis';
import { QUEUE_PREFIX } from '../../app/queue-options';
import { WebhookOutbox } from './webhook-outbox';
import { WEBHOOK_QUEUE } from './webhook-queue';
import { WebhookStore } from './webhook.store';

const URL = 'https://hooks.example.com/?token=secret';

describe(WebhookOutbox.name, () => {
  let redis: TestRedis;
  let room: Invocations;
  let queue: Queue;
  let webhooks: WebhookStore;
  let outbox: WebhookOutbox;
  let id: string;
  let count = 0;

  beforeAll(async () => {
    redis = await TestRedis.start();
    room = new Invocations(redis);
    queue = new Queue(WEBHOOK_QUEUE, {
      connection: room.connections.commands,
      prefix: QUEUE_PREFIX,
    });
    webhooks = new WebhookStore(room.connections);
    outbox = new WebhookOutbox(queue, webhooks, room.endings);
    outbox.onModuleInit();
  });

  afterAll(async () => {
    await queue.close();
    room.connections.onApplicationShutdown();
    await redis.stop();
  });

  const create = async (webhook = URL): Promise<void> => {
    id = `inv_${(count += 1)}`;
    await room.unfinished.reserve(id);
    await room.store.create(id, {
      tool: 'deep_research',
      mode: 'background',
      webhook,
    });
  };
  const end = (): Promise<string> => room.store.cancel(id, { remove: false });
  const state = async (): Promise<string> => queue.getJobState(id);

  it('queues an ended run by its id only', async () => {
    await create();
    await end();
    await room.endings.settle(id);
    expect((await queue.getJob(id))?.data).toEqual({ invocation_id: id });
    expect(await redis.dump('{sonde}*')).not.toContain('example');
  });

  it('queues the run of a process that died right after its end', async () => {
    await create();
    await end();
    expect(await state()).toBe('unknown');
    await room.age(id);
    for await (const found of room.reconciler.find())
      await Promise.all(found.map((one) => room.reconciler.mend(one)));
    expect(await state()).toBe('waiting');
    expect(await room.indexed()).not.toContain(id);
  });

  it('queues an ended run once, however often it is settled', async () => {
    await create();
    await end();
    await Promise.all([room.endings.settle(id), room.endings.settle(id)]);
    const waiting = await queue.getJobs('waiting');
    expect(waiting.filter((job) => job.id === id)).toHaveLength(1);
    for (const status of ['delivered', 'failed'] as const) {
      await webhooks.update(id, status, 1);
      await queue.remove(id);
      await room.endings.settle(id);
      expect(await state()).toBe('unknown');
    }
  });

  it('ignores runs without a webhook, and runs in progress', async () => {
    await create();
    await room.endings.settle(id);
    expect(await state()).toBe('unknown');
    await create('');
    await end();
    await room.endings.settle(id);
    expect(await state()).toBe('unknown');
  });

  it('removes a deleted run that was not delivered yet', async () => {
    await create();
    await end();
    await room.endings.settle(id);
    await room.store.cancel(id, { remove: true });
    await room.endings.settle(id);
    expect(await state()).toBe('unknown');
    expect(await webhooks.update(id, 'failed', 1)).toBe(false);
    expect(await redis.dump(`*${id}*`)).not.toContain('example');
  });

  it('keeps its state for as long as the record', async () => {
    await create();
    await end();
    expect(await webhooks.update(id, 'pending', 1)).toBe(true);
    expect(await webhooks.update(id, 'delivered', 1)).toBe(true);
    const { webhookDelivery, expiresInMs } = (await webhooks.read(id))!;
    expect(webhookDelivery).toEqual({ status: 'delivered', attempts: 2 });
    expect(expiresInMs).toBeGreaterThan(0);
  });

  it('delivers a delivered webhook again', async () => {
    await create();
    await end();
    await webhooks.update(id, 'delivered', 1);
    await outbox.redeliver(id);
    expect(await state()).toBe('waiting');
    expect((await webhooks.read(id))?.webhookDelivery).toEqual({
      status: 'pending',
      attempts: 1,
    });
  });
});
