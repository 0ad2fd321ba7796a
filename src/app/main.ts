import { Logger } from '@nestjs/common';
import { requireRedisAndUpstream, runProcess } from './process-lifecycle';
import { startApi } from './start-api';

runProcess(async (config, onShutdown) => {
  requireRedisAndUpstream(config);
  const api = await startApi(config);
  onShutdown(() => api.close());
  new Logger('Sonde').log(`Sonde is listening on ${api.url}`);
});
