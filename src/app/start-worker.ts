import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AppConfig } from '../config/config';
import { WorkerModule } from './worker.module';

/** Creates a worker, which starts to claim runs. Closing it returns its active runs to the other workers. */
export function startWorker(
  config: AppConfig,
): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(WorkerModule.forRoot(config), {
    abortOnError: false,
  });
}
