import { library } from '../../sandbox/corpus/library';
import { startSandbox } from '../../sandbox/server';
import type { AppConfig } from '../config/config';
import type { RedisTarget } from '../config/settings/redis-url';
import { runProcess, type Start } from './process-lifecycle';
import { embeddedDataDir, startEmbeddedRedis } from '../redis/embedded-redis';
import { startApi } from './start-api';
import { startWorker } from './start-worker';

/** Runs everything in one process and embeds what is not configured: for a first look, a laptop or a small server. */
runProcess(async (configured, onShutdown) => {
  const redis = configured.redis ?? (await embedRedis(configured, onShutdown));
  const upstream = Object.freeze({
    ...configured.upstream,
    ...(configured.upstream.baseUrl === undefined &&
      (await embedSandbox(onShutdown))),
  });
  const config: AppConfig = Object.freeze(
    Object.assign({}, configured, { redis, upstream }),
  );
  const worker = await startWorker(config);
  const closes = [() => worker.close()];
  // Closed together: a request that waits for a run needs the last events of the worker.
  onShutdown(() => Promise.all(closes.map((close) => close())));
  const api = await startApi(config);
  closes.push(() => api.close());
  announce(`Sonde is listening on ${api.url}`);
});

async function embedRedis(
  { dataDir }: AppConfig,
  onShutdown: Parameters<Start>[1],
): Promise<RedisTarget> {
  const folder = embeddedDataDir(dataDir);
  const redis = await startEmbeddedRedis({ dataDir: folder });
  let closing = false;
  onShutdown(() => {
    closing = true;
    return redis.stop();
  });
  void redis.ended.then((lastOutput) => {
    if (!closing) throw new Error(`The embedded Redis ended: ${lastOutput}`);
  });
  announce(`Redis: embedded, data in ${folder}`);
  return redis.target;
}

async function embedSandbox(
  onShutdown: Parameters<Start>[1],
): Promise<Pick<AppConfig['upstream'], 'baseUrl' | 'sandboxTopics'>> {
  const sandbox = await startSandbox({ port: 0 });
  onShutdown(() => sandbox.close());
  announce(
    `Upstream: built-in sandbox at ${sandbox.url} (set LITELLM_BASE_URL for a real one)`,
  );
  const sandboxTopics = Object.freeze([
    ...new Set(library.map(({ title }) => title)),
  ]);
  return { baseUrl: `${sandbox.url}/v1`, sandboxTopics };
}

/** Plain lines at any log level, for the person who started the process. */
function announce(line: string): void {
  process.stdout.write(`${line}\n`);
}
