import { library } from '../../sandbox/corpus/library';
import { startSandbox } from '../../sandbox/server';
import type { AppConfig } from '../config/config';
import type { RedisTarget } from '../config/settings/redis-url';
import { runProcess, type Start } from './process-lifecycle';
import { embeddedData, startEmbeddedRedis } from '../redis/embedded-redis';
import { startApi } from './start-api';
import { startWorker } from './start-worker';

/** Everything in one process, and what is not configured is embedded: for a first look, a laptop, a small server. */
runProcess(async (given, onShutdown) => {
  const redis = given.redis ?? (await embedRedis(given, onShutdown));
  const upstream = Object.freeze({
    ...given.upstream,
    ...(given.upstream.baseUrl === undefined &&
      (await embedSandbox(onShutdown))),
  });
  const config: AppConfig = Object.freeze(
    Object.assign({}, given, { redis, upstream }),
  );
  const worker = await startWorker(config);
  const closes = [() => worker.close()];
  // Together: a reply that waits for a run needs the worker's last words.
  onShutdown(() => Promise.all(closes.map((close) => close())));
  const api = await startApi(config);
  closes.push(() => api.close());
  announce(`Sonde is listening on ${api.url}`);
});

async function embedRedis(
  { dataDir }: AppConfig,
  onShutdown: Parameters<Start>[1],
): Promise<RedisTarget> {
  const folder = embeddedData(dataDir);
  const redis = await startEmbeddedRedis({ dataDir: folder });
  let closing = false;
  onShutdown(() => {
    closing = true;
    return redis.stop();
  });
  void redis.ended.then((lastWords) => {
    if (!closing) throw new Error(`The embedded Redis ended: ${lastWords}`);
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

/** Plain lines, whatever the log level: they are for the person who typed the command. */
function announce(line: string): void {
  process.stdout.write(`${line}\n`);
}
