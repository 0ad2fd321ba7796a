import { kindsOn } from '../../../../test/support/run-kinds';
import { TestRedis } from '../../../../test/support/redis/redis';
import { loadConfig } from '../../../config/load-config';
import { RedisConnections } from '../../../platform/redis/redis-connections';
import { RunReader } from '../../../runs/store/run-reader';
import { type Claim, RunStore } from '../../../runs/store/run.store';
import { PurchaseStore } from './purchase.store';

describe(PurchaseStore.name, () => {
  let redis: TestRedis;
  let connections: RedisConnections;
  let store: RunStore;
  let purchases: PurchaseStore;
  let reader: RunReader;
  let id: string;
  let count = 0;

  beforeAll(async () => {
    redis = await TestRedis.start();
    const config = loadConfig({ REDIS_URL: redis.url });
    connections = new RedisConnections(config.redis!, 'wait');
    const { kinds } = kindsOn(connections);
    store = new RunStore(connections, config);
    purchases = new PurchaseStore(connections);
    reader = new RunReader(connections, kinds);
  });

  afterAll(async () => {
    connections.onApplicationShutdown();
    await redis.stop();
  });

  beforeEach(async () => {
    id = `inv_${(count += 1)}`;
    await store.create(id, {
      tool: 'deep_research',
      mode: 'background',
      args: '{}',
      tokens: 'hash',
    });
  });

  const claim = async (worker = 'one'): Promise<Claim> => {
    const outcome = await store.claim(id, worker, 60_000);
    if (outcome.kind !== 'claimed')
      throw new Error(`not claimed: ${outcome.kind}`);
    return outcome.claim;
  };
  const log = () => reader.readLog(id, 0, 1_000);
  /** The lease runs out, without the wait. */
  const loseLease = () =>
    connections.commands.hset(`sonde:{${id}}:record`, 'lease_ms', 1);

  it('refuses the id of a worker that has lost the run', async () => {
    const { fence } = await claim();
    await loseLease();
    await claim('two');
    expect(await purchases.adopt(id, fence, 'resp_late')).toBeUndefined();
    expect((await reader.read(id))?.upstreamId).toBeNull();
  });

  it('keeps the first upstream id', async () => {
    const { fence } = await claim();
    expect(await purchases.adopt(id, fence, 'resp_1')).toBe('resp_1');
    expect(await purchases.adopt(id, fence, 'resp_2')).toBe('resp_1');
  });

  describe('a submission whose reply was lost', () => {
    const attempt = '5f0c7b1e-0000-4000-8000-000000000001';
    const earlier = '5f0c7b1e-0000-4000-8000-000000000000';
    const submitting = async (): Promise<Claim> => {
      const claimed = await claim();
      await store.append(id, claimed.fence, 2, { fields: { attempt } });
      return claimed;
    };

    it('gets the id of what it bought once, and nothing else changes', async () => {
      const { fence } = await submitting();
      expect(await purchases.adoptLost(id, attempt, 'resp_1')).toEqual({
        outcome: 'adopted',
        held: true,
      });
      expect(await purchases.adoptLost(id, attempt, 'resp_1')).toEqual({
        outcome: 'known',
        held: true,
      });
      expect((await reader.read(id))?.upstreamId).toBe('resp_1');
      expect(await log()).toHaveLength(2);
      // The worker continues with the same fence, and gets the id where it would have written its own.
      expect(await purchases.adopt(id, fence, 'resp_1')).toBe('resp_1');
    });

    it('keeps the id that it has', async () => {
      const { fence } = await submitting();
      await purchases.adopt(id, fence, 'resp_1');
      expect(await purchases.adoptLost(id, attempt, 'resp_2')).toEqual({
        outcome: 'other',
        held: true,
      });
      expect((await reader.read(id))?.upstreamId).toBe('resp_1');
    });

    it('refuses what another attempt has bought', async () => {
      const { fence } = await submitting();
      expect(await purchases.adoptLost(id, earlier, 'resp_0')).toEqual({
        outcome: 'other',
        held: true,
      });
      // What was refused has ended and cannot have bought anything.
      await store.append(id, fence, 2, { fields: { attempt: '' } });
      expect(await purchases.adoptLost(id, attempt, 'resp_0')).toEqual({
        outcome: 'other',
        held: true,
      });
      expect((await reader.read(id))?.upstreamId).toBeNull();
    });

    it('is held by no worker once its own has released it or is gone', async () => {
      const { fence } = await submitting();
      await store.release(id, fence);
      expect(await purchases.adoptLost(id, attempt, 'resp_1')).toEqual({
        outcome: 'adopted',
        held: false,
      });
      await claim('two');
      await loseLease();
      expect(await purchases.adoptLost(id, attempt, 'resp_1')).toEqual({
        outcome: 'known',
        held: false,
      });
    });

    it('gets nothing once it has ended or is forgotten', async () => {
      const { fence } = await submitting();
      await store.finish(id, fence, {
        status: 'failed',
        error: { code: 'ambiguous_submit', message: 'm' },
      });
      expect(await purchases.adoptLost(id, attempt, 'resp_1')).toEqual({
        outcome: 'final',
        held: false,
      });
      expect((await reader.read(id))?.upstreamId).toBeNull();
      expect(await purchases.adoptLost('inv_none', attempt, 'resp_1')).toEqual({
        outcome: 'missing',
        held: false,
      });
      expect(await connections.commands.keys('*{inv_none}*')).toEqual([]);
    });
  });
});
