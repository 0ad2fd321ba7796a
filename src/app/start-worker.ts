import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AppConfig } from '../config/config';
import { WorkerModule } from './worker.module';

/** Builds a worker, which begins to take runs. Closing it hands those it holds back to the others. */
export function startWorker(
  config: AppConfig,
): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(WorkerModule.forRoot(config), {
    abortOnError: false,
  });
}
