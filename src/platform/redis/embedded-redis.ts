import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, readFile, realpath } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../../config/environment';
import type { RedisTarget } from '../../config/addresses/redis-url';
import { GUARD, IN_USE, NOT_FOUND } from './embedded-redis.script';
import { probeSocket } from './probe-socket';

const PREDECESSOR_TIMEOUT_MS = 5_000;
/**
 * How long a running server may stay unresponsive. While it loads its data it responds that it is loading, and may take
 * longer.
 */
const UNRESPONSIVE_MS = 15_000;
const STOP_TIMEOUT_MS = 5_000;
const POLL_MS = 20;
const SOCKET = 'redis.sock';
/** In the data folder: locked by the server that uses it; contains the path of its socket. */
const LOCK = 'in-use';

/** The folder of the embedded Redis in the data folder. */
export function embeddedDataDir(dataDir: string): string {
  return join(dataDir, 'redis');
}

export interface EmbeddedRedis {
  readonly target: RedisTarget;
  /** Resolves with the last output of the server when it exits, whether stopped or not. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts a private Redis that stores its data in `dataDir`, is reachable only through a Unix socket of this user, and
 * ends with this process.
 * @throws ConfigError with one line of advice if no server is installed or the data is in use.
 */
export async function startEmbeddedRedis({
  dataDir,
  predecessorMs = PREDECESSOR_TIMEOUT_MS,
}: {
  dataDir: string;
  /** How long the server of a killed predecessor may take to exit. */
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

/** Undefined if another server has locked the data. */
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
    // A process group of its own: Ctrl-C in the terminal must not stop Redis before the service has shut down.
    { detached: true, stdio: ['pipe', 'pipe', 'pipe'] },
  );
  // The server may have exited when stdin is closed.
  child.stdin.on('error', () => undefined);
  const lastOutput = collectLines(child);
  const ended = once(child, 'close').then(lastOutput);
  if (!(await becomesReady(child, path, lastOutput))) return undefined;
  return {
    target: { kind: 'socket', path, db: 0 },
    ended,
    stop: () => stop(child),
  };
}

/** The server that another process runs on `dataDir`; undefined if none does. */
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

/** At the root of the project, where script/bootstrap unpacks a server for users who cannot install one. */
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

/** Not in the data folder: a socket path is limited to about 100 bytes. */
function socketFolder(data: string): string {
  const hash = createHash('sha256').update(data).digest('hex').slice(0, 12);
  return join(tmpdir(), `sonde-${userInfo().uid}-${hash}`);
}

async function makeSocketFolder(data: string): Promise<string> {
  const folder = socketFolder(data);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  // Another user could create this folder first and would own the socket.
  if (!found.isDirectory() || found.uid !== userInfo().uid)
    throw new ConfigError(`${folder} belongs to another user. Remove it.`);
  await chmod(folder, 0o700);
  return folder;
}

/** Whether no server listens here, nor where the last server on the data did, in whatever temporary folder. */
async function isFree(path: string, data: string): Promise<boolean> {
  const places = new Set<string | undefined>([path, await lastSocket(data)]);
  places.delete(undefined);
  const states = [...places].map((place) => probeSocket(place!));
  return (await Promise.all(states)).every((state) => state === 'closed');
}

async function lastSocket(data: string): Promise<string | undefined> {
  const text = await readFile(join(data, LOCK), 'utf8').catch(() => '');
  return text.trim() || undefined;
}

/** False if another server uses the data. */
async function becomesReady(
  child: ChildProcess,
  path: string,
  lastOutput: () => string,
): Promise<boolean> {
  let deadline = Date.now() + UNRESPONSIVE_MS;
  for (;;) {
    if (child.exitCode === IN_USE) return false;
    if (child.exitCode === NOT_FOUND)
      throw new ConfigError(
        'REDIS_URL is not set, and there is neither redis-server nor valkey-server to embed. Install one, or set it. Example: redis://127.0.0.1:6379',
      );
    if (child.exitCode !== null || child.signalCode !== null)
      throw new ConfigError(
        `The embedded Redis ended at its start: ${lastOutput()}`,
      );
    const state = await probeSocket(path);
    if (state === 'ready') return true;
    if (state === 'busy') deadline = Date.now() + UNRESPONSIVE_MS;
    if (Date.now() > deadline) {
      await stop(child);
      throw new ConfigError(
        `The embedded Redis does not respond: ${lastOutput()}`,
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
  const killer = sleep(STOP_TIMEOUT_MS, undefined, {
    signal: limit.signal,
  }).then(
    () => process.kill(-child.pid!, 'SIGKILL'),
    // Aborted: the server has exited.
    () => undefined,
  );
  await closed;
  limit.abort();
  await killer;
}

/** Collects the last lines of output as one line. */
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
