import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestRedis } from '../../support/redis/redis';
import { until } from '../../support/until';

const WORKER = join(__dirname, '../../../dist/src/app/worker.js');

/** A pipe that holds no more, and that nobody reads. */
function fullPipe(path: string): number {
  execFileSync('mkfifo', [path]);
  openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const filled = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  const fill = (bytes: number): void => {
    try {
      for (;;) writeSync(filled, Buffer.alloc(bytes));
    } catch {
      // It holds no more of this size.
    }
  };
  fill(4_096);
  fill(1);
  return openSync(path, constants.O_WRONLY);
}

describe('the end of a worker', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'shutdown-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each(['is there', 'is gone'])(
    'comes in its time where nobody reads its log and Redis %s',
    async (redisIs) => {
      const redis = await TestRedis.start();
      const worker = spawn(process.execPath, [WORKER], {
        env: {
          PATH: process.env.PATH,
          RELAY_ENV_FILE: 'none',
          REDIS_URL: redis.url,
          LITELLM_BASE_URL: 'http://127.0.0.1:9',
        },
        stdio: ['ignore', fullPipe(join(folder, 'log')), 'ignore'],
      });
      const ended = once(worker, 'exit');
      await until('the worker to wait for runs', async (saw) =>
        String(saw(await redis.call('CLIENT', 'LIST'))).includes('bzpopmin'),
      );
      if (redisIs === 'is gone') await redis.stop();
      worker.kill('SIGTERM');
      // Its main thread is blocked.
      expect(await ended).toEqual([null, 'SIGKILL']);
      if (redisIs === 'is there') await redis.stop();
    },
  );
});
