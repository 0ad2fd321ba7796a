import { z } from 'zod';
import type { RedisConnections } from '../../platform/redis/redis-connections';
import type { RunKinds } from '../../runs/queue/run-kinds';
import type { CapacityStore } from '../../runs/store/capacity.store';
import type { RunReader } from '../../runs/store/run-reader';

/** String: the last survey, as JSON. */
const KEY = 'sonde:survey';
/** String: a process surveys, or has done so a moment ago. */
const LOCK = 'sonde:surveying';
const EVERY_MS = 30_000;
/** What is older says nothing any more. */
const KEPT_MS = 4 * EVERY_MS;

export const AGES = ['waiting', 'running', 'overdue'] as const;

const survey = z.object({
  /** By the name of their queue. Without it, the user of Redis may not list clients. */
  workers: z.record(z.string(), z.number()).optional(),
  /** Since when the oldest run is so, in ms; absent: none is. */
  since: z.partialRecord(z.enum(AGES), z.number()),
});
type Survey = z.infer<typeof survey>;

export interface Surveyed {
  workers: Readonly<Record<string, number>>;
  /** How long the oldest run has been so, in ms; 0: none is. */
  ages: Readonly<Record<(typeof AGES)[number], number>>;
}

/**
 * Who works in the installation, and how old its oldest runs are. One process looks every half minute, whatever the number
 * of those that ask; it reads a few fields of all unfinished runs, a page at a time.
 */
export class InstallationSurvey {
  constructor(
    private readonly redis: RedisConnections,
    private readonly capacity: CapacityStore,
    private readonly reader: RunReader,
    private readonly kinds: RunKinds,
  ) {}

  /** The last one, and begins the next if it is due. Undefined: there is none yet. */
  async read(): Promise<Surveyed | undefined> {
    const { commands } = this.redis;
    const isDue = await commands.set(LOCK, '1', 'PX', EVERY_MS, 'NX');
    // A scrape does not wait for it. If it fails, the next one follows.
    if (isDue !== null) void this.look().catch(() => undefined);
    const found = parse(await commands.get(KEY));
    if (!found) return undefined;
    const now = this.redis.clock.now();
    const age = (since = now): number => Math.max(0, now - since);
    const { waiting, running, overdue } = found.since;
    return {
      workers: found.workers ?? {},
      ages: {
        waiting: age(waiting),
        running: age(running),
        overdue: age(overdue),
      },
    };
  }

  private async look(): Promise<void> {
    const since: Survey['since'] = {};
    for await (const ids of this.capacity.olderThan(0)) {
      const states = await Promise.all(ids.map((id) => this.stateOf(id)));
      for (const [name, ms] of states.flat())
        since[name] = Math.min(since[name] ?? Infinity, ms);
    }
    const workers = await this.workers().catch(() => undefined);
    const text = JSON.stringify({ workers, since } satisfies Survey);
    await this.redis.commands.set(KEY, text, 'PX', KEPT_MS);
  }

  private async stateOf(
    id: string,
  ): Promise<[(typeof AGES)[number], number][]> {
    const fields = await this.reader.readSome(
      id,
      'status',
      'created_ms',
      'due_ms',
      'lease_ms',
      'started_ms',
      'deadline_ms',
    );
    const now = this.redis.clock.now();
    if (fields.status === 'running') {
      const deadline = Number(fields.deadline_ms);
      return [
        ['running', Number(fields.started_ms)],
        ...(deadline > 0 && deadline < now
          ? [['overdue', deadline] as ['overdue', number]]
          : []),
      ];
    }
    if (fields.status !== 'queued') return [];
    // One that has waited for a decision is in the queue again since the time in `lease_ms`.
    const { created_ms, due_ms, lease_ms } = fields;
    const ms = Math.max(...[created_ms, due_ms, lease_ms].map(Number));
    return ms <= now ? [['waiting', ms]] : [];
  }

  private async workers(): Promise<Record<string, number>> {
    const queues = this.kinds.all().map(({ dispatcher }) => dispatcher.queue);
    const counts = queues.map(
      async (queue) => [queue.name, await queue.getWorkersCount()] as const,
    );
    return Object.fromEntries(await Promise.all(counts));
  }
}

/** Undefined for what a later version writes in another form. */
function parse(text: string | null): Survey | undefined {
  if (text === null) return undefined;
  return survey.safeParse(JSON.parse(text)).data;
}
