import { Logger } from '@nestjs/common';
import { TestRedis } from '../../../test/support/redis/redis';
import { until } from '../../../test/support/until';
import { hashOfKey } from '../../platform/auth/key-text';
import { loadConfig } from '../../config/load-config';
import { RedisConnections } from '../../platform/redis/redis-connections';
import { KeyAdmin } from './key-admin';
import type { StoredKey } from './key-record';
import { KeyStore } from './key.store';
import { KeyTable } from './key-table';

const HASH = 'sonde:keys';

describe(KeyTable.name, () => {
  let redis: TestRedis;
  let connections: RedisConnections;
  let store: KeyStore;
  let admin: KeyAdmin;
  let table: KeyTable;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    redis = await TestRedis.start();
    const { redis: target } = loadConfig({ REDIS_URL: redis.url });
    connections = new RedisConnections(target!, 'fail-fast');
    await connections.onModuleInit();
    store = new KeyStore(connections);
    admin = new KeyAdmin(store);
    table = new KeyTable(store);
  });
  afterAll(async () => {
    connections.onApplicationShutdown();
    await redis.stop();
  });

  const make = (name: string, expiresMs: number | null = null) =>
    admin.create({ name, scopes: ['read', 'read'], expiresMs }, 'root');
  const patch = async (key: StoredKey, fields: object): Promise<void> => {
    await store.change(key.id, (before) => ({ ...before, ...fields }));
    await table.refresh();
  };

  it('verifies a key by its id and hash, first by Redis and then from memory', async () => {
    const { record, key } = await make('alice');
    const hash = hashOfKey(key);
    const { id } = record;
    const holder = { keyId: id, account: id, name: 'alice', scopes: ['read'] };
    expect(table.verify(record.id, hash)).toBeUndefined();
    expect(await table.lookUp(record.id, hash)).toEqual(holder);
    await table.refresh();
    expect(table.verify(record.id, hash)).toEqual(holder);
    expect(table.verify(record.id, hashOfKey(`${key}0`))).toBeUndefined();
    expect(table.verify('0'.repeat(16), hash)).toBeUndefined();
  });

  it('ends a key at its time, and a text at the end of its overlap', async () => {
    const { record, key } = await make('bob', admin.now() + 3_600_000);
    const rotated = await admin.rotate(record.id, 3_600_000, 'root');
    await table.refresh();
    const isOpen = (text: string) =>
      table.verify(record.id, hashOfKey(text)) !== undefined;
    expect([key, rotated.key].map(isOpen)).toEqual([true, true]);
    const [previous] = rotated.record.previous;
    const past = admin.now() - 1;
    await patch(record, { previous: [{ ...previous, until_ms: past }] });
    expect([key, rotated.key].map(isOpen)).toEqual([false, true]);
    expect(table.isEnded('bob')).toBe(false);
    await patch(record, { expires_ms: past });
    expect([key, rotated.key].map(isOpen)).toEqual([false, false]);
    expect(table.isValid(record.id)).toBe(false);
    expect(table.isEnded('bob')).toBe(true);
    await expect(admin.rotate(record.id, 0, 'root')).rejects.toMatchObject({
      code: 'api_key_revoked',
    });
  });

  it('keeps what only a newer version knows of a key', async () => {
    const { record } = await make('carol');
    await patch(record, { budget: { per_day: '1000000' } });
    await admin.rotate(record.id, 0, 'root');
    await admin.revoke(record.id, 'finish', 'root');
    const json = String(await redis.call('HGET', HASH, record.id));
    expect(JSON.parse(json)).toMatchObject({
      budget: { per_day: '1000000' },
      ending: { runs: 'finish', done: false },
    });
    await table.refresh();
    expect(table.ending.map(({ id }) => id)).toEqual([record.id]);
  });

  it('answers each check to its listeners, and verifies what it knows during an outage', async () => {
    const { record, key } = await make('dora');
    let checks = 0;
    table.onCheck(() => (checks += 1));
    await table.refresh();
    await redis.down();
    await table.refresh();
    expect(checks).toBe(2);
    const hash = hashOfKey(key);
    expect(table.verify(record.id, hash)).toBeDefined();
    await expect(table.lookUp(record.id, hash)).rejects.toThrow();
    await redis.up();
    await until('Redis to be reached again', () =>
      table.lookUp(record.id, hash).catch(() => undefined),
    );
  });
});
