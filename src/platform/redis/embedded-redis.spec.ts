import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Redis } from 'ioredis';
import type { RedisTarget } from '../../config/addresses/redis-url';
import {
  type EmbeddedRedis,
  findEmbeddedRedis,
  startEmbeddedRedis,
} from './embedded-redis';

describe(startEmbeddedRedis.name, () => {
  let dataDir: string;
  const running: EmbeddedRedis[] = [];
  const sockets = new Set<string>();

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sonde-spec-'));
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((redis) => redis.stop()));
    await rm(dataDir, { recursive: true });
    for (const path of sockets)
      await rm(dirname(path), { recursive: true, force: true });
    sockets.clear();
  });

  async function start(): Promise<EmbeddedRedis> {
    const redis = await startEmbeddedRedis({ dataDir });
    running.push(redis);
    sockets.add(socketOf(redis.target));
    return redis;
  }

  async function ask<T>(
    target: RedisTarget,
    question: (client: Redis) => Promise<T>,
  ): Promise<T> {
    const client = new Redis({ path: socketOf(target) });
    try {
      return await question(client);
    } finally {
      client.disconnect();
    }
  }

  it('keeps its data across a restart', async () => {
    const first = await start();
    await ask(first.target, (client) => client.set('run', 'paid for'));
    await first.stop();
    const second = await start();
    expect(await ask(second.target, (client) => client.get('run'))).toBe(
      'paid for',
    );
  });

  it('is found by other processes of this user only while it runs', async () => {
    expect(await findEmbeddedRedis(dataDir)).toBeUndefined();
    const redis = await start();
    expect(await findEmbeddedRedis(dataDir)).toEqual(redis.target);
    await redis.stop();
    expect(await findEmbeddedRedis(dataDir)).toBeUndefined();
    expect(await findEmbeddedRedis(`${dataDir}/none`)).toBeUndefined();
  });

  it('listens on no port, only for this user, and evicts nothing', async () => {
    const { target } = await start();
    const path = socketOf(target);
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
    const config = await ask(target, (client) =>
      client.config('GET', 'port', 'maxmemory-policy', 'appendonly'),
    );
    expect(config).toEqual(
      expect.arrayContaining(['port', '0', 'noeviction', 'appendonly', 'yes']),
    );
  });

  it('reports which data is in use when it is started twice', async () => {
    await start();
    await expect(
      startEmbeddedRedis({ dataDir, predecessorMs: 0 }),
    ).rejects.toThrow(
      /^RELAY_DATA_DIR: another process is using the data in .*\. Example: /,
    );
  });

  it('reports this with another temporary folder too, and is found there', async () => {
    const other = await mkdtemp(join(tmpdir(), 'sonde-spec-'));
    const child = startInChild(dataDir, { TMPDIR: other });
    const [line] = (await once(child.stdout!, 'data')) as [Buffer];
    const { path } = JSON.parse(line.toString()) as { path: string };
    expect(path).toContain(other);
    const target = { kind: 'socket', path, db: 0 };
    expect(await findEmbeddedRedis(dataDir)).toEqual(target);
    const second = () => startEmbeddedRedis({ dataDir, predecessorMs: 0 });
    const refusal = /^RELAY_DATA_DIR: another process is using the data/;
    await expect(second()).rejects.toThrow(refusal);
    // Nor where it cannot be asked, as from another container.
    await writeFile(join(dataDir, 'in-use'), join(other, 'unreachable.sock'));
    await expect(second()).rejects.toThrow(refusal);
    child.kill('SIGKILL');
    const next = await start();
    expect(await ask(next.target, (client) => client.get('run'))).toBe('kept');
    await rm(other, { recursive: true });
  });

  it('reports the output of a Redis that exits at its start', async () => {
    await writeFile(join(dataDir, 'appendonlydir'), 'not a folder');
    await expect(start()).rejects.toThrow(
      /^The embedded Redis ended at its start: .*appendonlydir/,
    );
  });

  it('ends when its process is killed, and releases the data', async () => {
    const child = startInChild(dataDir);
    const [line] = (await once(child.stdout!, 'data')) as [Buffer];
    const { path, pid } = JSON.parse(line.toString()) as {
      path: string;
      pid: number;
    };
    expect(isAlive(pid)).toBe(true);
    child.kill('SIGKILL');
    // The start itself waits for the old server to be gone.
    const next = await start();
    expect(socketOf(next.target)).toBe(path);
    expect(isAlive(pid)).toBe(false);
    expect(await ask(next.target, (client) => client.get('run'))).toBe('kept');
  });

  it('reports when the server exits by itself', async () => {
    const redis = await start();
    const info = await ask(redis.target, (client) => client.info('server'));
    process.kill(Number(/process_id:(\d+)/.exec(info)?.[1]), 'SIGKILL');
    expect(await redis.ended).toEqual(expect.any(String));
  });
});

function socketOf(target: RedisTarget): string {
  if (target.kind !== 'socket') throw new Error('not a socket');
  return target.path;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A process of its own that starts a server, writes a key and says where it is. */
function startInChild(
  dataDir: string,
  env: NodeJS.ProcessEnv = {},
): ChildProcess {
  const script = `
    const ts = require('typescript');
    const { readFileSync } = require('node:fs');
    require.extensions['.ts'] = (module, file) =>
      module._compile(ts.transpile(readFileSync(file, 'utf8'), { module: 'commonjs', target: 'es2023', esModuleInterop: true }), file);
    const { startEmbeddedRedis } = require(${JSON.stringify(join(__dirname, 'embedded-redis.ts'))});
    const { Redis } = require('ioredis');
    (async () => {
      const { target: { path } } = await startEmbeddedRedis({ dataDir: ${JSON.stringify(dataDir)} });
      const client = new Redis({ path });
      await client.set('run', 'kept');
      const pid = Number(/process_id:(\\d+)/.exec(await client.info('server'))[1]);
      console.log(JSON.stringify({ path, pid }));
    })();`;
  return spawn(process.execPath, ['-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: process.cwd(),
    env: { ...process.env, ...env },
  });
}
