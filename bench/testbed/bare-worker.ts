import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { now } from '../measure';
import { handle, report } from './probe';

/** Processes the jobs of the bare adder. With `HOLD=1` no job ever completes. */
const hold = process.env.HOLD === '1';
let active = 0;
const never = new Promise<void>(() => undefined);

const worker = new Worker(
  'bare',
  () => {
    report('started', now());
    if (!hold) return Promise.resolve();
    active += 1;
    return never;
  },
  {
    connection: new Redis({
      path: process.env.REDIS_PATH!,
      maxRetriesPerRequest: null,
    }),
    prefix: '{bench}',
    concurrency: 10_000,
    // The defaults of the service.
    lockDuration: 30_000,
    stalledInterval: 15_000,
  },
);

handle('active', () => active);
void worker.waitUntilReady().then(() => console.log('bare worker is ready'));
