import { BullModule, Processor } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { AppConfig } from '../config/config';
import { LlmModule } from '../llm/llm.module';
import { ModelWatch } from '../llm/models/model.watch';
import { workerOptions } from '../runs/queue/run.queue';
import {
  RunStoreModule,
  RunWorkerModule,
  RunsModule,
} from '../runs/runs.module';
import { ToolsModule } from '../tools/tools.module';
import { AdmissionStore } from './admission/admission.store';
import { RateLimitCooldown } from './hosted/purchase/rate-limit.cooldown';
import { CompletionRun } from './hosted/completions/completion.run';
import { Follow } from './hosted/follow';
import { WaitingList } from './admission/waiting-list';
import { WaitingListWatch } from './admission/line.watch';
import { ModelsCheckup } from './models.checkup';
import { PublicPhase } from './hosted/two-phase/public-phase';
import { AdmissionCheckup } from './admission/admission.checkup';
import { HostedRunner } from './hosted/hosted.runner';
import { ResearchHealth } from './research.health';
import { ResearchProcessor } from './research.processor';
import { DELETION_QUEUE, RESEARCH_QUEUE } from './research.queue';
import { ResearchDispatcher } from './admission/research.dispatcher';
import { ResearchTool } from './research.tool';
import { ResponsesClient } from './hosted/responses.client';
import {
  ResponseDeletionProcessor,
  ResponseDeletions,
} from './hosted/response.deletions';
import { Purchase } from './hosted/purchase/purchase';
import { TwoPhase } from './hosted/two-phase/two-phase';

const imports = [
  LlmModule,
  ToolsModule,
  RunStoreModule,
  BullModule.registerQueue({ name: RESEARCH_QUEUE }, { name: DELETION_QUEUE }),
];

/** Of every process: each can begin a run or end one. */
const providers = [
  ResearchTool,
  ResearchDispatcher,
  AdmissionStore,
  WaitingList,
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

  static forWorker({ research, runs }: AppConfig): DynamicModule {
    // A decorator by nature, applied here because its options are known only once the configuration is read.
    const { concurrency } = research;
    Processor(
      RESEARCH_QUEUE,
      workerOptions(concurrency, runs.leaseMs),
    )(ResearchProcessor);
    return {
      module: ResearchModule,
      imports: [...imports, RunWorkerModule, RunsModule],
      providers: [
        ...providers,
        ModelWatch,
        ResearchProcessor,
        HostedRunner,
        Purchase,
        TwoPhase,
        Follow,
        CompletionRun,
        ResponsesClient,
        ResponseDeletionProcessor,
        RateLimitCooldown,
        WaitingListWatch,
      ],
    };
  }

  static forDoctor(): DynamicModule {
    return {
      module: ResearchModule,
      imports,
      providers: [
        ...providers,
        RateLimitCooldown,
        AdmissionCheckup,
        ModelsCheckup,
      ],
      exports: [BullModule],
    };
  }
}
