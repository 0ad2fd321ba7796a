import { Logger } from '@nestjs/common';
import { runProcess } from './process';
import { requireOutsideParts } from './required';
import { startWorker } from './start-worker';

runProcess(async (config, atEnd) => {
  requireOutsideParts(config);
  const worker = await startWorker(config);
  atEnd(() => worker.close());
  new Logger('Sonde').log('Sonde is working');
});
