import { Injectable } from '@nestjs/common';
import { pause } from '../../../llm/upstream/retry';
import {
  type RedisClient,
  RedisConnections,
} from '../../../redis/redis-connections';
import { BRAKE_SCRIPT } from './brake.script';

interface ScriptedClient {
  sondeBrake(key: string, ...args: (string | number)[]): Promise<number>;
}

/** That of all looks at runs, whatever their models. */
export const ASKING = 'asking';
/** Those of one process who have waited go on about so far apart, and all of them within the time below. */
const APART_MS = 50;
const SPREAD_MOST_MS = 30_000;

/** So long an endpoint can hold up all runs of a model at the most; then one of them asks again. */
export const BRAKE_MOST_MS = 10 * 60_000;

/** A 429 that one worker is given slows all of them: whoever passes the same brake waits until its time is over. */
@Injectable()
export class RateLimitCooldown {
  private readonly redis: RedisClient;
  private readonly scripts: ScriptedClient;
  /** Name -> when it was last found to be off. */
  private readonly off = new Map<string, number>();
  private waiting = 0;

  constructor({ commands }: RedisConnections) {
    commands.defineCommand('sondeBrake', {
      numberOfKeys: 1,
      lua: BRAKE_SCRIPT,
    });
    this.redis = commands;
    this.scripts = commands as unknown as ScriptedClient;
  }

  /**
   * Waits as long as the brake `name` is on. Not all go on at the same moment. Ends early when `signal` aborts.
   * @param staleMs how old a look of this process may be. @param before is called with the length of each wait, and may
   * throw instead.
   */
  async pass(
    name: string,
    signal: AbortSignal,
    staleMs = 0,
    before?: (ms: number) => Promise<void> | undefined,
  ): Promise<void> {
    while (!signal.aborted) {
      const now = performance.now();
      if (now - (this.off.get(name) ?? -Infinity) < staleMs) return;
      const ms = await this.scripts.sondeBrake(keyOf(name), 'pass');
      if (ms === 0) {
        this.off.set(name, now);
        return;
      }
      await before?.(ms);
      this.waiting += 1;
      const spread = Math.min(this.waiting * APART_MS, SPREAD_MOST_MS);
      await pause(ms + Math.random() * spread, signal);
      this.waiting -= 1;
    }
  }

  /** When it goes off, if it is on. */
  async end(name: string): Promise<Date | undefined> {
    const untilMs = await this.redis.get(keyOf(name));
    return untilMs === null ? undefined : new Date(Number(untilMs));
  }

  /** Takes it off before its time. */
  async release(name: string): Promise<void> {
    await this.redis.del(keyOf(name));
  }

  /** The endpoint asks for a break of `ms`, which it gets up to the limit above. */
  async hit(name: string, ms: number): Promise<void> {
    this.off.delete(name);
    // Nothing expires in no time.
    const wholeMs = Math.max(1, Math.ceil(Math.min(ms, BRAKE_MOST_MS)));
    await this.scripts.sondeBrake(keyOf(name), 'hit', wholeMs);
  }
}

function keyOf(name: string): string {
  return `sonde:brake:${name}`;
}
