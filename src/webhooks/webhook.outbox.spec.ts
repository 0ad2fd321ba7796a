import { Queue } from 'bullmq';
import { TestRedis } from '../../test/support/redis';
import { loadConfig } from '../config/load-config';
import { QUEUE_PREFIX } from '../queue-options';
import { RedisConnections } from '../redis/redis-connections';
import { InvocationEndings } from '../tool-invocations/invocation.endings';
import { InvocationReader } from '../tool-invocations/invocation.reader';
import { InvocationStore } from '../tool-invocations/invocation.store';
import { InvocationSweeper } from '../tool-invocations/invocation.sweeper';
import { UnfinishedIndex } from '../tool-invocations/unfinished.index';
import { ToolRegistry } from '../tools/tool.registry';
import { WebhookOutbox } from './webhook.outbox';
import { WEBHOOK_QUEUE } from './webhook.queue';
import { WebhookStore } from './webhook.store';

const URL = 'https://hooks.example.com/?token=secret';

describe(WebhookOutbox.name, () => {
  const config = loadConfig({});
  let redis: TestRedis;
  let connections: RedisConnections;
  let queue: Queue;
  let records: InvocationStore;
  let webhooks: WebhookStore;
  let unfinished: UnfinishedIndex;
  let endings: InvocationEndings;
  let outbox: WebhookOutbox;
  let id: string;
  let count = 0;

  beforeAll(async () => {
    redis = await TestRedis.start();
    const { redis: target } = loadConfig({ REDIS_URL: redis.url });
    connections = new RedisConnections(target!, 'wait');
    queue = new Queue(WEBHOOK_QUEUE, {
      connection: connections.commands,
      prefix: QUEUE_PREFIX,
    });
    records = new InvocationStore(connections, config);
    webhooks = new WebhookStore(connections);
    unfinished = new UnfinishedIndex(connections, config);
    endings = new InvocationEndings(unfinished);
    outbox = new WebhookOutbox(queue, webhooks, endings);
    outbox.onModuleInit();
  });

  afterAll(async () => {
    await queue.close();
    connections.onApplicationShutdown();
    await redis.stop();
  });

  const create = async (webhook = URL): Promise<void> => {
    id = `inv_${(count += 1)}`;
    await unfinished.reserve(id);
    await records.create(id, {
      tool: 'deep_research',
      mode: 'background',
      webhook,
    });
  };
  const end = (): Promise<string> => records.cancel(id, { remove: false });
  const state = async (): Promise<string> => queue.getJobState(id);

  it('hands an end over with its id and nothing else', async () => {
    await create();
    await end();
    await endings.settle(id);
    expect((await queue.getJob(id))?.data).toEqual({ invocation_id: id });
    expect(await redis.dump('{sonde}*')).not.toContain('example');
  });

  it('hands over what a process left behind that died right after the end', async () => {
    await create();
    await end();
    expect(await state()).toBe('unknown');
    await redis.call('ZADD', 'sonde:unfinished', '1', id);
    const registry = new ToolRegistry();
    const sweeper = new InvocationSweeper(
      unfinished,
      endings,
      new InvocationReader(connections, registry),
      registry,
    );
    await sweeper.sweep();
    expect(await state()).toBe('waiting');
    expect(await unfinished.page(0, 0, 10)).not.toContain(id);
  });

  it('hands an end over once, however often it is settled', async () => {
    await create();
    await end();
    await Promise.all([endings.settle(id), endings.settle(id)]);
    const waiting = await queue.getJobs('waiting');
    expect(waiting.filter((job) => job.id === id)).toHaveLength(1);
    for (const status of ['delivered', 'failed'] as const) {
      await webhooks.note(id, status, 1);
      await queue.remove(id);
      await endings.settle(id);
      expect(await state()).toBe('unknown');
    }
  });

  it('stays out of ends without a webhook, and of what goes on', async () => {
    await create();
    await endings.settle(id);
    expect(await state()).toBe('unknown');
    await create('');
    await end();
    await endings.settle(id);
    expect(await state()).toBe('unknown');
  });

  it('takes back what was deleted before anybody was told', async () => {
    await create();
    await end();
    await endings.settle(id);
    await records.cancel(id, { remove: true });
    await endings.settle(id);
    expect(await state()).toBe('unknown');
    expect(await webhooks.note(id, 'failed', 1)).toBe(false);
    expect(await redis.dump(`*${id}*`)).toBe('[]');
  });

  it('keeps what it notes for as long as the record', async () => {
    await create();
    await end();
    expect(await webhooks.note(id, 'pending', 1)).toBe(true);
    expect(await webhooks.note(id, 'delivered', 1)).toBe(true);
    const { webhookDelivery, keptMs } = (await webhooks.read(id))!;
    expect(webhookDelivery).toEqual({ status: 'delivered', attempts: 2 });
    expect(keptMs).toBeGreaterThan(0);
  });

  it('delivers again what was delivered', async () => {
    await create();
    await end();
    await webhooks.note(id, 'delivered', 1);
    await outbox.redeliver(id);
    expect(await state()).toBe('waiting');
    expect((await webhooks.read(id))?.webhookDelivery).toEqual({
      status: 'pending',
      attempts: 1,
    });
  });
});
