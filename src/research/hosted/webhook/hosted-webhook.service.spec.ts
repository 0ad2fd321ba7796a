import { kindsOn } from '../../../../test/support/run-kinds';
import type { RunJob } from '../../../runs/queue/run-queue';
import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import {
  type SandboxUnderTest,
  sandboxUnderTest,
  webSearch,
} from '../../../../sandbox/testing/sandbox-under-test';
import { type Front, frontOf } from '../../../../test/support/upstream/front';
import { TestRedis } from '../../../../test/support/redis/redis';
import { loadConfig } from '../../../config/load-config';
import { UpstreamClient } from '../../../llm/upstream/upstream.client';
import { RedisConnections } from '../../../platform/redis/redis-connections';
import { WorkerSignals } from '../../../runs/queue/worker-signals';
import { RunReader } from '../../../runs/store/run-reader';
import { RunStore } from '../../../runs/store/run.store';
import { RESEARCH_JOB, RESEARCH_QUEUE } from '../../research-queue';
import { RunDispatcher } from '../../../runs/queue/run-dispatcher';
import { PurchaseStore } from '../record/purchase.store';
import { HostedWebhookService } from './hosted-webhook.service';

describe(HostedWebhookService.name, () => {
  let redis: TestRedis;
  let sandbox: SandboxUnderTest;
  let front: Front;
  /** Paths that are answered as if another one had been asked for. */
  const confused = new Map<string, string>();
  let connections: RedisConnections;
  let store: RunStore;
  let reader: RunReader;
  let upstream: UpstreamClient;
  let queue: Queue<RunJob>;
  let webhooks: HostedWebhookService;
  let subscriber: Redis;
  let signals: string[];
  let id: string;
  let attempt: string;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    redis = await TestRedis.start();
    sandbox = await sandboxUnderTest();
    front = await frontOf(sandbox.url, ({ url = '' }) => {
      const other = confused.get(url);
      confused.delete(url);
      return other ?? url;
    });
    const config = loadConfig({
      REDIS_URL: redis.url,
      LITELLM_BASE_URL: front.url,
    });
    connections = new RedisConnections(config.redis!, 'wait');
    const { kinds } = kindsOn(connections);
    store = new RunStore(connections, config);
    reader = new RunReader(connections, kinds);
    upstream = new UpstreamClient(config);
    queue = new Queue(RESEARCH_QUEUE, { connection: connections.commands });
    const dispatcher = new RunDispatcher(queue, RESEARCH_JOB);
    kinds.register({ name: RESEARCH_JOB, dispatcher });
    webhooks = new HostedWebhookService(
      upstream,
      new PurchaseStore(connections),
      new WorkerSignals(connections),
      kinds,
    );
    subscriber = redis.connect();
    await subscriber.subscribe('sonde:bell');
    subscriber.on('message', (_channel, text) => signals.push(text));
  });

  beforeEach(async () => {
    await sandbox.reset();
    signals = [];
    id = `inv_${randomUUID().replaceAll('-', '')}`;
    attempt = randomUUID();
    await store.create(id, { tool: 'deep_research', mode: 'background' });
  });

  afterAll(async () => {
    subscriber.disconnect();
    await queue.close();
    await upstream.onApplicationShutdown();
    connections.onApplicationShutdown();
    await front.close();
    await sandbox.close();
    await redis.stop();
  });

  /** A worker has claimed it and is about to create a response. */
  async function submitting(): Promise<string> {
    const outcome = await store.claim(id, 'one', 60_000);
    if (outcome.kind !== 'claimed') throw new Error('not claimed');
    const { fence } = outcome.claim;
    await store.append(id, fence, 2, { fields: { attempt } });
    return fence;
  }

  /** Returns the id of a response with this metadata. */
  async function respond(
    metadata: Record<string, string> = {
      invocation_id: id,
      attempt_id: attempt,
    },
  ): Promise<string> {
    const response = await sandbox.client.responses.create({
      model: 'o3-deep-research',
      input: 'The history of kimchi',
      tools: webSearch,
      background: true,
      metadata,
    });
    return response.id;
  }

  const upstreamId = async () => (await reader.read(id))?.upstreamId;
  /** All signals sent until now: those before the last one arrive before it. */
  async function sent(): Promise<string[]> {
    const last = `end ${randomUUID()}`;
    const arrived = new Promise<void>((resolve) =>
      subscriber.on('message', (_channel, text) => {
        if (text === last) resolve();
      }),
    );
    await connections.commands.publish('sonde:bell', last);
    await arrived;
    return signals.filter((text) => text !== last);
  }
  const delayed = () =>
    queue.add(
      RESEARCH_JOB,
      { invocation_id: id },
      { jobId: id, delay: 3_600_000 },
    );

  it('records the id of a run whose reply was lost, and signals the worker that has claimed it', async () => {
    await submitting();
    const job = await delayed();
    const responseId = await respond();
    await webhooks.handle(responseId);
    expect(await upstreamId()).toBe(responseId);
    expect(await sent()).toEqual([`news ${id}`]);
    expect(await job.isDelayed()).toBe(true);
  });

  it('delivers a run that no worker has claimed at once', async () => {
    await store.release(id, await submitting());
    const job = await delayed();
    await webhooks.handle(await respond());
    expect(await sent()).toEqual([`news ${id}`]);
    expect(await job.isDelayed()).toBe(false);
  });

  it('signals the worker again when an event is repeated', async () => {
    await submitting();
    const responseId = await respond();
    await webhooks.handle(responseId);
    await webhooks.handle(responseId);
    expect(await sent()).toEqual([`news ${id}`, `news ${id}`]);
  });

  it('ignores runs that have ended and responses of another attempt', async () => {
    const fence = await submitting();
    await webhooks.handle(
      await respond({ invocation_id: id, attempt_id: randomUUID() }),
    );
    expect(await upstreamId()).toBeNull();
    await store.finish(id, fence, { status: 'completed' });
    await webhooks.handle(await respond());
    expect(await upstreamId()).toBeNull();
    expect(await sent()).toEqual([]);
  });

  it('refuses an event, so that it is repeated, for which the endpoint returns another response', async () => {
    await submitting();
    const bought = await respond();
    const other = await respond({});
    const pathOf = (responseId: string) => `/v1/responses/${responseId}`;
    confused.set(pathOf(other), pathOf(bought));
    await expect(webhooks.handle(other)).rejects.toMatchObject({
      code: 'webhook_not_handled',
    });
    expect(await upstreamId()).toBeNull();
    await webhooks.handle(other);
    expect(await upstreamId()).toBeNull();
    await webhooks.handle(bought);
    expect(await upstreamId()).toBe(bought);
  });

  it('ignores responses that were not purchased here', async () => {
    await submitting();
    // Records that match literally, under ids that are never assigned.
    await store.create('inv_short', { tool: 'deep_research', attempt });
    await store.append(id, '1', 2, { fields: { attempt: 'none' } });
    const foreign: Record<string, string>[] = [
      {},
      { invocation_id: id },
      { invocation_id: 'inv_short', attempt_id: attempt },
      { invocation_id: id, attempt_id: 'none' },
    ];
    for (const metadata of foreign)
      await webhooks.handle(await respond(metadata));
    await webhooks.handle('resp_unknown');
    await webhooks.handle('../models');
    expect(await upstreamId()).toBeNull();
    expect((await reader.read('inv_short'))?.upstreamId).toBeNull();
    expect(await sent()).toEqual([]);
  });

  it.each([
    ['fails', { kind: 'status', status: 500 }],
    ['refuses the key', { kind: 'status', status: 401 }],
    ['breaks the connection', { kind: 'reset' }],
  ])(
    'refuses the event, so that it is repeated, when the endpoint %s',
    async (_, fault) => {
      await submitting();
      const responseId = await respond();
      await sandbox.fault({ ...fault, match: { method: 'GET' } });
      await expect(webhooks.handle(responseId)).rejects.toMatchObject({
        code: 'webhook_not_handled',
        status: 503,
        retryAfterSeconds: expect.any(Number),
      });
      expect(await upstreamId()).toBeNull();
      await webhooks.handle(responseId);
      expect(await upstreamId()).toBe(responseId);
    },
  );
});
