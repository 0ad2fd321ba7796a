import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Queue } from 'bullmq';
import { QUEUE_PREFIX } from '../../../src/app/queue-options';
import { all, type Client } from '../../support/client';
import { doctor, unreadDoctor } from '../../support/processes/doctor';
import { TestRedis } from '../../support/redis/redis';
import { Service } from '../../support/processes/service';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';
import { expectCompleteLog } from '../../support/event-log';

const QUESTION = 'The history of kimchi MARKER';

const WELL = [
  'Redis: ok',
  'Queues: ok',
  'Deliveries: ok',
  'Research: ok',
  'Invocations: ok',
  'Callers: ok',
  'Keys: ok',
  '0 findings, 0 fixed',
];
/** Only with a configured endpoint. */
const MODELS =
  'Models (research: o3-deep-research (default), chat: gpt-4o (default)): ok';
const WELL_WITH_MODELS = WELL.toSpliced(-1, 0, MODELS);

describe('the doctor of a running service', () => {
  let stand: Stand;
  let client: Client;
  let queue: Queue;

  beforeAll(async () => {
    stand = await Stand.start({
      researchMs: 100,
      env: { RESEARCH_MODEL_LIMITS: '*:1' },
    });
    client = stand.client();
    const path = stand.redis.url.slice('unix://'.length);
    queue = new Queue('research', {
      connection: { path },
      prefix: QUEUE_PREFIX,
    });
    // Keeps the workers' own reconciler from being faster.
    await stand.redis.call('SET', 'sonde:reconciling', 'the test');
  });
  afterAll(async () => {
    await queue.close();
    await stand.stop();
  });

  const run = (...flags: string[]) => doctor(stand.env, ...flags);
  const redis = (command: string, ...args: string[]) =>
    stand.redis.call(command, ...args);

  it('finds no fault in runs that are waiting, active or ended, and changes nothing', async () => {
    const ended = await client.submit();
    await ended.wait();
    await stand.configure({ research_ms: 60_000 });
    const running = await client.submit();
    await until(
      'one run to be at the upstream',
      async (saw) => saw(await stand.stats()).in_flight === 1,
    );
    const waiting = await client.submit();
    for (const { id } of [running, waiting])
      await redis('ZADD', 'sonde:unfinished', '1', id);
    const before = await stand.redis.dump(`sonde:{${ended.id}}*`);
    expect(await run()).toEqual({ code: 0, lines: WELL_WITH_MODELS });
    expect(await run('--fix')).toEqual({ code: 0, lines: WELL_WITH_MODELS });
    expect(await stand.redis.dump(`sonde:{${ended.id}}*`)).toBe(before);
    for (const invocation of [waiting, running]) {
      await invocation.cancel();
      expect((await invocation.wait()).status).toBe('cancelled');
      // The delivery of a waiting run is still scheduled.
      await until(
        'the job of the run to be removed',
        async (saw) => saw(await queue.remove(invocation.id)) === 1,
      );
    }
    await stand.configure({ research_ms: 100 });
  });

  it('lists faults, repairs them, and has the workers finish what was lost, purchased once', async () => {
    const ended = await client.submit();
    await ended.wait();
    await queue.pause();
    const lost = await client.submit({ research_question: QUESTION });
    await queue.remove(lost.id);
    await redis('ZREM', 'sonde:unfinished', lost.id);
    await redis('ZADD', 'sonde:{admission}:line', '2', ended.id);
    await redis('HSET', 'sonde:{admission}:counts', 'o3-deep-research', '3');
    const missing = `${lost.id.slice(0, -4)}gone`;
    await redis('ZADD', 'sonde:caller:alice', '0', missing);

    const damage = [
      ['Redis: ok'],
      ['Queues'],
      ['  Paused (1): research'],
      ['Deliveries: ok'],
      ['Research'],
      [
        '  The count of the admitted runs of a model is wrong (1): o3-deep-research',
      ],
      ['Invocations'],
      [`  Ended, but something of it is still kept (1): ${ended.id}`],
      [`  Unfinished, but not in the index of the unfinished (1): ${lost.id}`],
      ['Callers'],
      [`  Listed for its caller, but its record is gone (1): ${missing}`],
      ['Keys: ok'],
    ].flat();
    expect(await run()).toEqual({
      code: 1,
      lines: [...damage, MODELS, '5 findings, 0 fixed'],
    });
    expect(await run('--fix')).toEqual({
      code: 0,
      lines: [
        ...damage.map((line) =>
          line.startsWith('  ') ? `${line} - fixed` : line,
        ),
        MODELS,
        '5 findings, 5 fixed',
      ],
    });
    const record = await lost.wait();
    expect(record.status).toBe('completed');
    expectCompleteLog(await all(lost.events()), record);
    expect((await stand.stats()).creates_by_invocation[lost.id]).toBe(1);
    expect(await run()).toEqual({ code: 0, lines: WELL_WITH_MODELS });
  });

  it('reports what it cannot repair, without a secret', async () => {
    expect(await stand.workers.pop()!.stop()).toBe(0);
    await redis('CONFIG', 'SET', 'maxmemory', '1gb');
    await redis('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    const { code, lines } = await run('--fix');
    expect(code).toBe(1);
    expect(lines).toEqual([
      'Redis',
      expect.stringMatching(/^ {2}.+allkeys-lru.+ - cannot be fixed here$/),
      'Queues',
      '  No worker is connected to it (5): research, tools, chats, alarms, response-deletions - cannot be fixed here',
      'Deliveries: ok',
      'Research: ok',
      'Invocations: ok',
      'Callers: ok',
      'Keys: ok',
      MODELS,
      '6 findings, 0 fixed',
    ]);
  });
});

describe('the doctor', () => {
  it('reports that Redis is unavailable, without its address', async () => {
    const REDIS_URL = 'redis://alice:hunter2@127.0.0.1:1';
    expect(await doctor({ REDIS_URL })).toEqual({
      code: 1,
      lines: [
        'Redis',
        '  Cannot be reached, or refuses the user and password',
        '1 finding, 0 fixed',
      ],
    });
  });

  it('ends as always where nothing reads its report', async () => {
    const redis = await TestRedis.start();
    const unread = await unreadDoctor({ REDIS_URL: redis.url });
    expect(unread).toEqual({ code: 1, errors: '' });
    await redis.stop();
  });

  it('writes nothing into a Redis that no service has used', async () => {
    const redis = await TestRedis.start();
    const { code, lines } = await doctor({ REDIS_URL: redis.url }, '--fix');
    expect(code).toBe(1);
    expect(lines.at(-1)).toBe('5 findings, 0 fixed');
    expect(await redis.dump()).toBe('[]');
    await redis.stop();
  });

  it('examines the embedded Redis of a running service, and reports when none runs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sonde-doctor-'));
    const env = { RELAY_DATA_DIR: join(folder, 'data'), TMPDIR: folder };
    const none = {
      code: 1,
      lines: [expect.stringMatching(/^REDIS_URL is not set, and no service/)],
    };
    expect(await doctor(env)).toEqual(none);
    const service = await Service.start('all-in-one', env);
    expect(await doctor(env)).toEqual({ code: 0, lines: WELL });
    expect(await service.stop()).toBe(0);
    expect(await doctor(env)).toEqual(none);
    rmSync(folder, { recursive: true });
  });

  it('rejects unknown flags', async () => {
    expect(await doctor({}, '--mend')).toEqual({
      code: 1,
      lines: ['Usage: npm run doctor [-- --fix]'],
    });
  });
});
