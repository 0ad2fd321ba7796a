import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { v7 as uuidv7 } from 'uuid';
import { RESEARCH_JOB } from '../../src/research/research-queue';
import { JOB_OPTIONS } from '../../src/runs/queue/run-queue';
import { type Load, repeat } from '../load';
import { now } from '../measure';
import { handle } from './probe';

/** Adds the same jobs as the service: as many as the bench requests, and one for every HTTP request. */
const connection = new Redis({
  path: process.env.REDIS_PATH!,
  maxRetriesPerRequest: null,
});
const queue = new Queue('bare', { connection, prefix: '{bench}' });

handle('add', async (load: Pick<Load, 'callers' | 'count'>) => {
  const start = now();
  await repeat(load, add);
  return (now() - start) / 1000;
});

const server = createServer((incoming, reply) => {
  incoming.resume();
  incoming.on('end', () => {
    void add().then((invocation_id) => {
      reply.writeHead(202, { 'content-type': 'application/json' });
      reply.end(JSON.stringify({ invocation_id }));
    });
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(`listening on http://127.0.0.1:${port}`);
});

async function add(): Promise<string> {
  const invocation_id = `inv_${uuidv7().replaceAll('-', '')}`;
  const options = { ...JOB_OPTIONS, jobId: invocation_id };
  await queue.add(RESEARCH_JOB, { invocation_id }, options);
  return invocation_id;
}
