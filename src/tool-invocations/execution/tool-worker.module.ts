import { type DynamicModule, Module } from '@nestjs/common';
import { RunWorkerModule } from '../../runs/runs.module';
import { ToolExecutor } from './tool-executor';
import { ToolHandler, TOOLS_WITH_QUEUE } from './tool.handler';
import { ToolKindModule } from './tool-kind';

/** Runs tools in a worker process. */
@Module({})
export class ToolWorkerModule {
  /** @param withQueue names of the tools that are kinds of their own and still run as any tool does. */
  static forRoot(withQueue: readonly string[]): DynamicModule {
    return {
      module: ToolWorkerModule,
      imports: [ToolKindModule, RunWorkerModule],
      providers: [
        ToolExecutor,
        ToolHandler,
        { provide: TOOLS_WITH_QUEUE, useValue: withQueue },
      ],
    };
  }
}
