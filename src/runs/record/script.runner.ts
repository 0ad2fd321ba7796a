import type { RedisClient } from '../../redis/redis-connections';
import { KEYS } from './run.keys';
import { RUN_SCRIPT } from './run.script';

interface ScriptedClient {
  sondeInvocation(...args: (string | number)[]): Promise<unknown[]>;
}

/** Runs the operations of INVOCATION_SCRIPT. */
export class ScriptRunner {
  private readonly scripts: ScriptedClient;

  constructor(redis: RedisClient) {
    redis.defineCommand('sondeInvocation', {
      numberOfKeys: 3,
      lua: RUN_SCRIPT,
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
