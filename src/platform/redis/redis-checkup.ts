import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import type { Checkup, Finding } from './checkup.types';
import { RedisConnections } from './redis-connections';
import { RedisRefusal } from './state/redis-faults';
import { problemsOf } from './state/redis-problems';

const UNSEEN =
  'Its settings are not checked: the user of REDIS_URL may not run INFO';

/** Whether Redis takes writes and stores them durably. Its configuration belongs to the operator, so nothing here is fixed. */
@Injectable()
export class RedisCheckup implements Checkup {
  readonly title = 'Redis';

  constructor(
    private readonly connections: RedisConnections,
    private readonly config: AppConfig,
  ) {}

  /** @throws RedisRefusal if nothing else can be looked at. */
  async *look(): AsyncGenerator<Finding> {
    const fault = await this.connections.look();
    if (fault && !fault.reads) throw new RedisRefusal(fault);
    if (fault) yield { problem: fault.meaning };
    const infos = await this.connections.infos();
    if (!infos) yield { problem: UNSEEN };
    const { redisMaxBytes } = this.config.runs;
    for (const { text } of problemsOf(infos, redisMaxBytes))
      yield { problem: text };
  }
}
