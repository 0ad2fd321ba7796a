import { library } from '../../sandbox/corpus/library';
import { startSandbox } from '../../sandbox/server';
import type { AppConfig } from '../config/config';
import type { RedisTarget } from '../config/addresses/redis-url';
import {
  DEFAULT_TIMEOUT_MS,
  type SearchProviderConfig,
} from '../config/files/search-provider';
import { runProcess, type Start } from './process-lifecycle';
import {
  embeddedDataDir,
  startEmbeddedRedis,
} from '../platform/redis/embedded-redis';
import { startMetrics } from './metrics/process-metrics';
import { startApi } from './start-api';
import { startWorker } from './start-worker';

/** Runs everything in one process and embeds what is not configured: for a first look, a laptop or a small server. */
runProcess(async (configured, onShutdown) => {
  const metrics = await startMetrics(configured, onShutdown);
  const redis = configured.redis ?? (await embedRedis(configured, onShutdown));
  const sandbox =
    configured.upstream.baseUrl === undefined
      ? await embedSandbox(configured, onShutdown)
      : {};
  const config: AppConfig = Object.freeze(
    Object.assign({}, configured, { redis }, sandbox),
  );
  const worker = await startWorker(config);
  const closes = [() => worker.close()];
  // Closed together: a request that waits for a run needs the last events of the worker.
  onShutdown(() => Promise.all(closes.map((close) => close())));
  const api = await startApi(config);
  closes.push(() => api.close());
  metrics.watch(worker);
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

/** The sandbox is also what is searched and read, unless a search of the web is configured. */
async function embedSandbox(
  { upstream, search, pages }: AppConfig,
  onShutdown: Parameters<Start>[1],
): Promise<Pick<AppConfig, 'upstream'> & Partial<AppConfig>> {
  const sandbox = await startSandbox({ port: 0 });
  const { url } = sandbox;
  onShutdown(() => sandbox.close());
  announce(
    `Upstream: built-in sandbox at ${url} (set LITELLM_BASE_URL for a real one)`,
  );
  const sandboxTopics = Object.freeze([
    ...new Set(library.map(({ title }) => title)),
  ]);
  const embedded = {
    upstream: Object.freeze({
      ...upstream,
      baseUrl: `${url}/v1`,
      sandboxTopics,
    }),
  };
  if (search.providers.some(({ scope }) => scope === 'public')) return embedded;
  return {
    ...embedded,
    search: Object.freeze({
      providers: [sandboxSearch(url), ...search.providers],
    }),
    pages: Object.freeze({
      ...pages,
      allowedOrigins: [...pages.allowedOrigins, url],
    }),
  };
}

const sandboxSearch = (url: string): SearchProviderConfig => ({
  kind: 'searxng',
  name: 'sandbox',
  scope: 'public',
  timeoutMs: DEFAULT_TIMEOUT_MS,
  url,
});

/** Plain lines at any log level, for the person who started the process. */
function announce(line: string): void {
  process.stdout.write(`${line}\n`);
}
