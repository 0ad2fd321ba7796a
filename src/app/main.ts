import { Logger } from '@nestjs/common';
import { runProcess } from './process-lifecycle';
import { requireOutsideParts } from './required';
import { startApi } from './start-api';

runProcess(async (config, atEnd) => {
  requireOutsideParts(config);
  const api = await startApi(config);
  atEnd(() => api.close());
  new Logger('Sonde').log(`Sonde is listening on ${api.url}`);
});
