import { Injectable } from '@nestjs/common';
import {
  type RedisClient,
  RedisConnections,
} from '../../platform/redis/redis-connections';
import { KEYS } from '../record/run-keys';
import { ScriptRunner } from './script-runner';

/** Operations on the records of ended runs, see `runScript`. */
const OPERATIONS = `
-- Records of earlier versions do not say that they are settled.
local SETTLED_MS = 3600000

-- what it takes of the memory of Redis; 0 if it is gone
function op.measure()
  local bytes = 0
  for _, key in ipairs(KEYS) do bytes = bytes + (redis.call('MEMORY', 'USAGE', key, 'SAMPLES', 0) or 0) end
  return { bytes }
end

-- until it is let go
function op.keep()
  local status = get('status')
  if status == '' or get('deleted') == '1' then return { 'missing' } end
  if not FINAL[status] then return { 'unfinished' } end
  redis.call('HSET', record, 'kept', '1', 'expires_ms', '')
  if now - (tonumber(get('completed_ms')) or now) > SETTLED_MS then redis.call('HSET', record, 'settled', '1') end
  for _, key in ipairs(KEYS) do redis.call('PERSIST', key) end
  return { 'ok' }
end

-- retention in ms, from now
function op.let_go()
  if get('kept') ~= '1' then return { 'ok' } end
  redis.call('HSET', record, 'kept', '')
  expire_all(ARGV[3])
  return { 'ok' }
end
`;

/**
 * KEYS: the kept runs of a caller, by their bytes. ARGV: id, its bytes, the most runs, the most bytes.
 * Returns '' if the run is among them, or the limit that refuses it.
 */
const RESERVE = `
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return '' end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return 'kept_records' end
local bytes = tonumber(ARGV[2])
local kept = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
for i = 2, #kept, 2 do bytes = bytes + kept[i] end
if bytes > tonumber(ARGV[4]) then return 'kept_bytes' end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
return ''
`;

interface WithReserve {
  sondeKeep(
    key: string,
    id: string,
    bytes: number,
    mostRecords: number,
    mostBytes: number,
  ): Promise<'' | keyof KeptLimits>;
}

/** How many ended runs may be kept until they are let go, and their bytes in all. */
export interface KeptLimits {
  readonly kept_records: number;
  readonly kept_bytes: number;
}

export interface Keeping {
  outcome: 'ok' | keyof KeptLimits | 'missing' | 'unfinished';
  /** Of the run. */
  bytes: number;
}

/**
 * The ended runs that each caller keeps beyond their retention. Every kept run is in the set of its caller, by which it is
 * counted, with its bytes when it was kept: it hardly grows afterwards. A run without bytes there was kept by an older process.
 * What a crash, or the removal by an older process, has left there is found before a run is refused for it.
 */
@Injectable()
export class KeptRunsStore {
  private readonly redis: RedisClient & WithReserve;
  private readonly script: ScriptRunner;

  constructor({ commands }: RedisConnections) {
    commands.defineCommand('sondeKeep', { numberOfKeys: 1, lua: RESERVE });
    this.redis = commands as RedisClient & WithReserve;
    this.script = new ScriptRunner(commands, OPERATIONS, 'kept');
  }

  /** Safe to repeat. */
  async keep(
    caller: string | undefined,
    id: string,
    { kept_records, kept_bytes }: KeptLimits,
  ): Promise<Keeping> {
    const key = KEYS.kept(caller ?? '');
    await this.measureOlder(key);
    const bytes = await this.bytesOf(id);
    const reserve = () =>
      this.redis.sondeKeep(key, id, bytes, kept_records, kept_bytes);
    if ((await reserve()) !== '') {
      await this.removeStale(key);
      const limit = await reserve();
      if (limit !== '') return { outcome: limit, bytes };
    }
    const [outcome] = await this.script.run('keep', id);
    // Another request may have let it go in between.
    if (outcome === 'ok') await this.redis.zadd(key, bytes, id);
    else await this.redis.zrem(key, id);
    return { outcome: outcome as Keeping['outcome'], bytes };
  }

  /** Safe to repeat. @param retentionMs from now, unless the record has its own. */
  async letGo(
    caller: string | undefined,
    id: string,
    retentionMs: number,
  ): Promise<void> {
    const key = KEYS.kept(caller ?? '');
    await this.script.run('let_go', id, retentionMs);
    await this.redis.zrem(key, id);
    if (await this.isKept(id)) await this.redis.zadd(key, 0, id);
  }

  /** Of a caller whose last key is gone. */
  async letAllGo(caller: string, retentionMs: number): Promise<void> {
    for (const id of await this.redis.zrange(KEYS.kept(caller), 0, '-1'))
      await this.letGo(caller, id, retentionMs);
  }

  private async measureOlder(key: string): Promise<void> {
    for (const id of await this.redis.zrangebyscore(key, 0, 0)) {
      const bytes = await this.bytesOf(id);
      if (bytes > 0) await this.redis.zadd(key, 'XX', bytes, id);
    }
  }

  private async bytesOf(id: string): Promise<number> {
    const [bytes] = await this.script.run('measure', id);
    return Number(bytes);
  }

  private async removeStale(key: string): Promise<void> {
    for (const id of await this.redis.zrange(key, 0, '-1'))
      if (!(await this.isKept(id))) await this.redis.zrem(key, id);
  }

  private async isKept(id: string): Promise<boolean> {
    return (await this.redis.hget(KEYS.record(id), 'kept')) === '1';
  }
}
