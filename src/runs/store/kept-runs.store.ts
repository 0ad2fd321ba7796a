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

/** KEYS: the kept runs of a caller. ARGV: id, the most. Returns whether the run is among them. */
const RESERVE = `
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 1 end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], 0, ARGV[1])
return 1
`;

interface WithReserve {
  sondeKeep(key: string, id: string, most: number): Promise<number>;
}

export type KeepOutcome = 'ok' | 'full' | 'missing' | 'unfinished';

/**
 * The ended runs that each caller keeps beyond their retention. Every kept run is in the set of its caller, by which it is
 * counted; what a crash, or the removal by an older process, has left there is found before a run is refused for it.
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

  /** Safe to repeat. `full`: the caller keeps `most` already. */
  async keep(
    caller: string | undefined,
    id: string,
    most: number,
  ): Promise<KeepOutcome> {
    const key = KEYS.kept(caller ?? '');
    if ((await this.redis.sondeKeep(key, id, most)) !== 1) {
      await this.removeStale(key);
      if ((await this.redis.sondeKeep(key, id, most)) !== 1) return 'full';
    }
    const [outcome] = await this.script.run('keep', id);
    // Another request may have let it go in between.
    if (outcome === 'ok') await this.redis.zadd(key, 0, id);
    else await this.redis.zrem(key, id);
    return outcome as KeepOutcome;
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

  private async removeStale(key: string): Promise<void> {
    for (const id of await this.redis.zrange(key, 0, '-1'))
      if (!(await this.isKept(id))) await this.redis.zrem(key, id);
  }

  private async isKept(id: string): Promise<boolean> {
    return (await this.redis.hget(KEYS.record(id), 'kept')) === '1';
  }
}
