import { TestRedis } from '../../../test/support/redis/redis';
import { loadConfig } from '../../config/load-config';
import { RedisConnections } from '../../platform/redis/redis-connections';
import { type IdempotencyClaim, IdempotencyStore } from './idempotency.store';

describe(IdempotencyStore.name, () => {
  let redis: TestRedis;
  let connections: RedisConnections;
  let store: IdempotencyStore;
  let key: string;
  let count = 0;

  beforeAll(async () => {
    redis = await TestRedis.start();
    connections = new RedisConnections(
      loadConfig({ REDIS_URL: redis.url }).redis!,
      'wait',
    );
    store = new IdempotencyStore(connections);
  });

  afterAll(async () => {
    connections.onApplicationShutdown();
    await redis.stop();
  });

  beforeEach(() => (key = `key ${(count += 1)}`));

  const claim = (id: string): Promise<IdempotencyClaim> =>
    store.claim('alice', key, { question: 'why' }, id);

  it('carries on under the first id while nothing was accepted', async () => {
    await claim('first');
    expect(await claim('second')).toMatchObject({
      invocationId: 'first',
      accepted: false,
    });
  });

  it('stands for what was accepted, for a day', async () => {
    const first = await claim('first');
    await store.accept(first);
    expect(await claim('second')).toMatchObject({
      invocationId: 'first',
      accepted: true,
    });
    const left = await connections.commands.pttl(first.place);
    expect(left).toBeGreaterThan(23 * 60 * 60 * 1000);
  });

  it('is accepted by all who carry on at once', async () => {
    const claims = [await claim('first'), await claim('second')];
    for (const one of claims) await store.accept(one);
  });
});
