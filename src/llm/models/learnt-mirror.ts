import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { RedisConnections } from '../../platform/redis/redis-connections';
import { type Learnt, LearntModels } from './learnt-models';

/** A sorted set of `[model, fact, value]` as JSON by the time until which it holds, by the clock of Redis. */
const KEY = 'sonde:learnt';
const INTERVAL_MS = 5_000;
/** Of a process, and of all together: the oldest make room. */
const MAX_OWN = 100;
const MAX_ALL = 500;
/** Models that a summary names. */
const MAX_SHOWN = 8;
const MAX_NAME = 100;

type Fact = [model: string, fact: string, value: number | null];

/**
 * What the processes have learnt about models, in one place for operators. Best effort: nothing but health and the doctor
 * reads it, and without Redis a process knows what it knows.
 */
@Injectable()
export class LearntMirror
  implements OnApplicationBootstrap, OnApplicationShutdown
{
  private timer?: NodeJS.Timeout;
  private written = 0;
  private writing = false;

  constructor(
    private readonly learnt: LearntModels,
    private readonly redis: RedisConnections,
  ) {}

  onApplicationBootstrap(): void {
    const write = (): void => void this.write().catch(() => undefined);
    this.timer = setInterval(write, INTERVAL_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Adds what this process has learnt since the last time. */
  async write(): Promise<void> {
    const { version } = this.learnt;
    if (this.writing || version === this.written) return;
    this.writing = true;
    try {
      const { commands, clock } = this.redis;
      const now = clock.now();
      const ahead = now - Date.now();
      const members = [...this.learnt.all()]
        .flatMap(([model, facts]) =>
          facts.map((one) => memberOf(model, one, ahead)),
        )
        .slice(-MAX_OWN);
      const latest = Math.max(now, ...members.map(([until]) => until));
      if (members.length > 0) await commands.zadd(KEY, ...members.flat());
      await commands.zremrangebyscore(KEY, '-inf', now);
      await commands.zremrangebyrank(KEY, 0, -1 - MAX_ALL);
      await commands.pexpire(KEY, latest - now + INTERVAL_MS);
      this.written = version;
    } finally {
      this.writing = false;
    }
  }

  /** `my-llama: over Chat Completions, single calls: output tokens 4000; …`, of all processes. Empty if there is nothing. */
  async summary(): Promise<string> {
    await this.write().catch(() => undefined);
    const { commands, clock } = this.redis;
    const members = await commands
      .zrangebyscore(KEY, clock.now(), '+inf', 'LIMIT', 0, MAX_ALL)
      .catch(() => []);
    const models = new Map<string, Map<string, string>>();
    for (const member of members) {
      const [model, fact, value] = JSON.parse(member) as Fact;
      const facts = models.get(model) ?? new Map<string, string>();
      // The last one is the most recent.
      facts.set(fact, value === null ? fact : `${fact} ${value}`);
      models.set(model, facts);
    }
    const more = models.size - MAX_SHOWN;
    const shown = [...models].slice(-MAX_SHOWN).map(([model, facts]) => {
      return `${model}: ${[...facts.values()].join(', ')}`;
    });
    return [...shown, ...(more > 0 ? [`${more} more models`] : [])].join('; ');
  }
}

/** @param ahead how many milliseconds the clock of Redis is ahead of that of this process. */
function memberOf(
  model: string,
  { fact, value, until }: Learnt,
  ahead: number,
): [until: number, member: string] {
  const name = model.slice(0, MAX_NAME).toWellFormed();
  return [
    until + ahead,
    JSON.stringify([name, fact.slice(0, MAX_NAME), value ?? null]),
  ];
}
