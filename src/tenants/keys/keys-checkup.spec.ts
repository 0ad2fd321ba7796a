import { all } from '../../../test/support/client';
import { TestRedis } from '../../../test/support/redis/redis';
import { loadConfig } from '../../config/load-config';
import { RedisConnections } from '../../platform/redis/redis-connections';
import { AccountStore } from '../spend/account.store';
import type { StoredKey } from './key-record';
import { KeyStore } from './key.store';
import { KeysCheckup } from './keys-checkup';

const DAY_MS = 86_400_000;
const NONE = expect.stringMatching(/^Required, and none is valid/);

describe(KeysCheckup.name, () => {
  let redis: TestRedis;
  let connections: RedisConnections;
  let store: KeyStore;

  beforeAll(async () => {
    redis = await TestRedis.start();
    connections = new RedisConnections(
      loadConfig({ REDIS_URL: redis.url }).redis!,
      'fail-fast',
    );
    await connections.onModuleInit();
    store = new KeyStore(connections);
  });
  afterAll(async () => {
    connections.onApplicationShutdown();
    await redis.stop();
  });
  beforeEach(() => redis.call('FLUSHALL'));

  const look = async (env: Record<string, string> = {}) => {
    const config = loadConfig({ REDIS_URL: redis.url, ...env });
    const accounts = new AccountStore(connections, config);
    const checkup = new KeysCheckup(store, accounts, config);
    const findings = await all(checkup.look());
    return {
      title: checkup.title,
      problems: findings.map(({ problem }) => problem),
    };
  };
  const add = (id: string, of: Partial<StoredKey> = {}) =>
    store.create({
      id,
      name: 'alice',
      scopes: ['chat'],
      hash: 'ab'.repeat(32),
      previous: [],
      created_ms: store.now(),
      rotated_ms: null,
      expires_ms: null,
      revoked_ms: null,
      ending: null,
      ...of,
    });

  it('counts the stored keys by how long they are valid', async () => {
    expect(await look()).toEqual({ title: 'Keys', problems: [] });
    const now = store.now();
    await add('forever');
    await add('long', { expires_ms: now + 8 * DAY_MS });
    await add('soon', { expires_ms: now + 6 * DAY_MS });
    await add('expired', { expires_ms: now - 1 });
    await add('revoked', { revoked_ms: now - 1, expires_ms: now - 1 });
    expect(await look({ RELAY_REQUIRE_KEYS: 'true' })).toEqual({
      title:
        'Keys (stored: 3 valid, 1 expiring within 7 days, 1 expired, 1 revoked)',
      problems: [],
    });
  });

  it('names the keys whose budget is spent', async () => {
    const accounts = new AccountStore(
      connections,
      loadConfig({ REDIS_URL: redis.url }),
    );
    const spend = (account: string) =>
      accounts.book({
        account,
        id: 'inv_1',
        kind: 'research',
        model: 'm',
        input: 0,
        output: 0,
        nano: 2e9,
        unknown: 0,
      });
    const budgets = {
      a: { day_usd: 2 },
      b: { month_usd: 1 },
      c: { day_usd: 3 },
    };
    for (const [id, budget] of Object.entries(budgets)) {
      await add(id, { name: `key-${id}`, budget });
      await spend(id);
    }
    expect((await look()).title).toBe(
      'Keys (stored: 3 valid; budget spent: key-a (day), key-b (month))',
    );
  });

  it('reports that keys are required and none is valid', async () => {
    const RELAY_REQUIRE_KEYS = 'true';
    expect((await look({ RELAY_REQUIRE_KEYS })).problems).toEqual([NONE]);
    await add('expired', { expires_ms: store.now() - 1 });
    expect(await look({ RELAY_REQUIRE_KEYS })).toEqual({
      title: 'Keys (stored: 1 expired)',
      problems: [NONE],
    });
    const RELAY_API_KEYS = `alice:${'ab'.repeat(32)}`;
    expect((await look({ RELAY_API_KEYS })).problems).toEqual([]);
    await add('valid');
    expect((await look({ RELAY_REQUIRE_KEYS })).problems).toEqual([]);
  });
});
