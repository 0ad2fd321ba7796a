import { Invocations } from '../../../test/support/invocations';
import { TestRedis } from '../../../test/support/redis/redis';
import { KEYS } from '../record/run-keys';
import type { Claim } from '../store/run-claim';
import type { ActiveRuns } from './active-runs';
import { isCulprit, Quarantine } from './quarantine';

const POISON = 'inv_poison';

/** A worker process, as far as its suspects are concerned. */
interface Process {
  quarantine: Quarantine;
  held: Claim[];
}

describe(Quarantine.name, () => {
  let redis: TestRedis;
  let room: Invocations;

  beforeAll(async () => {
    redis = await TestRedis.start();
    room = new Invocations(redis);
  });
  afterAll(async () => {
    await room.close();
    await redis.stop();
  });
  beforeEach(() => redis.call('FLUSHALL'));

  const process = (): Process => {
    const active = { find: () => undefined } as unknown as ActiveRuns;
    const { connections, config } = room;
    return {
      quarantine: new Quarantine(connections, active, config),
      held: [],
    };
  };
  const crash = async ({ held }: Process): Promise<void> => {
    for (const { id } of held)
      await redis.call('HSET', KEYS.record(id), 'lease_ms', '1');
  };
  const claim = async (id: string): Promise<Claim | undefined> => {
    const outcome = await room.store.claim(id, 'worker', 60_000);
    return outcome.kind === 'claimed' ? outcome.claim : undefined;
  };

  /**
   * Delivers every run to the processes in turn. A process that holds the poison crashes, and another replaces it; the
   * others complete what they hold. Returns the runs that ended for their crashes, and the crashes.
   */
  async function carryOut(
    ids: readonly string[],
    processes: Process[],
    progress: readonly string[] = [],
  ): Promise<{ culprits: string[]; crashes: number; completed: number }> {
    const open = new Set(ids);
    const culprits: string[] = [];
    let [crashes, completed, turn] = [0, 0, 0];
    const end = async (
      { id, fence }: Claim,
      status: 'failed' | 'completed',
    ): Promise<void> => {
      await room.store.finish(id, fence, { status });
      open.delete(id);
    };
    while (open.size > 0 && crashes < 60) {
      for (const id of open) {
        const claimed = await claim(id);
        if (!claimed) throw new Error(`${id} is not claimed`);
        const { quarantine, held } = processes[(turn += 1) % processes.length];
        if (isCulprit(claimed)) {
          culprits.push(id);
          await quarantine.found(id);
          await end(claimed, 'failed');
        } else if (await quarantine.enter(claimed))
          await room.store.release(id, claimed.fence);
        else held.push(claimed);
        if (progress.includes(id) && held.includes(claimed))
          await room.store.append(id, claimed.fence, 2, {
            fields: { crashes: '0' },
          });
      }
      for (const [at, one] of processes.entries()) {
        const poisoned = one.held.some(({ id }) => id === POISON);
        if (poisoned) {
          await crash(one);
          crashes += 1;
          processes[at] = process();
          continue;
        }
        for (const held of one.held.splice(0)) {
          await end(held, 'completed');
          one.quarantine.leave(held.id);
          completed += 1;
        }
      }
    }
    return { culprits, crashes, completed };
  }

  const create = async (count: number): Promise<string[]> => {
    const ids = Array.from({ length: count }, (_, at) => `inv_${at}`);
    ids.splice(count / 2, 0, POISON);
    for (const id of ids) await room.create(id);
    return ids;
  };

  it.each([1, 2, 3])(
    'finds the one of a hundred runs that crashes %i workers, and the others complete',
    async (count) => {
      const ids = await create(100);
      const processes = Array.from({ length: count }, process);
      expect(await carryOut(ids, processes)).toMatchObject({
        culprits: [POISON],
        completed: 100,
      });
    },
  );

  it('ends a run that is alone after its sixth crash', async () => {
    expect(await carryOut(await create(0), [process()])).toEqual({
      culprits: [POISON],
      crashes: 6,
      completed: 0,
    });
  });

  it('ends a run that makes progress between its crashes after the twentieth', async () => {
    const ids = await create(0);
    expect(await carryOut(ids, [process()], [POISON])).toEqual({
      culprits: [POISON],
      crashes: 20,
      completed: 0,
    });
  });

  it('counts nothing of what another run has done, once that is found', async () => {
    await create(0);
    await room.create('inv_1');
    const { quarantine } = process();
    for (let crashes = 0; crashes < 3; crashes += 1) {
      await claim('inv_1');
      await redis.call('HSET', KEYS.record('inv_1'), 'lease_ms', '1');
    }
    const suspect = await claim('inv_1');
    expect(suspect).toMatchObject({ crashes: 3, crashesInAll: 3 });
    await quarantine.found(POISON);
    expect(await quarantine.enter(suspect!)).toBeUndefined();
    const [crashes, inAll] = (await redis.call(
      'HMGET',
      KEYS.record('inv_1'),
      'crashes',
      'crashes_in_all',
    )) as string[];
    expect([crashes, inAll]).toEqual(['0', '0']);
  });

  it('lets every suspect have its turn', async () => {
    const suspects: Claim[] = [];
    for (const id of ['inv_1', 'inv_2', 'inv_3']) {
      await room.create(id);
      for (let crashes = 0; crashes < 4; crashes += 1) {
        await claim(id);
        await redis.call('HSET', KEYS.record(id), 'lease_ms', '1');
      }
      suspects.push((await claim(id))!);
    }
    const { quarantine } = process();
    const [first, second, third] = suspects;
    expect(await quarantine.enter(first)).toBeUndefined();
    expect(await quarantine.enter(second)).toBeDefined();
    expect(await quarantine.enter(third)).toBeDefined();
    quarantine.leave(first.id);
    expect(await quarantine.enter(third)).toBeDefined();
    expect(await quarantine.enter(second)).toBeUndefined();
    quarantine.leave(second.id);
    expect(await quarantine.enter(third)).toBeUndefined();
  });
});
