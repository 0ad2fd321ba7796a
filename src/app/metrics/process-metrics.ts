import { type INestApplicationContext, Logger } from '@nestjs/common';
import type { AppConfig } from '../../config/config';
import { ConfigError } from '../../config/environment';
import { isLoopback } from '../../config/addresses/loopback-address';
import {
  DEFAULT_CHAT_MODELS,
  DEFAULT_RESEARCH_MODELS,
} from '../../config/settings/models/default-models';
import { projectVersion } from '../../config/project-version';
import { MetricsCollector } from '../../platform/metrics/collector';
import {
  metricsPage,
  MetricsServer,
} from '../../platform/metrics/metrics-server';
import { ProcessMetrics } from '../../platform/metrics/node-metrics';
import { MetricsRegistry } from '../../platform/metrics/registry';
import { ProcessHealth } from './process-health';
import { SharedMetrics } from './shared-metrics';

type OnShutdown = (close: () => Promise<unknown>) => void;

/** The metrics and the health of a process whose parts are started after them. */
export interface RunningMetrics {
  /**
   * Adds what this part sees of Redis and the queues, and reports the process as ready. Called after the closing of the
   * part is registered: the process is reported as draining before its parts are closed.
   */
  watch(part: INestApplicationContext): void;
}

const NONE: RunningMetrics = { watch: () => undefined };

/**
 * Counts and serves what this process does, and whether it can work, if a port is configured. Called before anything else is started: a port that
 * is taken ends the start before a run is claimed.
 */
export async function startMetrics(
  config: AppConfig,
  onShutdown: OnShutdown,
): Promise<RunningMetrics> {
  const { host, ports } = config.metrics;
  if (!ports) return NONE;
  const registry = await MetricsRegistry.load();
  const own = new ProcessMetrics(registry);
  const health = new ProcessHealth();
  let shared: SharedMetrics | undefined;
  const read = async (): Promise<string> => {
    own.collect();
    await shared?.collect();
    return registry.text();
  };
  const serves = isLoopback(host) ? isLoopback : () => true;
  const options = { host, ports, serves };
  const pages = new Map([
    ['/metrics', metricsPage(read)],
    ['/health/live', () => health.live()],
    ['/health/ready', () => health.ready()],
  ]);
  const server = await MetricsServer.listen(options, pages).catch(
    ({ code }: NodeJS.ErrnoException) => refuse(config, code),
  );
  if (!server) return refuse(config, 'EADDRINUSE');
  registry.set('sonde_build_info', 1, projectVersion());
  const stop = new MetricsCollector(registry, modelsOf(config)).start();
  onShutdown(async () => {
    stop();
    own.close();
    await server.close();
  });
  new Logger('Metrics').log(`Metrics are at ${server.url}`);
  return {
    watch: (part) => {
      shared ??= new SharedMetrics(registry, part, config);
      health.started(part);
      onShutdown(async () => health.drain());
    },
  };
}

/** @throws ConfigError that names the variable which keeps the process from listening. */
function refuse({ metrics }: AppConfig, code = ''): never {
  const [first, last] = metrics.ports!;
  const given = last > first ? `${first}-${last}` : first;
  if (code === 'EADDRINUSE')
    throw new ConfigError(
      `RELAY_METRICS_PORT is ${given}, which other processes listen on. Example: ${first}-${Math.min(last + 15, 65_535)}`,
    );
  if (code === 'EACCES')
    throw new ConfigError(
      `RELAY_METRICS_PORT is ${given}, which this user may not listen on. Example: 9464-9479`,
    );
  throw new ConfigError(
    `RELAY_METRICS_HOST is ${metrics.host}, where this process cannot listen. Example: 127.0.0.1`,
  );
}

function modelsOf({ upstream, research, agents }: AppConfig): string[] {
  return [
    ...DEFAULT_CHAT_MODELS,
    ...DEFAULT_RESEARCH_MODELS,
    upstream.chatModel,
    ...upstream.chatModels,
    ...upstream.embeddingModels,
    ...upstream.researchModels,
    ...Object.values(research.agentModels),
    ...[...(agents?.agents.values() ?? [])].flatMap(({ model }) => model ?? []),
  ];
}
