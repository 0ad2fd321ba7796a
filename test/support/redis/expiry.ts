import { type Job, Queue, Worker } from 'bullmq';
import { QUEUE_PREFIX } from '../../../src/app/queue-options';
import { ALARM_QUEUE } from '../../../src/chat/alarms/alarm-kind';
import { CHAT_QUEUE } from '../../../src/chat/background/chat-kind';
import { RESEARCH_QUEUE } from '../../../src/research/research-queue';
import { workerOptions } from '../../../src/runs/queue/run-queue';
import { KEYS } from '../../../src/runs/record/run-keys';
import { TOOL_QUEUE } from '../../../src/tool-invocations/execution/tool-kind';
import { until } from '../until';
import type { TestRedis } from './redis';

/** The queues that deliver runs. */
const QUEUES = [RESEARCH_QUEUE, TOOL_QUEUE, CHAT_QUEUE, ALARM_QUEUE];

/**
 * Ends what a lost worker still holds of these runs, as half a minute without it would: the lease, and the lock of the
 * delivery, which goes to another worker. Of a worker that lives it takes the run as well.
 */
export async function expireLeases(
  redis: TestRedis,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids)
    // Of one that is not held it changes nothing.
    await redis.call('EVAL', END_LEASE, '1', KEYS.record(id));
  for (const name of QUEUES)
    await onQueue(redis, name, (queue) => deliverAgain(redis, queue, ids));
}

/** Expires all that is held: no worker is left. */
export async function expireAllLeases(redis: TestRedis): Promise<void> {
  const ids = await Promise.all([
    redis.call('ZRANGE', KEYS.unfinished, '0', '-1'),
    // Of a run that has been settled, only its delivery may be left.
    ...QUEUES.map((name) =>
      redis.call('LRANGE', `${QUEUE_PREFIX}:${name}:active`, '0', '-1'),
    ),
  ]);
  await expireLeases(redis, [...new Set((ids as string[][]).flat())]);
}

/** As if another run had been found to crash the workers until now: none that was lost with them is suspected. */
export async function acquitAll(redis: TestRedis): Promise<void> {
  const [seconds] = (await redis.call('TIME')) as string[];
  await redis.call('SET', KEYS.acquitted, `${Number(seconds) + 1}000`);
}

/** From now on no request is a repeat of an earlier one, see `AdoptedRuns`. */
export async function forgetRequests(redis: TestRedis): Promise<void> {
  await redis.call('EVAL', FORGET, '0', 'sonde:{repeat:*');
}

const FORGET = `
for _, key in ipairs(redis.call('KEYS', ARGV[1])) do redis.call('DEL', key) end
`;

const END_LEASE = `
if (redis.call('HGET', KEYS[1], 'worker') or '') ~= '' then redis.call('HSET', KEYS[1], 'lease_ms', '0') end
`;

/**
 * Makes a run due that was accepted for later, and has it delivered.
 * @returns for when its delivery was planned, in ms since 1970; undefined: no worker had planned one.
 */
export async function comeDue(
  redis: TestRedis,
  id: string,
): Promise<number | undefined> {
  const [seconds] = (await redis.call('TIME')) as string[];
  await redis.call('HSET', KEYS.record(id), 'due_ms', `${seconds}000`);
  let planned: number | undefined;
  await onQueue(redis, ALARM_QUEUE, (queue) =>
    until(`the delivery of ${id}`, async (saw) => {
      const job = (await queue.getJob(id)) as Job | undefined;
      const state = saw(await job?.getState());
      // A worker that holds it has read when it was due before.
      if (state === 'active') return false;
      if (state === 'delayed') {
        const score = await redis.call('ZSCORE', queue.toKey('delayed'), id);
        // BullMQ counts the jobs of a millisecond in the lowest twelve bits.
        planned = Math.floor(Number(score) / 4_096);
        await job!.promote().catch(() => undefined);
      }
      return true;
    }),
  );
  return planned;
}

/** An API key of the store expires now; every process knows it a moment later. */
export async function expireKey(redis: TestRedis, id: string): Promise<void> {
  const stored = (await redis.call('HGET', STORED_KEYS, id)) as string;
  const key = { ...(JSON.parse(stored) as object), expires_ms: 1 };
  await redis.call('HSET', STORED_KEYS, id, JSON.stringify(key));
  await redis.call('HINCRBY', STORED_KEYS, '#version', '1');
}

const STORED_KEYS = 'sonde:keys';

async function deliverAgain(
  redis: TestRedis,
  queue: Queue,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) {
    const job = (await queue.getJob(id)) as Job | undefined;
    const state = await job?.getState();
    // A worker that found it held has put it off until the lease is over.
    if (state === 'delayed') await job!.promote().catch(() => undefined);
    if (state !== 'active') continue;
    await redis.call('DEL', `${queue.toKey(id)}:lock`);
    await redis.call('SADD', queue.toKey('stalled'), id);
  }
  await redis.call('DEL', queue.toKey('stalled-check'));
  await checkStalled(queue);
}

/** What every worker does twice in the time of a lease. */
async function checkStalled({ name, opts }: Queue): Promise<void> {
  const worker = new Worker(name, null, {
    connection: opts.connection,
    prefix: opts.prefix,
    ...workerOptions(1, 30_000),
    autorun: false,
  });
  worker.on('error', () => undefined);
  await (
    worker as unknown as { moveStalledJobsToWait(): Promise<void> }
  ).moveStalledJobsToWait();
  await worker.close();
}

async function onQueue<T>(
  { socket: path }: TestRedis,
  name: string,
  work: (queue: Queue) => Promise<T>,
): Promise<T> {
  const queue = new Queue(name, { connection: { path }, prefix: QUEUE_PREFIX });
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}
