import { BullModule, Processor } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { AppConfig } from '../config/config';
import { LlmModule } from '../llm/llm.module';
import { InvocationStoreModule } from '../tool-invocations/tool-invocations.module';
import { ReconcilerSchedule } from '../tool-invocations/reconciler.schedule';
import { ToolsModule } from '../tools/tools.module';
import { Admission } from './admission';
import { Brake } from './brake';
import { Follow } from './follow';
import { HeldRuns } from './held-runs';
import { Line } from './line';
import { LineWatch } from './line.watch';
import { ResearchCheckup } from './research.checkup';
import { ResearchEngine } from './research.engine';
import { ResearchHealth } from './research.health';
import { ResearchProcessor } from './research.processor';
import { RESEARCH_QUEUE } from './research.queue';
import { ResearchTool } from './research.tool';
import { ResponseClient } from './response.client';
import { Submit } from './submit';

const imports = [
  LlmModule,
  ToolsModule,
  InvocationStoreModule,
  BullModule.registerQueue({ name: RESEARCH_QUEUE }),
];

/** Of every process: each can begin a run or end one. */
const providers = [ResearchTool, Admission, Line];

/** `deep_research`: an API process accepts it, a worker process carries it out, the doctor looks after both. */
@Module({})
export class ResearchModule {
  static forApi(): DynamicModule {
    return {
      module: ResearchModule,
      imports,
      providers: [...providers, ResearchHealth],
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
      imports,
      providers: [
        ...providers,
        ResearchProcessor,
        ResearchEngine,
        Submit,
        Follow,
        ResponseClient,
        HeldRuns,
        Brake,
        LineWatch,
        ReconcilerSchedule,
      ],
    };
  }

  static forDoctor(): DynamicModule {
    return {
      module: ResearchModule,
      imports,
      providers: [...providers, ResearchCheckup],
      exports: [BullModule],
    };
  }
}
