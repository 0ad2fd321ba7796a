import { BullModule, Processor } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { AppConfig } from '../config/config';
import { LlmModule } from '../llm/llm.module';
import { InvocationStoreModule } from '../tool-invocations/tool-invocations.module';
import { InvocationSweeper } from '../tool-invocations/invocation.sweeper';
import { ToolsModule } from '../tools/tools.module';
import { Follow } from './follow';
import { HeldRuns } from './held-runs';
import { ResearchEngine } from './research.engine';
import { ResearchHealth } from './research.health';
import { ResearchProcessor } from './research.processor';
import { RESEARCH_QUEUE } from './research.queue';
import { ResearchTool } from './research.tool';
import { Submit } from './submit';

const imports = [
  LlmModule,
  ToolsModule,
  BullModule.registerQueue({ name: RESEARCH_QUEUE }),
];

/** `deep_research`: an API process accepts it, a worker process carries it out. */
@Module({})
export class ResearchModule {
  static forApi(): DynamicModule {
    return {
      module: ResearchModule,
      imports,
      providers: [ResearchTool, ResearchHealth],
    };
  }

  static forWorker({ research }: AppConfig): DynamicModule {
    // A decorator by nature, applied here because its options are known only once the configuration is read.
    Processor(RESEARCH_QUEUE, {
      concurrency: research.concurrency,
      lockDuration: research.leaseMs,
      stalledInterval: research.leaseMs / 2,
      // How often a run may lose its worker is counted by its record, which also knows why.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
    })(ResearchProcessor);
    return {
      module: ResearchModule,
      imports: [...imports, InvocationStoreModule],
      providers: [
        ResearchTool,
        ResearchProcessor,
        ResearchEngine,
        Submit,
        Follow,
        HeldRuns,
        InvocationSweeper,
      ],
    };
  }
}
