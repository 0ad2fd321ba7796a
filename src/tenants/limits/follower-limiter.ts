import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import {
  Injectable,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import {
  type RedisClient,
  RedisConnections,
} from '../../platform/redis/redis-connections';
import { FollowerLimits } from '../../runs/http/events/follower-limits';
import { ACCOUNT_KEYS } from './limit-keys';
import { KeyLimits, limitHit } from './account-limits';
import { FOLLOW } from './limit-scripts';

/** Streams of a process that died count for this long. */
const LEASE_MS = 60_000;
const RETRY_SECONDS = 5;

interface WithFollow {
  sondeFollow(
    key: string,
    id: string,
    most: number,
    leaseMs: number,
  ): Promise<number>;
}

/** Counts the open event streams of each account over all processes. */
@Injectable()
export class FollowerLimiter
  extends FollowerLimits
  implements OnModuleInit, OnApplicationShutdown
{
  private readonly redis: RedisClient & WithFollow;
  private readonly open = new Map<string, Set<string>>();
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly connections: RedisConnections,
    private readonly limits: KeyLimits,
  ) {
    super();
    const { commands } = connections;
    commands.defineCommand('sondeFollow', { numberOfKeys: 1, lua: FOLLOW });
    this.redis = commands as RedisClient & WithFollow;
  }

  onModuleInit(): void {
    this.timer = setInterval(() => this.renewAll(), LEASE_MS / 3).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async follow(account: string, response: ServerResponse): Promise<void> {
    const most = this.limits.of(account, 'followers');
    const id = randomUUID();
    const key = ACCOUNT_KEYS.followers(account);
    if ((await this.redis.sondeFollow(key, id, most, LEASE_MS)) === 0)
      throw limitHit('followers', most, RETRY_SECONDS);
    const ids = this.open.get(key) ?? new Set();
    this.open.set(key, ids.add(id));
    const close = (): void => {
      ids.delete(id);
      if (ids.size === 0 && this.open.get(key) === ids) this.open.delete(key);
      // During an outage its lease ends it.
      this.redis.zrem(key, id).catch(() => undefined);
    };
    if (response.closed || response.destroyed) close();
    else response.once('close', close);
  }

  private renewAll(): void {
    const untilMs = this.connections.clock.now() + LEASE_MS;
    for (const [key, ids] of this.open) {
      const members = [...ids].flatMap((id) => [untilMs, id]);
      const renewed = this.redis
        .multi()
        .zadd(key, ...members)
        .pexpire(key, LEASE_MS)
        .exec();
      renewed.catch(() => undefined);
    }
  }
}
