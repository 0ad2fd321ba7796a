import type { Invocation } from '../support/client';
import { Stand } from '../support/processes/stand';
import { expectCompletedRun } from '../support/completed-run';
import { until } from '../support/until';

const CUTS = 8;

/** As soon as the API is connected to Redis again. */
const reread = (invocation: Invocation) =>
  until('the API to answer', (saw) =>
    invocation.reply().then(
      (reply) => saw(reply).status !== 503 && reply,
      () => undefined,
    ),
  );

describe('a Redis that writes at every command (appendfsync always)', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({ redis: { appendfsync: 'always' } });
  });
  afterAll(() => stand.stop());

  it('has everything that was acknowledged right before it was killed', async () => {
    for (let round = 0; round < 5; round += 1) {
      const invocation = await stand.client().submit();
      await stand.redis.down();
      await stand.redis.up();
      expect((await reread(invocation)).status).toBe(200);
      // The worker may have lost the delivery with its connection.
      await stand.expireLeases(invocation);
      await expectCompletedRun(stand, invocation);
    }
  });
});

describe('a Redis that writes once a second (appendfsync everysec), after a power failure', () => {
  let stand: Stand;
  let retained: Invocation;
  let lost: Invocation;
  let log: Buffer;
  /** Bytes of the log at the moment in which the first of the two was acknowledged. */
  let first: number;

  beforeAll(async () => {
    // Without a worker, only the submissions are written.
    stand = await Stand.start({
      workers: 0,
      redis: { appendfsync: 'everysec' },
    });
    retained = await stand.client().submit();
    first = stand.redis.readLog().length;
    lost = await stand.client().submit();
    log = stand.redis.readLog();
    await stand.redis.down();
  });
  afterAll(() => stand.stop());

  /** The disk has this much of the log: a power failure loses what was written since the last fsync, at any byte. */
  async function restart(bytes: number): Promise<void> {
    await stand.redis.down();
    stand.redis.writeLog(log.subarray(0, bytes));
    await stand.redis.up();
  }

  it('has a submission as a whole or not at all, wherever the log was truncated', async () => {
    const seen = new Set<number>();
    for (let cut = CUTS; cut >= 0; cut -= 1) {
      await restart(first + Math.floor(((log.length - first) * cut) / CUTS));
      const { status, body } = await reread(lost);
      seen.add(status);
      if (status === 200)
        expect(body).toMatchObject({
          invocation_id: lost.id,
          status: 'queued',
          created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        });
      else expect(status).toBe(404);
      expect((await reread(retained)).body.status).toBe('queued');
    }
    expect([...seen]).toEqual([200, 404]);
  });

  it('continues with the data it has', async () => {
    await stand.addWorker();
    await expectCompletedRun(stand, retained);
    expect((await lost.reply()).status).toBe(404);
    await expectCompletedRun(stand, await stand.client().submit());
  });
});
