import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { LEAST_RETENTION_SECONDS } from '../../config/settings/key-limits';
import type { Checkup, Finding } from '../../platform/redis/checkup.types';
import {
  type RedisClient,
  RedisConnections,
} from '../../platform/redis/redis-connections';
import { CallerRunsIndex } from '../store/caller-runs-index';
import { KEYS } from '../record/run-keys';
import { type IdPrefix, timeOf } from '../record/run-id';

const PAGE = 200;

/** Whether what is listed for a caller is there to be read. */
@Injectable()
export class CallerRunsCheckup implements Checkup {
  readonly title = 'Callers';
  private readonly redis: RedisClient;

  constructor(
    private readonly connections: RedisConnections,
    private readonly callers: CallerRunsIndex,
    private readonly config: AppConfig,
  ) {
    this.redis = connections.commands;
  }

  async *look(): AsyncGenerator<Finding> {
    yield* this.lookThrough(KEYS.caller(''), 'inv_');
    yield* this.lookThrough(KEYS.chats(''), 'chat_');
  }

  private async *lookThrough(
    start: string,
    prefix: IdPrefix,
  ): AsyncGenerator<Finding> {
    for await (const keys of this.connections.scan(`${start}*`))
      for (const key of keys)
        yield* this.lookAt(key.slice(start.length), prefix);
  }

  private async *lookAt(
    caller: string,
    prefix: IdPrefix,
  ): AsyncGenerator<Finding> {
    let cursor: string | undefined;
    for (;;) {
      const ids = await this.callers.page(caller, cursor, PAGE, prefix);
      if (ids.length === 0) return;
      cursor = ids.at(-1);
      const there = await Promise.all(
        ids.map((id) => this.redis.exists(KEYS.record(id))),
      );
      for (const id of ids.filter((_, i) => there[i] === 0))
        // Those that have expired are forgotten by the next listing.
        if (!this.mayHaveExpired(id))
          yield {
            problem: 'Listed for its caller, but its record is gone',
            id,
            fix: () => this.callers.remove(caller, id),
          };
    }
  }

  /** An id contains the time of its submission, and no record expires sooner after that than the least retention. */
  private mayHaveExpired(id: string): boolean {
    const least = LEAST_RETENTION_SECONDS * 1_000;
    const keptMs = Math.min(this.config.runs.retentionMs, least);
    return this.callers.now() - timeOf(id) > keptMs;
  }
}
