import { Processor } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { RunStoreModule, RunWorkerModule } from '../../runs/runs.module';
import { workerOptions } from '../../runs/queue/run.queue';
import { ToolProcessor } from './tool.processor';
import { TOOL_QUEUE } from './tool.queue';

/** Runs tools in a worker process. */
@Module({})
export class ToolWorkerModule {
  static forRoot({ tools, runs }: AppConfig): DynamicModule {
    // A decorator by nature, applied here because its options are known only once the configuration is read.
    Processor(TOOL_QUEUE, {
      ...workerOptions(tools.concurrency, runs.leaseMs),
      autorun: false,
    })(ToolProcessor);
    return {
      module: ToolWorkerModule,
      imports: [RunStoreModule, RunWorkerModule],
      providers: [ToolProcessor],
    };
  }
}
