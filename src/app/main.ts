import { Logger } from '@nestjs/common';
import { startMetrics } from './metrics/process-metrics';
import { requireRedisAndUpstream, runProcess } from './process-lifecycle';
import { startApi } from './start-api';

runProcess(async (config, onShutdown) => {
  requireRedisAndUpstream(config);
  const metrics = await startMetrics(config, onShutdown);
  const api = await startApi(config);
  onShutdown(() => api.close());
  metrics.watch(api.context);
  new Logger('Sonde').log(`Sonde is listening on ${api.url}`);
});
