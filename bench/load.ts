import { Pool } from 'undici';
import type { Child } from './testbed/child';
import { now } from './measure';

export interface Load {
  path: string;
  body: object;
  headers?: Record<string, string>;
  callers: number;
  count: number;
}

export interface Speed {
  perSecond: number;
  /** CPU time of the called process. */
  perCpuSecond: number;
}

/** Sends `count` requests from `callers` callers, each with one request at a time. */
export async function drive(child: Child, load: Load): Promise<Speed> {
  const pool = new Pool(child.url, { connections: load.callers });
  const body = JSON.stringify(load.body);
  const post = async (): Promise<void> => {
    const reply = await pool.request({
      path: load.path,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...load.headers },
      body,
    });
    const text = await reply.body.text();
    if (reply.statusCode >= 300)
      throw new Error(`${load.path}: ${reply.statusCode} ${text}`);
  };
  try {
    const before = await child.usage();
    const start = now();
    await repeat(load, post);
    const seconds = (now() - start) / 1000;
    const after = await child.usage();
    return {
      perSecond: load.count / seconds,
      perCpuSecond: load.count / (after.cpuSeconds - before.cpuSeconds),
    };
  } finally {
    await pool.close();
  }
}

export async function repeat(
  { callers, count }: { callers: number; count: number },
  once: () => Promise<unknown>,
): Promise<void> {
  let left = count;
  const caller = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await once();
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
}
