import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { OptionalRedis } from '../../../platform/redis/optional-redis';
import { PageLimits } from '../page-limits';
import { PageUnreadable } from '../page.types';
import { KeyedSemaphore } from '../../../platform/semaphore';

const PER_HOST = 2;
/** A slot of a dead worker is free after this long; a request holds its slot for less, unless this process is overloaded. */
const LEASE_MS = 60_000;
const POLL_MS = 150;

/** KEYS: the slots of a host, token -> end in ms. ARGV: token, number of slots, lease in ms. Returns 1 if the token has a slot. */
const TAKE_SCRIPT = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
`;

interface ScriptedClient {
  sondePageHost(key: string, ...args: (string | number)[]): Promise<number>;
}

/**
 * Limits the requests to one host over all workers. Without Redis the limit holds for each process. At most as many
 * requests per host poll Redis as there are slots; the others wait in this process, in order.
 */
@Injectable()
export class HostSlots {
  private readonly here = new KeyedSemaphore(PER_HOST);

  constructor(
    private readonly redis: OptionalRedis,
    private readonly limits: PageLimits,
  ) {
    redis.client.defineCommand('sondePageHost', {
      numberOfKeys: 1,
      lua: TAKE_SCRIPT,
    });
  }

  /** @throws PageUnreadable if no slot is free in time, or the reason of the signal. */
  use<T>(
    host: string,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    return this.here.use(host, signal, async () => {
      const key = `sonde:page-host:${host}`;
      const token = randomUUID();
      await this.take(key, token, signal);
      try {
        return await work();
      } finally {
        await this.redis.attempt((redis) => redis.zrem(key, token));
      }
    });
  }

  private async take(
    key: string,
    token: string,
    signal: AbortSignal,
  ): Promise<void> {
    const end = performance.now() + this.limits.hostWaitMs;
    while (!(await this.hasSlot(key, token))) {
      signal.throwIfAborted();
      if (performance.now() > end) throw new PageUnreadable('timeout');
      const ms = POLL_MS * (1 + Math.random());
      // The reason of the signal is thrown above.
      await pause(ms, undefined, { signal }).catch(() => undefined);
    }
  }

  private async hasSlot(key: string, token: string): Promise<boolean> {
    const taken = await this.redis.attempt((redis) =>
      (redis as unknown as ScriptedClient).sondePageHost(
        key,
        token,
        PER_HOST,
        LEASE_MS,
      ),
    );
    return taken !== 0;
  }
}
