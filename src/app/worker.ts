import { Logger } from '@nestjs/common';
import { keepLivenessFile } from '../platform/observability/health/liveness-file';
import { startMetrics } from './metrics/process-metrics';
import { requireRedisAndUpstream, runProcess } from './process-lifecycle';
import { RedisConnections } from '../platform/redis/redis-connections';
import { startWorker } from './start-worker';

runProcess(async (config, onShutdown) => {
  requireRedisAndUpstream(config);
  const metrics = await startMetrics(config, onShutdown);
  const worker = await startWorker(config);
  onShutdown(() => worker.close());
  metrics.watch(worker);
  const { heartbeatFile } = config;
  if (heartbeatFile !== undefined) {
    const redis = worker.get(RedisConnections, { strict: false });
    const stop = keepLivenessFile(heartbeatFile, () => redis.ready);
    onShutdown(async () => stop());
  }
  new Logger('Sonde').log('Sonde is working');
});
