import { Injectable } from '@nestjs/common';
import { pause } from '../llm/backoff';
import { RedisConnections } from '../redis/redis-connections';
import { BRAKE_SCRIPT } from './brake.script';

interface ScriptedClient {
  sondeBrake(key: string, ...args: (string | number)[]): Promise<number>;
}

/** Those of one process who have waited go on about so far apart, and all of them within the time below. */
const APART_MS = 50;
const SPREAD_MOST_MS = 30_000;

/** A 429 that one worker is given slows all of them: whoever passes the same brake waits until its time is over. */
@Injectable()
export class Brake {
  private readonly scripts: ScriptedClient;
  /** Name -> when it was last found to be off. */
  private readonly off = new Map<string, number>();
  private waiting = 0;

  constructor({ commands }: RedisConnections) {
    commands.defineCommand('sondeBrake', {
      numberOfKeys: 1,
      lua: BRAKE_SCRIPT,
    });
    this.scripts = commands as unknown as ScriptedClient;
  }

  /**
   * Waits as long as the brake `name` is on. Not all go on at the same moment. Ends early when `signal` aborts.
   * `staleMs`: how old a look of this process may be.
   */
  async pass(name: string, signal: AbortSignal, staleMs = 0): Promise<void> {
    while (!signal.aborted) {
      const now = performance.now();
      if (now - (this.off.get(name) ?? -Infinity) < staleMs) return;
      const ms = await this.scripts.sondeBrake(keyOf(name), 'pass');
      if (ms === 0) {
        this.off.set(name, now);
        return;
      }
      this.waiting += 1;
      const spread = Math.min(this.waiting * APART_MS, SPREAD_MOST_MS);
      await pause(ms + Math.random() * spread, signal);
      this.waiting -= 1;
    }
  }

  /** The endpoint asks for a break of `ms`. */
  async hit(name: string, ms: number): Promise<void> {
    this.off.delete(name);
    // Nothing expires in no time.
    const wholeMs = Math.max(1, Math.ceil(ms));
    await this.scripts.sondeBrake(keyOf(name), 'hit', wholeMs);
  }
}

function keyOf(name: string): string {
  return `sonde:brake:${name}`;
}
