import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { LlmModule } from '../llm/llm.module';
import { ModelWatch } from '../llm/models/model.watch';
import {
  RunStoreModule,
  RunWorkerModule,
  RunsModule,
} from '../runs/runs.module';
import { ToolsModule } from '../tools/tools.module';
import { RateLimitCooldown } from './hosted/rate-limit.cooldown';
import { CompletionsProtocol } from './hosted/completions/completions.protocol';
import { Follow } from './hosted/responses/follow';
import { ModelsCheckup } from './models.checkup';
import { ResearchCheckup } from './research.checkup';
import { HostedRunner } from './hosted/hosted.runner';
import { ResearchHealth } from './research.health';
import { ResearchHandler } from './research.handler';
import { ResearchKind } from './research.kind';
import { DELETION_QUEUE, RESEARCH_QUEUE } from './research.queue';
import { ResearchTool } from './research.tool';
import { ResponsesClient } from './hosted/responses/responses.client';
import {
  ResponseDeletionProcessor,
  ResponseDeletions,
} from './hosted/responses/response.deletions';
import { ResearchProtocols } from './hosted/protocol.registry';
import { ResponsesProtocol } from './hosted/responses/responses.protocol';
import { Purchase } from './hosted/purchase/purchase';
import { PurchaseStore } from './hosted/purchase/purchase.store';
import { TwoPhase } from './hosted/two-phase/two-phase';

const imports = [
  LlmModule,
  ToolsModule,
  RunStoreModule,
  BullModule.registerQueue({ name: RESEARCH_QUEUE }, { name: DELETION_QUEUE }),
];

/** Of every process: each can begin a run or end one. */
const providers = [ResearchTool, ResearchKind, ResponseDeletions];

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

  static forWorker(): DynamicModule {
    return {
      module: ResearchModule,
      imports: [...imports, RunWorkerModule, RunsModule],
      providers: [
        ...providers,
        ModelWatch,
        ResearchHandler,
        HostedRunner,
        Purchase,
        PurchaseStore,
        TwoPhase,
        Follow,
        ResearchProtocols,
        ResponsesProtocol,
        CompletionsProtocol,
        ResponsesClient,
        ResponseDeletionProcessor,
        RateLimitCooldown,
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
        ResearchCheckup,
        ModelsCheckup,
      ],
      exports: [BullModule],
    };
  }
}
