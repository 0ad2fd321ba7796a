import { BullModule, InjectQueue } from '@nestjs/bullmq';
import { type INestApplicationContext, Injectable } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Queue, Worker } from 'bullmq';
import { Invocations } from '../../../test/support/invocations';
import { expireAllLeases } from '../../../test/support/redis/expiry';
import { TestRedis } from '../../../test/support/redis/redis';
import { until } from '../../../test/support/until';
import { ConfigModule } from '../../config/config.module';
import { loadConfig } from '../../config/load-config';
import { QUEUE_PREFIX, queueOptions } from '../../app/queue-options';
import { RedisModule } from '../../platform/redis/redis.module';
import { Suspension, type SuspendOutcome } from '../record/suspension';
import { type EndListener, EndListeners } from '../ending/end-listeners';
import type { RunHandler } from './run.handler';
import { RunProcessor } from './run.processor';
import { RunWorker } from './run.worker';
import { RunWriter } from './run-writer';
import { KEYS } from '../record/run-keys';
import { type Claim, RunStore } from '../store/run.store';
import { RunDispatcher } from '../queue/run-dispatcher';
import { JOB_LOG_LINES } from '../queue/run-queue';
import { RunKinds } from '../queue/run-kinds';
import { RunWorkerModule } from '../runs.module';
import { ended, type Outcome, Rescheduled } from './run-outcome';

const ID = 'inv_1';
/** Where the support class submits. */
const QUEUE = 'tools';
const ASK = new Suspension(['a'], { asks: 'a' });

/** What a run comes to, by what was decided before. */
let carry: (claim: Claim) => Outcome | Promise<Outcome>;
/** What happens between the record's rest and the end of the delivery. */
let meanwhile: (outcome: SuspendOutcome) => Promise<void>;
/** What happens between the first look at the record and the claim. */
let beforeClaim: () => Promise<unknown>;
let claims: Claim[];

const handler: RunHandler = {
  async admit() {
    await beforeClaim();
    return { timeLimitMs: 60_000 };
  },
  async run(claim) {
    claims.push(claim);
    return carry(claim);
  },
  abandon: () => Promise.resolve(ended('failed', 'worker_crashed_repeatedly')),
};

@Injectable()
class Asking {
  constructor(
    @InjectQueue(QUEUE) queue: Queue,
    kinds: RunKinds,
    worker: RunWorker,
  ) {
    const dispatcher = new RunDispatcher(queue, QUEUE);
    kinds.registerDefault({ name: QUEUE, dispatcher });
    worker.register(QUEUE, handler, 2);
  }
}

/** Calls `meanwhile` after each suspension. */
function slow(store: RunStore): void {
  const suspend = store.await.bind(store);
  store.await = async (...given) => {
    const outcome = await suspend(...given);
    await meanwhile(outcome);
    return outcome;
  };
}

describe(RunProcessor.name, () => {
  let redis: TestRedis;
  let room: Invocations;
  let settled: string[];
  const workers: INestApplicationContext[] = [];

  beforeAll(async () => {
    redis = await TestRedis.start();
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    await redis.call('FLUSHALL');
    carry = ({ fields }) =>
      fields['decision:a'] ? { status: 'completed' } : ASK;
    meanwhile = () => Promise.resolve();
    beforeClaim = () => Promise.resolve();
    claims = [];
    settled = [];
    room = new Invocations(redis, loadConfig({ REDIS_URL: redis.url }));
    await room.create(ID, 'chat');
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.close()));
    await room.close();
  });

  const startWorker = async (listener?: EndListener): Promise<RunWorker> => {
    const worker = await NestFactory.createApplicationContext(
      {
        module: class {},
        imports: [
          ConfigModule.forRoot(room.config),
          RedisModule.forRoot('wait'),
          BullModule.forRootAsync(queueOptions),
          BullModule.registerQueue({ name: QUEUE }),
          RunWorkerModule,
        ],
        providers: [Asking],
      },
      { logger: false },
    );
    workers.push(worker);
    const endings = worker.get(EndListeners);
    endings.register({
      settle: async (id) => {
        await listener?.settle?.(id);
        settled.push(id);
      },
    });
    slow(worker.get(RunStore));
    return worker.get(RunWorker);
  };
  const dispatcher = () => room.kinds.dispatcherOf('chat');
  const begin = () => dispatcher().start(ID, 'normal');
  const decide = () => room.store.decide(ID, { a: 'yes' });
  const status = () => room.reader.readStatus(ID);
  const isIn = (wanted: string) =>
    until(
      `the status ${wanted}`,
      async (saw) => saw(await status()) === wanted,
    );
  const delivered = () =>
    until(
      'the delivery to end',
      async () => !(await dispatcher().isUnderWay(ID)),
    );
  /** Workers that wait for something to do. */
  const idlers = async () =>
    String(await redis.call('CLIENT', 'LIST')).split('cmd=bzpopmin').length - 1;
  const completed = async () => {
    await isIn('completed');
    await until('the run to be settled', () => settled.length > 0);
    expect(await room.indexed()).toEqual([]);
  };

  it('lets go of a run that waits for a human, and does not settle it', async () => {
    await startWorker();
    await begin();
    await isIn('requires_action');
    await delivered();
    expect(settled).toEqual([]);
    expect(await room.indexed()).toEqual([ID]);
  });

  it('goes on in another process once it is decided', async () => {
    const first = await startWorker();
    await begin();
    await isIn('requires_action');
    await delivered();
    await first.beforeApplicationShutdown();
    await startWorker();
    await decide();
    await dispatcher().revive(ID, 'normal');
    await completed();
    expect(claims).toHaveLength(2);
    expect(claims[1].crashes).toBe(0);
  });

  it('goes on though it was decided before its delivery had ended', async () => {
    meanwhile = async () => {
      await decide();
      // The delivery that is still under way stands in the way of another.
      await dispatcher().revive(ID, 'normal');
    };
    await startWorker();
    await begin();
    await completed();
    expect(claims).toHaveLength(2);
  });

  it('goes on at once where nothing is left to decide', async () => {
    carry = () =>
      claims.length > 1 ? { status: 'completed' } : new Suspension([], {});
    await startWorker();
    await begin();
    await completed();
    expect(claims).toHaveLength(2);
  });

  it.each([
    ['long since', true],
    ['since a moment ago', false],
  ])('leaves alone a run that waits %s', async (_, already) => {
    const ask = () => room.store.await(ID, undefined, ASK);
    if (already) await ask();
    beforeClaim = ask;
    await startWorker();
    await begin();
    await delivered();
    expect(await status()).toBe('requires_action');
    expect(claims).toEqual([]);
    expect(settled).toEqual([]);
    expect(await room.indexed()).toEqual([ID]);
  });

  it('leaves a wake-up for the workers that are left', async () => {
    const leaving = await startWorker();
    const { queue } = dispatcher();
    await redis.call('DEL', queue.toKey('marker'));
    await leaving.beforeApplicationShutdown();
    expect(await redis.call('ZSCORE', queue.toKey('marker'), '0')).toBe('0');
  });

  it('wakes an idle worker for what it hands on as it leaves', async () => {
    let handOn!: (rescheduled: Rescheduled) => void;
    carry = () => new Promise((resolve) => (handOn = resolve));
    const leaving = await startWorker();
    await begin();
    await until('the run to be claimed', () => claims.length > 0);
    const taken: string[] = [];
    const idle = new Worker(
      QUEUE,
      async ({ data }) => void taken.push(data.invocation_id),
      // Looks into the queue by itself only in an hour.
      {
        connection: { path: redis.socket },
        prefix: QUEUE_PREFIX,
        drainDelay: 3_600,
      },
    );
    try {
      await until(
        'two workers to be idle',
        async (saw) => saw(await idlers()) === 2,
      );
      const left = leaving.beforeApplicationShutdown();
      handOn(new Rescheduled(0));
      await left;
      await until('the idle worker to take the run', () => taken.length > 0);
      expect(taken).toEqual([ID]);
    } finally {
      await idle.close();
    }
  });

  it('logs on its job each stage once, however often it is polled', async () => {
    const [searches, text] = [
      { searches: 1, pages_opened: 0, last_step: null },
      'MARKER',
    ];
    carry = async (claim) => {
      const writer = new RunWriter(room.store, claim);
      await writer.append({
        events: [
          { type: 'progress', data: { kind: 'web_search', detail: text } },
          { type: 'output_text', data: { text } },
        ],
        fields: { progress: JSON.stringify(searches) },
        text,
      });
      return claims.length < 4 ? new Rescheduled(0) : { status: 'completed' };
    };
    await startWorker();
    await begin();
    await completed();
    await delivered();
    const { queue } = dispatcher();
    expect(claims).toHaveLength(4);
    const { logs } = await queue.getJobLogs(ID);
    expect(logs.map((line) => line.replace(/^\S+Z /, ''))).toEqual([
      expect.stringMatching(/^claimed worker=\S{8,}$/),
      'searching',
      'writing',
      expect.stringMatching(/^ended completed seconds=[\d.]+$/),
    ]);
    const job = await queue.getJob(ID);
    expect(job!.returnvalue).toEqual({
      status: 'completed',
      seconds: expect.any(Number),
    });
    for (let n = 0; n < JOB_LOG_LINES; n += 1)
      dispatcher().log(ID, `line ${n}`);
    await until(
      'the older lines to be dropped',
      async (saw) => saw(await queue.getJobLogs(ID)).logs[0] === 'line 0',
    );
    expect((await queue.getJobLogs(ID)).count).toBe(JOB_LOG_LINES);
  });

  it.each<[string, string, () => Outcome | Promise<Outcome>]>([
    ['completed', 'ends', () => ({ status: 'completed' })],
    [
      'cancelled',
      'is cancelled before it can wait',
      async () => {
        await room.store.cancel(ID, { remove: false });
        return ASK;
      },
    ],
  ])(
    'has freed its place before anyone sees %s, of a run that %s',
    async (end, _, how) => {
      carry = how;
      let settle!: () => void;
      const worker = await startWorker({
        settle: () => new Promise((resolve) => (settle = resolve)),
      });
      await begin();
      await isIn(end);
      await until('the end to be settled', () => settle !== undefined);
      expect(await room.unfinished.count()).toBe(0);
      // Until it is settled the reconciler finds it.
      expect(await room.indexed()).toEqual([ID]);
      settle();
      await until('the run to be settled', () => settled.length > 0);
      await worker.beforeApplicationShutdown();
      expect(await room.indexed()).toEqual([]);
    },
  );

  it.each([
    [
      'another worker has it',
      async () => {
        await redis.call('HINCRBY', KEYS.record(ID), 'fence', '1');
        return { status: 'completed' } as const;
      },
    ],
    ['it waits for a human', () => ASK],
  ])('keeps the place of a run that has not ended: %s', async (_, how) => {
    carry = how;
    await startWorker();
    await begin();
    await until('the run to be claimed', () => claims.length > 0);
    await delivered();
    expect(await room.unfinished.count()).toBe(1);
  });

  it('settles one that was cancelled before it could wait', async () => {
    carry = async () => {
      await room.store.cancel(ID, { remove: false });
      return ASK;
    };
    await startWorker();
    await begin();
    await isIn('cancelled');
    await until('the run to be settled', () => settled.length > 0);
    expect(await room.indexed()).toEqual([]);
  });

  describe('killed right after it has put a run to rest', () => {
    const killed = async () => {
      let resting!: () => void;
      const rests = new Promise<void>((resolve) => (resting = resolve));
      meanwhile = () => {
        resting();
        return new Promise<never>(() => undefined);
      };
      const worker = await startWorker();
      await begin();
      await rests;
      await Promise.all(worker.workers.map((one) => one.close(true)));
      expect(await dispatcher().isUnderWay(ID)).toBe(true);
      await expireAllLeases(redis);
    };

    it('leaves a delivery that another acknowledges', async () => {
      await killed();
      await startWorker();
      await delivered();
      expect(await status()).toBe('requires_action');
      await decide();
      await dispatcher().revive(ID, 'normal');
      await completed();
    });

    it('leaves one with which another goes on if it was decided meanwhile', async () => {
      await killed();
      await decide();
      await dispatcher().revive(ID, 'normal');
      await startWorker();
      await completed();
      expect(claims).toHaveLength(2);
      expect(claims[1].crashes).toBe(0);
    });
  });
});
