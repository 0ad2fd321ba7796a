import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { now } from './measure';
import { answer, tell } from './probe';

/** Takes the jobs of the bare adder. With `HOLD=1` it holds every one of them, awaiting, as long as it lives. */
const hold = process.env.HOLD === '1';
let held = 0;
const never = new Promise<void>(() => undefined);

const worker = new Worker(
  'bare',
  () => {
    tell('started', now());
    if (!hold) return Promise.resolve();
    held += 1;
    return never;
  },
  {
    connection: new Redis({
      path: process.env.REDIS_PATH!,
      maxRetriesPerRequest: null,
    }),
    prefix: '{bench}',
    concurrency: 10_000,
    // As the service has them by default.
    lockDuration: 30_000,
    stalledInterval: 15_000,
  },
);

answer('held', () => held);
void worker.waitUntilReady().then(() => console.log('bare worker is ready'));
