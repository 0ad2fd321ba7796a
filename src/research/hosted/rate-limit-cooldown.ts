import { Injectable } from '@nestjs/common';
import { pause } from '../../platform/pause';
import {
  type RedisClient,
  RedisConnections,
} from '../../platform/redis/redis-connections';

/** The cooldown of all polls, whatever their models. */
export const POLLING = 'asking';
/** The longest cooldown that an endpoint can impose; after that one run tries again. */
export const MAX_COOLDOWN_MS = 10 * 60_000;

/** A wait looks this often whether its cooldown was ended before its time. */
const LOOK_MS = 5_000;
/** After a cooldown, the runs of one process continue about this far apart, all of them within the limit below. */
const SPREAD_MS = 50;
const MAX_SPREAD_MS = 30_000;

/**
 * KEYS: the end of one cooldown, in ms. ARGV: `left`, or `start` and for how many ms. Returns the milliseconds left.
 * The clock is the server's, so that all workers agree on the end.
 */
const COOLDOWN_SCRIPT = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local untilMs = tonumber(redis.call('GET', KEYS[1])) or 0
if ARGV[1] == 'start' and now + ARGV[2] > untilMs then
  untilMs = now + ARGV[2]
  redis.call('SET', KEYS[1], untilMs, 'PX', ARGV[2])
end
return math.max(0, untilMs - now)
`;

interface ScriptedClient {
  sondeCooldown(key: string, ...args: (string | number)[]): Promise<number>;
}

/** The pause after a 429, shared by all workers: one worker's 429 delays every request under the same name. */
@Injectable()
export class RateLimitCooldown {
  private readonly redis: RedisClient;
  private readonly scripts: ScriptedClient;
  /** Name -> when this process last found no cooldown. */
  private readonly checkedAt = new Map<string, number>();
  private waiting = 0;

  constructor({ commands }: RedisConnections) {
    commands.defineCommand('sondeCooldown', {
      numberOfKeys: 1,
      lua: COOLDOWN_SCRIPT,
    });
    this.redis = commands;
    this.scripts = commands as unknown as ScriptedClient;
  }

  /**
   * Waits until the cooldown `name` is over or was ended, plus a spread so that not all continue at the same moment. Returns early
   * when `signal` aborts.
   * @param staleMs how old this process's last check may be. @param before is called with what is left, several times in a
   * long wait, and may throw instead.
   */
  async wait(
    name: string,
    signal: AbortSignal,
    staleMs = 0,
    before?: (ms: number) => Promise<void> | undefined,
  ): Promise<void> {
    while (!signal.aborted) {
      const now = performance.now();
      if (now - (this.checkedAt.get(name) ?? -Infinity) < staleMs) return;
      const ms = await this.scripts.sondeCooldown(keyOf(name), 'left');
      if (ms === 0) {
        this.checkedAt.set(name, now);
        return;
      }
      await before?.(ms);
      this.waiting += 1;
      const spread = Math.min(this.waiting * SPREAD_MS, MAX_SPREAD_MS);
      await pause(Math.min(ms, LOOK_MS) + Math.random() * spread, signal);
      this.waiting -= 1;
    }
  }

  /** Undefined if there is no cooldown. */
  async endsAt(name: string): Promise<Date | undefined> {
    const untilMs = await this.redis.get(keyOf(name));
    return untilMs === null ? undefined : new Date(Number(untilMs));
  }

  /** Ends a cooldown before its time. */
  async clear(name: string): Promise<void> {
    await this.redis.del(keyOf(name));
  }

  /** Starts a cooldown of `ms`, within the limit above. A longer one that is under way stays. */
  async start(name: string, ms: number): Promise<void> {
    this.checkedAt.delete(name);
    // Redis refuses an expiry of 0.
    const wholeMs = Math.max(1, Math.ceil(Math.min(ms, MAX_COOLDOWN_MS)));
    await this.scripts.sondeCooldown(keyOf(name), 'start', wholeMs);
  }
}

function keyOf(name: string): string {
  // Older processes read the cooldown under this name.
  return `sonde:brake:${name}`;
}
