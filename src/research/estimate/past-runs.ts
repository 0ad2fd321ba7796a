import { Injectable } from '@nestjs/common';
import {
  type RedisClient,
  RedisConnections,
} from '../../platform/redis/redis-connections';
import { EndListeners } from '../../runs/ending/end-listeners';
import type { Cost } from '../../runs/record/run';
import type { TypicalUse } from '../../runs/record/run-estimate';
import { storedNumber, storedObject } from '../../runs/record/stored-fields';
import { RunReader } from '../../runs/store/run-reader';
import { accountOf } from '../../tenants/spend/spend-keys';
import { RESEARCH_JOB } from '../research-queue';

/** Of each kind of research, the last runs that are known. */
const KEPT = 200;
const KEPT_MS = 90 * 86_400_000;
/** Fewer say nothing. */
const LEAST = 5;

/** Which runs are alike. */
export interface PastKind {
  engine: string;
  depth: string | null;
}

interface PastRun {
  seconds: number;
  /** US dollars; undefined: it is not known. */
  usd?: number;
}

/**
 * What completed research has taken and cost: of each key, and of the installation where a key has too little. Nothing but
 * two numbers is kept of a run, and of runs of other keys only a range is shown.
 */
@Injectable()
export class PastRuns {
  private readonly redis: RedisClient;

  constructor(
    { commands }: RedisConnections,
    private readonly reader: RunReader,
    listeners: EndListeners,
  ) {
    this.redis = commands;
    listeners.register({ settle: (id) => this.settle(id) });
  }

  /** Null where too little is known. */
  async typical(account: string, kind: PastKind): Promise<TypicalUse | null> {
    for (const scope of ['key', 'installation'] as const) {
      const key = keyOf(scope === 'key' ? account : undefined, kind);
      const runs = (await this.redis.zrange(key, -KEPT, '-1')).map(read);
      if (runs.length >= LEAST) return typicalOf(runs, scope);
    }
    return null;
  }

  /** Safe to repeat. One that has waited for a person, or has gone on from another, says nothing of others. */
  private async settle(id: string): Promise<void> {
    const fields = await this.reader.readSome(
      id,
      'tool',
      'status',
      'engine',
      'depth',
      'account',
      'cost',
      'started_ms',
      'completed_ms',
      'waiting_since_ms',
      'continued_from',
    );
    const { tool, status, engine, waiting_since_ms, continued_from } = fields;
    if (tool !== RESEARCH_JOB || status !== 'completed' || !engine) return;
    if (waiting_since_ms || continued_from) return;
    const endMs = storedNumber(fields.completed_ms);
    const seconds = (endMs - storedNumber(fields.started_ms)) / 1_000;
    const usd = storedObject<Cost>(fields.cost)?.spent;
    const member = [id, Math.round(seconds), usd ?? ''].join(' ');
    const kind = { engine, depth: fields.depth || null };
    for (const account of [accountOf(fields), undefined]) {
      const key = keyOf(account, kind);
      await this.redis
        .multi()
        .zadd(key, endMs, member)
        .zremrangebyrank(key, 0, -KEPT - 1)
        .pexpire(key, KEPT_MS)
        .exec();
    }
  }
}

/** @param account undefined: all. The names of configured keys may have any characters. */
function keyOf(account: string | undefined, { engine, depth }: PastKind) {
  const whose =
    account === undefined ? 'all' : `of:${encodeURIComponent(account)}`;
  return `sonde:past:{${whose}}:${engine}:${depth ?? 'auto'}`;
}

function read(member: string): PastRun {
  const [, seconds, usd] = member.split(' ');
  return { seconds: Number(seconds), ...(usd && { usd: Number(usd) }) };
}

function typicalOf(runs: readonly PastRun[], of: TypicalUse['of']): TypicalUse {
  const costs = runs.flatMap(({ usd }) => usd ?? []);
  return {
    of,
    runs: runs.length,
    seconds: rangeOf(runs.map(({ seconds }) => seconds)),
    cost_usd: costs.length >= LEAST ? rangeOf(costs) : null,
  };
}

/** Without the tenth that is lowest, and the one that is highest. */
function rangeOf(values: readonly number[]): { low: number; high: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): number =>
    sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];
  return { low: at(0.1), high: at(0.9) };
}
