import type { RedisClient } from '../../redis/redis-connections';
import { KEYS } from './run.keys';
import { runScript } from './run.script';

type Script = (...args: (string | number)[]) => Promise<unknown[]>;

/** Runs operations on records. */
export class ScriptRunner {
  private readonly script: Script;

  /**
   * @param operations in Lua, see `runScript`.
   * @param kind that declares them; undefined: those of every kind.
   * @param keysOf further keys of a record, in its slot.
   */
  constructor(
    redis: RedisClient,
    operations: string,
    kind?: string,
    private readonly keysOf: (id: string) => string[] = () => [],
  ) {
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
    const own = [KEYS.record(id), KEYS.log(id), KEYS.text(id)];
    const keys = [...own, ...this.keysOf(id)];
    return this.script(
      keys.length,
      ...keys,
      operation,
      KEYS.channel(id),
      ...args,
    );
  }
}
