import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, readFile, realpath } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../config/environment';
import type { RedisTarget } from '../config/settings/redis-url';
import { GUARD, IN_USE, NOT_FOUND } from './embedded-redis.script';
import { probeSocket } from './probe-socket';

const PREDECESSOR_MS = 5_000;
/** For a server that runs to say anything at all. One that loads its data says so, and may take longer. */
const SILENT_MS = 15_000;
const STOP_MS = 5_000;
const POLL_MS = 20;
const SOCKET = 'redis.sock';
/** In the folder of the data: locked by the server that uses it, and says where that listens. */
const LOCK = 'in-use';

/** The data of the embedded Redis, in the folder of all data. */
export function embeddedData(dataDir: string): string {
  return join(dataDir, 'redis');
}

export interface EmbeddedRedis {
  readonly target: RedisTarget;
  /** Resolves with the last words of the server when it ends, wanted or not. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts a private Redis that keeps its data in `dataDir`, reachable only through a Unix socket of this user, and that
 * ends with this process.
 * @throws ConfigError with one line that says what to do, if there is no server to start or the data is in use.
 */
export async function startEmbeddedRedis({
  dataDir,
  predecessorMs = PREDECESSOR_MS,
}: {
  dataDir: string;
  /** How long the server of a predecessor that was killed may take to end. */
  predecessorMs?: number;
}): Promise<EmbeddedRedis> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const data = await realpath(dataDir);
  const path = join(await makeSocketFolder(data), SOCKET);
  const deadline = performance.now() + predecessorMs;
  for (;;) {
    const redis = (await isFree(path, data)) && (await spawnOn(path, data));
    if (redis) return redis;
    if (performance.now() > deadline)
      throw new ConfigError(
        `RELAY_DATA_DIR: another process is using the data in ${dataDir}. Stop it, or set another folder. Example: ./data2`,
      );
    await sleep(POLL_MS);
  }
}

/** Undefined: the data is locked by another server. */
async function spawnOn(
  path: string,
  data: string,
): Promise<EmbeddedRedis | undefined> {
  const child = spawn(
    'sh',
    [
      '-c',
      GUARD,
      'sonde-redis',
      privateServer(),
      join(data, LOCK),
      path,
      ...serverOptions(path, data),
    ],
    // A group of its own: the terminal's Ctrl-C must not end Redis before the service has put its work down.
    { detached: true, stdio: ['pipe', 'pipe', 'pipe'] },
  );
  // It may be gone when stdin is closed.
  child.stdin.on('error', () => undefined);
  const lastWords = collectLines(child);
  const ended = once(child, 'close').then(lastWords);
  if (!(await becomesReady(child, path, lastWords))) return undefined;
  return {
    target: { kind: 'socket', path, db: 0 },
    ended,
    stop: () => stop(child),
  };
}

/** The server that another process runs on the data in `dataDir`; undefined if there is none. */
export async function findEmbeddedRedis(
  dataDir: string,
): Promise<RedisTarget | undefined> {
  const data = await realpath(dataDir).catch(() => undefined);
  if (data === undefined) return undefined;
  for (const path of new Set([
    join(socketFolder(data), SOCKET),
    await lastSocket(data),
  ])) {
    const found = path && (await lstat(dirname(path)).catch(() => undefined));
    if (!found || found.uid !== userInfo().uid) continue;
    if ((await probeSocket(path)) === 'ready')
      return { kind: 'socket', path, db: 0 };
  }
  return undefined;
}

/** Where script/bootstrap unpacks a server for users who cannot install one: at the root of the project. */
function privateServer(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json')) && folder !== '/')
    folder = dirname(folder);
  return join(folder, '.redis/bin');
}

function serverOptions(path: string, data: string): string[] {
  return Object.entries({
    port: '0',
    unixsocket: path,
    unixsocketperm: '700',
    dir: data,
    appendonly: 'yes',
    appendfsync: 'everysec',
    save: '',
    'maxmemory-policy': 'noeviction',
    loglevel: 'warning',
    daemonize: 'no',
  }).flatMap(([name, value]) => [`--${name}`, value]);
}

/** Not in the data folder: the path of a socket has about 100 bytes. */
function socketFolder(data: string): string {
  const hash = createHash('sha256').update(data).digest('hex').slice(0, 12);
  return join(tmpdir(), `sonde-${userInfo().uid}-${hash}`);
}

async function makeSocketFolder(data: string): Promise<string> {
  const folder = socketFolder(data);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  // Anybody can make a folder of this name there first, and would own our socket.
  if (!found.isDirectory() || found.uid !== userInfo().uid)
    throw new ConfigError(`${folder} belongs to somebody else. Remove it.`);
  await chmod(folder, 0o700);
  return folder;
}

/** Nobody listens at this place, nor where the last server on the data did, wherever its temporary files were. */
async function isFree(path: string, data: string): Promise<boolean> {
  const places = new Set<string | undefined>([path, await lastSocket(data)]);
  places.delete(undefined);
  const states = [...places].map((place) => probeSocket(place!));
  return (await Promise.all(states)).every((state) => state === 'away');
}

async function lastSocket(data: string): Promise<string | undefined> {
  const text = await readFile(join(data, LOCK), 'utf8').catch(() => '');
  return text.trim() || undefined;
}

/** False: another server has the data. */
async function becomesReady(
  child: ChildProcess,
  path: string,
  lastWords: () => string,
): Promise<boolean> {
  let deadline = Date.now() + SILENT_MS;
  for (;;) {
    if (child.exitCode === IN_USE) return false;
    if (child.exitCode === NOT_FOUND)
      throw new ConfigError(
        'REDIS_URL is not set, and there is neither redis-server nor valkey-server to embed. Install one, or set it. Example: redis://127.0.0.1:6379',
      );
    if (child.exitCode !== null || child.signalCode !== null)
      throw new ConfigError(
        `The embedded Redis ended at its start: ${lastWords()}`,
      );
    const state = await probeSocket(path);
    if (state === 'ready') return true;
    if (state === 'busy') deadline = Date.now() + SILENT_MS;
    if (Date.now() > deadline) {
      await stop(child);
      throw new ConfigError(
        `The embedded Redis does not answer: ${lastWords()}`,
      );
    }
    await sleep(POLL_MS);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.stdin?.end();
  const limit = new AbortController();
  const killer = sleep(STOP_MS, undefined, { signal: limit.signal }).then(
    () => process.kill(-child.pid!, 'SIGKILL'),
    // Aborted: it ended by itself.
    () => undefined,
  );
  await closed;
  limit.abort();
  await killer;
}

/** Keeps the last lines that the server printed, as one line. */
function collectLines(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-1_000);
    });
  return () =>
    text
      .trim()
      .split(/\s*\n\s*/)
      .slice(-3)
      .join(' | ');
}
