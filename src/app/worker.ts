import { Logger } from '@nestjs/common';
import { startHeartbeat } from '../observability/health/heartbeat';
import { runProcess } from './process-lifecycle';
import { RedisConnections } from '../redis/redis-connections';
import { requireOutsideParts } from './required';
import { startWorker } from './start-worker';

runProcess(async (config, atEnd) => {
  requireOutsideParts(config);
  const worker = await startWorker(config);
  atEnd(() => worker.close());
  const { heartbeatFile } = config;
  if (heartbeatFile !== undefined) {
    const redis = worker.get(RedisConnections, { strict: false });
    const stop = startHeartbeat(heartbeatFile, () => redis.ready);
    atEnd(async () => stop());
  }
  new Logger('Sonde').log('Sonde is working');
});
