import type { Checkup } from '../../redis/checkup';
import { DeliveryCheckup } from '../../runs/upkeep/delivery.checkup';
import { Queue, Worker } from 'bullmq';
import { all } from '../../../test/support/client';
import { Invocations } from '../../../test/support/invocations';
import { TestRedis } from '../../../test/support/redis';
import { until } from '../../../test/support/until';
import { loadConfig } from '../../config/load-config';
import { ModelCatalog } from '../../llm/models/model.catalog';
import { ModelChoice } from '../../llm/models/model.choice';
import { UpstreamClient } from '../../llm/upstream/upstream.client';
import { AdmissionStore } from './admission.store';
import { RateLimitCooldown } from '../hosted/purchase/rate-limit.cooldown';
import { WaitingList } from './waiting-list';
import { AdmissionCheckup } from './admission.checkup';
import { RESEARCH_QUEUE } from '../research.queue';
import { ResearchDispatcher } from './research.dispatcher';

const COUNTS = 'sonde:{admission}:counts';

describe(AdmissionCheckup.name, () => {
  let redis: TestRedis;
  let room: Invocations;
  let queue: Queue;
  let admission: AdmissionStore;
  let carrier: ResearchDispatcher;
  let brake: RateLimitCooldown;
  let checkup: AdmissionCheckup;
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
    const { connections, carriers, endings } = room;
    queue = new Queue(RESEARCH_QUEUE, { connection: connections.commands });
    admission = new AdmissionStore(connections, config);
    const models = new ModelChoice(
      new ModelCatalog(new UpstreamClient(config)),
      config,
    );
    carrier = new ResearchDispatcher(queue, admission);
    carriers.register('deep_research', carrier);
    new WaitingList(admission, models, carrier, endings).onModuleInit();
    brake = new RateLimitCooldown(connections);
    checkup = new AdmissionCheckup(admission, brake, config);
    deliveries = new DeliveryCheckup(carriers, room.reader);
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
    await carrier.start('queued', 'normal');
    await room.create('running');
    await admission.enter('running', 1, 'small');
    expect(await all(checkup.look())).toEqual([]);
    expect(await find()).toEqual([]);
  });

  it('finds deliveries that were given up before the end, and makes new ones', async () => {
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
    await until(async () => (await queue.getFailedCount()) === 2);
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
    expect(await carrier.isUnderWay('unfinished')).toBe(true);
    expect(await carrier.isUnderWay('ended')).toBe(false);
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
    await brake.hit('o3-deep-research', 60_000);
    const [found, ...more] = await mendAll(checkup);
    expect(more).toEqual([]);
    expect(found.id).toMatch(/^o3-deep-research until \d{4}-\d\d-\d\dT/);
    expect(await all(checkup.look())).toEqual([]);
  });

  it('lets the reconciler see who stands in the line or has a place without a record', async () => {
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

  it('gives one to the workers again that was lost from the queue', async () => {
    await room.create('lost');
    await room.age('lost');
    await carrier.start('lost', 'high');
    await queue.remove('lost');
    const [found] = await find();
    expect(found).toMatchObject({ kind: 'overdue', id: 'lost' });
    await room.reconciler.mend(found);
    expect(await find()).toEqual([]);
    expect(await queue.getPrioritizedCount()).toBe(1);
  });
});
