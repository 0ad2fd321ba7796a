import { AccountStore } from '../tenants/spend/account.store';
import { Budgets } from '../tenants/spend/budgets';
import type { Checkup } from '../platform/redis/checkup.types';
import { DeliveryCheckup } from '../runs/upkeep/delivery-checkup';
import { Queue, Worker } from 'bullmq';
import { all } from '../../test/support/client';
import { Invocations } from '../../test/support/invocations';
import { TestRedis } from '../../test/support/redis/redis';
import { until } from '../../test/support/until';
import { loadConfig } from '../config/load-config';
import { ModelCatalog } from '../llm/models/model-catalog';
import { ModelChoice } from '../llm/models/model-choice';
import { UpstreamClient } from '../llm/upstream/upstream.client';
import type { AdmissionStore } from '../runs/admission/admission.store';
import type { RunDispatcher } from '../runs/queue/run-dispatcher';
import { RateLimitCooldown } from './hosted/rate-limit-cooldown';
import { ResearchCheckup } from './research-checkup';
import { engineChoice } from '../../test/support/engine-choice';
import { PreviousRuns } from './continuation/previous-runs';
import { ResearchKind } from './research-kind';
import { RESEARCH_JOB, RESEARCH_QUEUE } from './research-queue';

const COUNTS = 'sonde:{admission}:counts';

describe(ResearchCheckup.name, () => {
  let redis: TestRedis;
  let room: Invocations;
  let queue: Queue;
  let admission: AdmissionStore;
  let dispatcher: RunDispatcher;
  let cooldown: RateLimitCooldown;
  let checkup: ResearchCheckup;
  let deliveries: DeliveryCheckup;

  beforeAll(async () => {
    redis = await TestRedis.start();
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    await redis.call('FLUSHALL');
    const config = loadConfig({
      REDIS_URL: redis.url,
      LITELLM_BASE_URL: 'http://127.0.0.1:9',
    });
    room = new Invocations(redis, config);
    const { connections, kinds } = room;
    queue = new Queue(RESEARCH_QUEUE, { connection: connections.commands });
    const models = new ModelChoice(
      new ModelCatalog(new UpstreamClient(config)),
      config,
    );
    const kind = new ResearchKind(
      queue,
      connections,
      models,
      kinds,
      config,
      engineChoice(models, config),
      new PreviousRuns(room.reader, config),
      new Budgets(new AccountStore(connections, config)),
      room.reader,
    );
    kind.onModuleInit();
    ({ admission } = kind);
    dispatcher = kinds.dispatcherOf(RESEARCH_JOB);
    cooldown = new RateLimitCooldown(connections);
    checkup = new ResearchCheckup(kind, cooldown, config);
    deliveries = new DeliveryCheckup(kinds, room.reader);
  });
  afterEach(async () => {
    await queue.close();
    await room.close();
  });

  const find = async () => (await all(room.reconciler.find())).flat();
  const mendAll = async (by: Checkup) => {
    const findings = await all(by.look());
    await Promise.all(findings.map(({ fix }) => fix!()));
    return findings;
  };

  it('finds nothing wrong with a backlog', async () => {
    await room.create('queued');
    await room.age('queued');
    await dispatcher.start('queued', 'normal');
    await room.create('running');
    await admission.enter('running', 1, 'small');
    expect(await all(checkup.look())).toEqual([]);
    expect(await find()).toEqual([]);
  });

  it('finds deliveries that failed for the last time before the end, and makes new ones', async () => {
    for (const id of ['unfinished', 'ended']) {
      await room.create(id);
      await queue.add('deep_research', { invocation_id: id }, { jobId: id });
    }
    const { path } = room.connections.commands.options as { path: string };
    const worker = new Worker(
      RESEARCH_QUEUE,
      async () => {
        throw new Error('internal_error');
      },
      { connection: { path } },
    );
    await until(
      'both deliveries to fail',
      async (saw) => saw(await queue.getFailedCount()) === 2,
    );
    await worker.close();
    await room.end('ended');
    expect(await mendAll(deliveries)).toEqual([
      {
        problem: 'Unfinished, but its delivery was given up',
        id: 'unfinished',
        fix: expect.any(Function),
      },
    ]);
    expect(await all(deliveries.look())).toEqual([]);
    expect(await dispatcher.isUnderWay('unfinished')).toBe(true);
    expect(await dispatcher.isUnderWay('ended')).toBe(false);
  });

  it('finds counts that disagree with the admitted, and counts again', async () => {
    for (const id of ['a', 'b']) await admission.enter(id, 1, 'small');
    await admission.enter('c', 1, 'large');
    await admission.enter('d', 1, 'right');
    await redis.call('HSET', COUNTS, 'small', '7', 'gone', '1');
    await redis.call('HDEL', COUNTS, 'large');
    const models = (await mendAll(checkup)).map(({ id }) => id);
    expect(new Set(models)).toEqual(new Set(['gone', 'large', 'small']));
    expect(await redis.call('HGETALL', COUNTS)).toEqual(
      expect.arrayContaining(['small', '2', 'large', '1', 'right', '1']),
    );
    expect(await all(checkup.look())).toEqual([]);
  });

  it('finds a pause that the endpoint asked for, and ends it', async () => {
    await cooldown.start('o3-deep-research', 60_000);
    const [found, ...more] = await mendAll(checkup);
    expect(more).toEqual([]);
    expect(found.id).toMatch(/^o3-deep-research until \d{4}-\d\d-\d\dT/);
    expect(await all(checkup.look())).toEqual([]);
  });

  it('lets the reconciler find waiting and admitted runs without a record', async () => {
    await room.create('ended');
    await admission.join('ended', 1);
    await room.end('ended');
    await room.unfinished.remove('ended');
    await admission.enter('gone', 1, 'small');
    const found = await find();
    expect(found.map(({ kind, id }) => [kind, id])).toEqual([
      ['ended_not_settled', 'ended'],
      ['ended_not_settled', 'gone'],
    ]);
    for (const each of found) await room.reconciler.mend(each);
    expect(await redis.dump('*admission*')).toBe('[]');
  });

  it('delivers a run again that was lost from the queue', async () => {
    await room.create('lost');
    await room.age('lost');
    await dispatcher.start('lost', 'high');
    await queue.remove('lost');
    const [found] = await find();
    expect(found).toMatchObject({ kind: 'overdue', id: 'lost' });
    await room.reconciler.mend(found);
    expect(await find()).toEqual([]);
    expect(await queue.getPrioritizedCount()).toBe(1);
  });
});
