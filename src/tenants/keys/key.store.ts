import { Injectable } from '@nestjs/common';
import {
  type RedisClient,
  RedisConnections,
} from '../../platform/redis/redis-connections';
import type { StoredKey } from './key-record';

/** Hash: id of each key -> the key in JSON; `#version` counts the changes. */
const KEYS = 'sonde:keys';
const VERSION = '#version';
/** Every process holds all keys in its memory. */
export const MAX_KEYS = 5_000;

const WRITE = `
local now = redis.call('HGET', KEYS[1], ARGV[1])
if (now or '') ~= ARGV[2] then return 0 end
if not now and redis.call('HLEN', KEYS[1]) > tonumber(ARGV[4]) then return -1 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('HINCRBY', KEYS[1], '${VERSION}', 1)
return 1
`;

export interface KeySnapshot {
  version: string;
  keys: StoredKey[];
}

/** The keys in Redis. They have no time to live: a revoked key is kept, so that what it began stays refused. */
@Injectable()
export class KeyStore {
  private readonly redis: RedisClient;

  constructor(private readonly connections: RedisConnections) {
    this.redis = connections.commands;
    this.redis.defineCommand('sondeWriteKey', { numberOfKeys: 1, lua: WRITE });
  }

  /** By the clock of Redis. */
  now(): number {
    return this.connections.clock.now();
  }

  /** Whether Redis responds at the start. */
  async connected(): Promise<boolean> {
    await this.connections.onModuleInit();
    return this.connections.ready;
  }

  /** Changes with every change of a key. */
  async version(): Promise<string> {
    return (await this.redis.hget(KEYS, VERSION)) ?? '';
  }

  async all(): Promise<KeySnapshot> {
    const { [VERSION]: version = '', ...keys } = await this.redis.hgetall(KEYS);
    return {
      version,
      keys: Object.values(keys).map((json) => JSON.parse(json) as StoredKey),
    };
  }

  async find(id: string): Promise<StoredKey | undefined> {
    const json = await this.redis.hget(KEYS, id);
    return json === null ? undefined : (JSON.parse(json) as StoredKey);
  }

  /** @returns false if there are too many keys already. */
  async create(key: StoredKey): Promise<boolean> {
    return (await this.write(key.id, '', key)) === 1;
  }

  /**
   * Changes a key, again and again where others change it at the same time. `change` returns the key itself to leave it
   * as it is, and may throw.
   * @returns undefined if there is no such key.
   */
  async change(
    id: string,
    change: (key: StoredKey) => StoredKey,
  ): Promise<StoredKey | undefined> {
    for (;;) {
      const json = await this.redis.hget(KEYS, id);
      if (json === null) return undefined;
      const before = JSON.parse(json) as StoredKey;
      const after = change(before);
      if (after === before) return before;
      if ((await this.write(id, json, after)) === 1) return after;
    }
  }

  private write(id: string, before: string, after: StoredKey): Promise<number> {
    const redis = this.redis as unknown as {
      sondeWriteKey(key: string, ...args: (string | number)[]): Promise<number>;
    };
    const json = JSON.stringify(after);
    return redis.sondeWriteKey(KEYS, id, before, json, MAX_KEYS);
  }
}
