import { BullModule, Processor } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { AppConfig } from '../config/config';
import { LlmModule } from '../llm/llm.module';
import { ModelWatch } from '../llm/model.watch';
import { workerOptions } from '../tool-invocations/invocation.queue';
import {
  InvocationStoreModule,
  InvocationWorkerModule,
  ToolInvocationsModule,
} from '../tool-invocations/tool-invocations.module';
import { ToolsModule } from '../tools/tools.module';
import { Admission } from './admission';
import { Brake } from './brake';
import { CompletionRun } from './completion.run';
import { Follow } from './follow';
import { Line } from './line';
import { LineWatch } from './line.watch';
import { ModelsCheckup } from './models.checkup';
import { PublicPhase } from './public.phase';
import { ResearchCheckup } from './research.checkup';
import { ResearchEngine } from './research.engine';
import { ResearchHealth } from './research.health';
import { ResearchProcessor } from './research.processor';
import { DELETION_QUEUE, RESEARCH_QUEUE } from './research.queue';
import { ResearchCarrier } from './research.carrier';
import { ResearchTool } from './research.tool';
import { ResponseClient } from './response.client';
import {
  ResponseDeletionProcessor,
  ResponseDeletions,
} from './response.deletions';
import { Submit } from './submit';
import { TwoPhases } from './two.phases';

const imports = [
  LlmModule,
  ToolsModule,
  InvocationStoreModule,
  BullModule.registerQueue({ name: RESEARCH_QUEUE }, { name: DELETION_QUEUE }),
];

/** Of every process: each can begin a run or end one. */
const providers = [
  ResearchTool,
  ResearchCarrier,
  Admission,
  Line,
  PublicPhase,
  ResponseDeletions,
];

/** `deep_research`: an API process accepts it, a worker process carries it out, the doctor looks after both. */
@Module({})
export class ResearchModule {
  static forApi(): DynamicModule {
    return {
      module: ResearchModule,
      imports,
      providers: [...providers, ModelWatch, ResearchHealth],
    };
  }

  static forWorker({ research }: AppConfig): DynamicModule {
    // A decorator by nature, applied here because its options are known only once the configuration is read.
    const { concurrency, leaseMs } = research;
    Processor(
      RESEARCH_QUEUE,
      workerOptions(concurrency, leaseMs),
    )(ResearchProcessor);
    return {
      module: ResearchModule,
      imports: [...imports, InvocationWorkerModule, ToolInvocationsModule],
      providers: [
        ...providers,
        ModelWatch,
        ResearchProcessor,
        ResearchEngine,
        Submit,
        TwoPhases,
        Follow,
        CompletionRun,
        ResponseClient,
        ResponseDeletionProcessor,
        Brake,
        LineWatch,
      ],
    };
  }

  static forDoctor(): DynamicModule {
    return {
      module: ResearchModule,
      imports,
      providers: [...providers, Brake, ResearchCheckup, ModelsCheckup],
      exports: [BullModule],
    };
  }
}
