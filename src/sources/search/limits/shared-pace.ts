import type { OptionalRedis } from '../../../platform/redis/optional-redis';
import type { LocalPace } from './local-pace';
import type { Pace, Rate, Reservation } from './pace';
import type { PauseFault } from '../search.types';

/**
 * KEYS: the starts of the last requests, newest first; the pause as `<until> <fault>`. ARGV: the longest wait in ms, and the
 * rate as a number of requests (0: none) and a window in ms. Returns granted, the wait in ms, and the fault of the pause. The
 * clock is the server's. A start is the later of now, the end of the pause, and a window after the start that many requests
 * ago: so no window ever has more.
 */
const RESERVE = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local maxWait, requests, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local start, fault = now, 'rate_limited'
local pause = redis.call('GET', KEYS[2])
if pause then
  local untilMs, why = string.match(pause, '^(%d+) (.+)$')
  if untilMs and tonumber(untilMs) > now then start, fault = tonumber(untilMs), why end
end
if requests > 0 and redis.call('LLEN', KEYS[1]) >= requests then
  local before = tonumber(redis.call('LINDEX', KEYS[1], requests - 1))
  start = math.max(start, before + window)
end
local wait = start - now
if wait > maxWait or (wait > 0 and fault ~= 'rate_limited') then return {0, wait, fault} end
if requests > 0 then
  redis.call('LPUSH', KEYS[1], start)
  redis.call('LTRIM', KEYS[1], 0, requests - 1)
  redis.call('PEXPIRE', KEYS[1], wait + window)
end
return {1, wait, fault}
`;

/** KEYS: the pause. ARGV: for how many ms, and the fault. A longer pause stays. */
const PAUSE = `
local left = redis.call('PTTL', KEYS[1])
if left >= tonumber(ARGV[1]) then return end
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
redis.call('SET', KEYS[1], string.format('%.0f', now + ARGV[1]) .. ' ' .. ARGV[2], 'PX', ARGV[1])
`;

interface ScriptedClient {
  sondeSearchReserve(
    starts: string,
    pause: string,
    ...args: number[]
  ): Promise<[number, number, PauseFault]>;
  sondeSearchPause(key: string, ms: number, fault: string): Promise<void>;
}

/** The pace of all workers. While Redis is unavailable each process keeps a pace of its own. */
export class SharedPace implements Pace {
  private readonly scripts: ScriptedClient;

  constructor(
    private readonly redis: OptionalRedis,
    private readonly local: LocalPace,
  ) {
    const { client } = redis;
    client.defineCommand('sondeSearchReserve', {
      numberOfKeys: 2,
      lua: RESERVE,
    });
    client.defineCommand('sondeSearchPause', { numberOfKeys: 1, lua: PAUSE });
    this.scripts = client as unknown as ScriptedClient;
  }

  async reserve(
    key: string,
    rate: Rate | undefined,
    maxWaitMs: number,
  ): Promise<Reservation> {
    const { requests, windowMs } = rate ?? { requests: 0, windowMs: 0 };
    return this.redis.attempt(
      async () => {
        const [granted, waitMs, fault] = await this.scripts.sondeSearchReserve(
          startsKey(key),
          pauseKey(key),
          maxWaitMs,
          requests,
          windowMs,
        );
        return { granted: granted === 1, waitMs, fault };
      },
      () => this.local.reserve(key, rate, maxWaitMs),
    );
  }

  async pause(key: string, ms: number, fault: PauseFault): Promise<void> {
    const wholeMs = Math.max(1, Math.ceil(ms));
    // Kept here too, so that it outlasts an outage of Redis.
    await this.local.pause(key, wholeMs, fault);
    await this.redis.attempt(() =>
      this.scripts.sondeSearchPause(pauseKey(key), wholeMs, fault),
    );
  }

  async paused(key: string): Promise<PauseFault | undefined> {
    return this.redis.attempt(
      async (redis) => {
        const pause = await redis.get(pauseKey(key));
        return pause?.split(' ')[1] as PauseFault | undefined;
      },
      () => this.local.paused(key),
    );
  }
}

/** Braces keep the two in one slot of a Cluster. */
function startsKey(key: string): string {
  return `sonde:search:{${key}}:starts`;
}

function pauseKey(key: string): string {
  return `sonde:search:{${key}}:pause`;
}
