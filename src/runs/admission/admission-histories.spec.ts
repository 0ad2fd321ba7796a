import fc from 'fast-check';
import { TestRedis } from '../../../test/support/redis/redis';
import { loadConfig } from '../../config/load-config';
import { RedisConnections } from '../../platform/redis/redis-connections';
import { AdmissionStore, type Applicant } from './admission.store';

const POOL = 'model';
const LIMIT = 3;
const IDS = 12;
const WEIGHTS = [1, 1, 3];
/** How many of an account may be admitted; 0: any number. */
const MOST = [0, 2, 1];

/** `vanish`, `grab` and `end` are what a process of an earlier release does, `lose` is a crash between two writes. */
const OPERATIONS = [
  'join',
  'enter',
  'enter',
  'enter',
  'leave',
  'call',
  'vanish',
  'grab',
  'end',
  'lose',
] as const;

const history = fc.array(
  fc.record({
    operation: fc.constantFrom(...OPERATIONS),
    id: fc.nat(IDS - 1),
    rank: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 20, maxLength: 80 },
);

describe('any history of an admission', () => {
  let redis: TestRedis;
  let connections: RedisConnections;
  let admission: AdmissionStore;
  const waiting = new Map<number, number>();
  const admitted = new Set<number>();
  /** Those that count for their account: also what an earlier release has ended, until that is noticed. */
  const counted = new Set<number>();

  const applicantOf = (id: string): Promise<Applicant> => {
    const n = Number(id) % WEIGHTS.length;
    return Promise.resolve({
      queue: POOL,
      account: `account ${n}`,
      weight: WEIGHTS[n],
      precedence: n === 1,
      most: MOST[n],
    });
  };

  beforeAll(async () => {
    // What is on the disk does not matter here.
    redis = await TestRedis.start({ appendfsync: 'everysec' });
    const { redis: settings } = loadConfig({ REDIS_URL: redis.url });
    connections = new RedisConnections(settings!, 'wait');
    admission = new AdmissionStore(connections, {
      tag: 'admission',
      limitOf: () => LIMIT,
      queues: [POOL],
      applicantOf,
    });
  });
  afterAll(async () => {
    connections.onApplicationShutdown();
    await redis.stop();
  });

  /** Fails once the connection is closed, so that nothing goes on after the end of the file. */
  const call = (command: string, ...args: string[]) =>
    connections.commands.call(command, ...args);
  const KEYS = {
    line: 'sonde:{admission}:line',
    admitted: 'sonde:{admission}:admitted',
    counts: 'sonde:{admission}:counts',
  };
  const roomOf = (account: number): number => {
    const own = [...counted].filter((id) => id % MOST.length === account);
    return MOST[account] === 0 ? IDS : MOST[account] - own.length;
  };
  /** How many may enter at least: what has ended without a trace counts until the next run of its account asks. */
  const eligible = () =>
    MOST.map((_, account) => {
      const own = [...waiting.keys()].filter(
        (id) => id % MOST.length === account,
      );
      return Math.max(0, Math.min(own.length, roomOf(account)));
    }).reduce((sum, count) => sum + count);
  const enter = async (id: number): Promise<void> => {
    const wasIn = admitted.has(id);
    const rank = waiting.get(id) ?? 2;
    const free = LIMIT - admitted.size;
    const account = id % MOST.length;
    // Here the store notices what has ended without a trace.
    if (!wasIn && free > 0 && roomOf(account) <= 0)
      for (const one of counted)
        if (one % MOST.length === account && !admitted.has(one))
          counted.delete(one);
    const left = roomOf(account);
    const entry = await admission.enter(String(id), rank, POOL);
    if (entry.kind === 'in') {
      waiting.delete(id);
      if (wasIn) return;
      expect(Math.min(free, left)).toBeGreaterThan(0);
      admitted.add(id);
      counted.add(id);
      return;
    }
    expect(wasIn).toBe(false);
    waiting.set(id, rank);
    if (free > 0) expect(entry.kind === 'full').toBe(left <= 0);
    // Whoever is refused a free place learns of others that get it.
    if (free > 0 && eligible() > 0)
      expect(waiting.has(Number(entry.next))).toBe(true);
  };
  const leave = async (id: number): Promise<void> => {
    await admission.leave(String(id));
    waiting.delete(id);
    admitted.delete(id);
    counted.delete(id);
  };
  const step: Record<
    (typeof OPERATIONS)[number],
    (id: number, rank: number) => Promise<void>
  > = {
    enter,
    leave,
    join: async (id, rank) => {
      await admission.join(String(id), rank);
      if (!admitted.has(id)) waiting.set(id, rank);
    },
    /** Those that are called enter in any order. */
    call: async (id) => {
      const called = await admission.admissible(POOL, POOL);
      const free = LIMIT - admitted.size;
      expect(called.length).toBeLessThanOrEqual(free);
      expect(called.length).toBeGreaterThanOrEqual(Math.min(free, eligible()));
      if (id % 2) called.reverse();
      for (const one of called) {
        await enter(Number(one));
        expect(admitted.size).toBeLessThanOrEqual(LIMIT);
      }
    },
    vanish: async (id) => {
      await call('ZREM', KEYS.line, String(id));
      waiting.delete(id);
    },
    grab: async (id) => {
      if (admitted.size === LIMIT || admitted.has(id)) return;
      await call('ZREM', KEYS.line, String(id));
      await call('HSET', KEYS.admitted, String(id), POOL);
      await call('HINCRBY', KEYS.counts, POOL, '1');
      waiting.delete(id);
      admitted.add(id);
    },
    end: async (id) => {
      if (!admitted.delete(id)) return;
      await call('HDEL', KEYS.admitted, String(id));
      if (Number(await call('HINCRBY', KEYS.counts, POOL, '-1')) === 0)
        await call('HDEL', KEYS.counts, POOL);
    },
    lose: async () => {
      await call('HINCRBY', KEYS.counts, POOL, '1');
      expect(await admission.miscounted()).toEqual([POOL]);
      await admission.recount();
    },
  };

  it('never passes the limit, lets everyone begin in the end, counts right and leaves nothing', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (operations) => {
        await call('FLUSHALL');
        waiting.clear();
        admitted.clear();
        counted.clear();
        for (const { operation, id, rank } of operations) {
          await step[operation](id, rank);
          expect(await admission.miscounted()).toEqual([]);
          expect(await call('HLEN', KEYS.admitted)).toBe(admitted.size);
          const known: string[] = [];
          for await (const ids of admission.everyone()) known.push(...ids);
          for (const one of [...waiting.keys(), ...admitted])
            expect(known).toContain(String(one));
        }
        for (let ends = 0; admitted.size + waiting.size > 0; ends += 1) {
          expect(ends).toBeLessThan(IDS);
          for (const id of waiting.keys()) await enter(id);
          expect(admitted.size).toBeGreaterThan(0);
          await leave([...admitted][0]);
        }
        expect(await call('KEYS', '*')).toEqual([]);
      }),
      { numRuns: 30, interruptAfterTimeLimit: 10_000 },
    );
  });
});
