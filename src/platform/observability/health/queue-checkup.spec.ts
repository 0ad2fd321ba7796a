import { Queue, Worker } from 'bullmq';
import { all } from '../../../../test/support/client';
import { TestRedis } from '../../../../test/support/redis/redis';
import { until } from '../../../../test/support/until';
import { QueueCheckup } from './queue-checkup';

describe(QueueCheckup.name, () => {
  let redis: TestRedis;
  let work: Queue;
  let letters: Queue;
  let connection: { path: string };
  const closers: { close(): Promise<unknown> }[] = [];

  beforeAll(async () => {
    redis = await TestRedis.start();
    connection = { path: redis.url.slice('unix://'.length) };
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    await redis.call('FLUSHALL');
    work = new Queue('work', { connection });
    letters = new Queue('letters', { connection });
    closers.push(work, letters);
  });
  afterEach(async () => {
    for (const it of closers.splice(0).reverse()) await it.close();
  });

  const look = () =>
    all(new QueueCheckup({ work: [work], deadLetters: [letters] }).look());
  const addWorker = (name: string, process: () => Promise<void>) => {
    const worker = new Worker(name, process, { connection });
    closers.push(worker);
    return worker.waitUntilReady();
  };
  const nothing = async () => undefined;

  it('reports a queue that has no worker but needs one', async () => {
    expect(await look()).toEqual([
      { problem: 'No worker is connected to it', id: 'work' },
    ]);
    await addWorker('work', nothing);
    await until(
      'the worker to be noticed',
      async (saw) => saw(await look()).length === 0,
    );
  });

  it('reports paused queues, and resumes them', async () => {
    await addWorker('work', nothing);
    await until(
      'the worker to be noticed',
      async (saw) => saw(await look()).length === 0,
    );
    await work.pause();
    await letters.pause();
    const findings = await look();
    expect(findings).toEqual(
      ['work', 'letters'].map((id) => ({
        problem: 'Paused',
        id,
        fix: expect.any(Function),
      })),
    );
    await Promise.all(findings.map(({ fix }) => fix!()));
    expect(await look()).toEqual([]);
  });

  it('reports dead letters, which only an operator sends again', async () => {
    await addWorker('work', nothing);
    await addWorker('letters', async () => {
      throw new Error('refused');
    });
    await letters.addBulk(
      Array.from({ length: 250 }, (_, i) => ({
        name: 'letter',
        data: {},
        opts: { jobId: `inv_${i}` },
      })),
    );
    await until(
      'all letters to fail',
      async (saw) => saw(await letters.getFailedCount()) === 250,
    );
    const findings = await look();
    expect(findings).toHaveLength(250);
    expect(new Set(findings.map(({ id }) => id)).size).toBe(250);
    expect(findings[0]).toEqual({
      problem: 'Failed for good in "letters" (retry on the dashboard)',
      id: expect.stringMatching(/^inv_/),
    });
  });
});
