import type { RedisClient } from '../../platform/redis/redis-connections';
import { KEYS } from '../record/run-keys';
import { runScript } from './run.script';

type Script = (...args: (string | number)[]) => Promise<unknown[]>;

/** Runs operations on records. */
export class ScriptRunner {
  private readonly script: Script;

  /**
   * @param operations in Lua, see `runScript`.
   * @param kind that declares them; undefined: those of every kind.
   */
  constructor(redis: RedisClient, operations: string, kind?: string) {
    const name = kind ? `sondeInvocation:${kind}` : 'sondeInvocation';
    redis.defineCommand(name, { lua: runScript(operations) });
    const commands = redis as unknown as Record<string, Script>;
    this.script = commands[name].bind(redis);
  }

  run(
    operation: string,
    id: string,
    ...args: (string | number)[]
  ): Promise<unknown[]> {
    const keys = [
      KEYS.record(id),
      KEYS.log(id),
      KEYS.text(id),
      KEYS.journal(id),
    ];
    return this.script(
      keys.length,
      ...keys,
      operation,
      KEYS.channel(id),
      ...args,
    );
  }
}
