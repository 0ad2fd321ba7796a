import { Injectable } from '@nestjs/common';
import {
  type RedisClient,
  RedisConnections,
} from '../../platform/redis/redis-connections';
import { ACCOUNT_KEYS } from './limit-keys';
import { KeyLimits } from './account-limits';
import { TAKE } from './limit-scripts';

/** What a request takes, in the order of its costs. */
export const RATES = ['requests_per_minute', 'body_bytes_per_minute'] as const;
export type RateName = (typeof RATES)[number];

export interface Taken {
  /** Undefined: it passes. */
  readonly refusedBy?: RateName;
  /** In how many ms it would pass. */
  readonly waitMs: number;
  readonly rates: readonly Rate[];
}
interface Rate {
  readonly name: RateName;
  readonly most: number;
  readonly left: number;
}

interface Waiting {
  readonly costs: readonly number[];
  readonly resolve: (taken: Taken) => void;
  readonly reject: (error: unknown) => void;
}
interface WithTake {
  sondeTake(key: string, ...args: (string | number)[]): Promise<number[]>;
}

/** The rates of accounts. All requests of an account in one turn of the event loop share one call to Redis. */
@Injectable()
export class RateStore {
  private readonly redis: RedisClient & WithTake;
  private groups = new Map<string, Waiting[]>();

  constructor(
    connections: RedisConnections,
    private readonly limits: KeyLimits,
  ) {
    const { commands } = connections;
    commands.defineCommand('sondeTake', { numberOfKeys: 1, lua: TAKE });
    this.redis = commands as RedisClient & WithTake;
  }

  /** All or nothing. Rejects while Redis is unavailable. */
  take(account: string, requests: number, bytes: number): Promise<Taken> {
    return new Promise((resolve, reject) => {
      const waiting = { costs: [requests, bytes], resolve, reject };
      const group = this.groups.get(account);
      if (group) group.push(waiting);
      else this.groups.set(account, [waiting]);
      if (this.groups.size === 1 && !group)
        setImmediate(() => void this.sendAll());
    });
  }

  private async sendAll(): Promise<void> {
    const { groups } = this;
    this.groups = new Map();
    await Promise.all(
      [...groups].map(([account, group]) => this.send(account, group)),
    );
  }

  private async send(
    account: string,
    group: readonly Waiting[],
  ): Promise<void> {
    const most = RATES.map((name) => this.limits.of(account, name));
    try {
      const replies = await this.redis.sondeTake(
        ACCOUNT_KEYS.buckets(account),
        RATES.length,
        ...RATES.flatMap((name, i) => [name, most[i]]),
        ...group.flatMap(({ costs }) => costs),
      );
      const size = 2 + RATES.length;
      group.forEach(({ resolve }, n) => {
        const [refused, waitMs, ...left] = replies.slice(
          n * size,
          (n + 1) * size,
        );
        const rates = RATES.map((name, i) => ({
          name,
          most: most[i],
          left: Math.max(0, left[i]),
        }));
        resolve({ refusedBy: RATES[refused - 1], waitMs, rates });
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
