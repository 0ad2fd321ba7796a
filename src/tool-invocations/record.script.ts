import type { RedisClient } from '../redis/redis-connections';
import { KEYS } from './invocation.keys';
import { INVOCATION_SCRIPT } from './invocation.script';

interface ScriptedClient {
  sondeInvocation(...args: (string | number)[]): Promise<unknown[]>;
}

/** Runs the operations of INVOCATION_SCRIPT. */
export class RecordScript {
  private readonly scripts: ScriptedClient;

  constructor(redis: RedisClient) {
    redis.defineCommand('sondeInvocation', {
      numberOfKeys: 3,
      lua: INVOCATION_SCRIPT,
    });
    this.scripts = redis as unknown as ScriptedClient;
  }

  run(
    operation: string,
    id: string,
    ...args: (string | number)[]
  ): Promise<unknown[]> {
    return this.scripts.sondeInvocation(
      KEYS.record(id),
      KEYS.log(id),
      KEYS.text(id),
      operation,
      KEYS.channel(id),
      ...args,
    );
  }
}
