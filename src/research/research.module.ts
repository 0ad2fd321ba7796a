import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { GuardrailsModule } from '../tools/guardrails/guardrails.module';
import { LedgerModule } from '../llm/prices/ledger.module';
import { LlmModule } from '../llm/llm.module';
import { ModelWatch } from '../llm/models/model-watch';
import {
  RunStoreModule,
  RunWorkerModule,
  RunsModule,
} from '../runs/runs.module';
import { ToolsModule } from '../tools/tools.module';
import { AgentRunner } from './agent/agent-runner';
import { AgentModels } from './agent/agent-models';
import { agentVersions } from './agent/agent-functions';
import { JournalStore } from './agent/journal/journal.store';
import { SearchScopes } from './agent/search-scopes';
import { PreviousRuns } from './continuation/previous-runs';
import { EngineChoice } from './engine-choice';
import { PastRuns } from './estimate/past-runs';
import { RateLimitCooldown } from './hosted/rate-limit-cooldown';
import { CompletionsProtocol } from './hosted/completions/completions-protocol';
import { Follow } from './hosted/responses/follow';
import { ModelsCheckup } from './models-checkup';
import { ResearchCheckup } from './research-checkup';
import { HostedEndings } from './hosted/ending';
import { HostedBilling } from './hosted/billing';
import { Adoption } from './hosted/purchase/adoption';
import { UnreportedCost } from './hosted/unreported-cost';
import { HostedRunner } from './hosted/hosted-runner';
import { ResearchHandler } from './research.handler';
import { ResearchKind } from './research-kind';
import { DELETION_QUEUE, RESEARCH_QUEUE, HOSTED_LIST } from './research-queue';
import { ResearchTool } from './research.tool';
import { PagesModule } from '../sources/pages/pages.module';
import { SearchChain } from '../sources/search/search-chain';
import { SearchModule } from '../sources/search/search.module';
import { PurgeModule } from './purge/purge.module';
import { ResponsesClient } from './hosted/responses/responses.client';
import {
  ResponseDeletionProcessor,
  ResponseDeletions,
} from './hosted/responses/response-deletions';
import { ResearchProtocols } from './hosted/protocol-registry';
import { ResponsesProtocol } from './hosted/responses/responses-protocol';
import { Purchase } from './hosted/purchase/purchase';
import { PurchaseStore } from './hosted/record/purchase.store';
import { SpendModule } from '../tenants/spend/spend.module';
import { TwoPhase } from './hosted/two-phase/two-phase';

export const researchImports = [
  LedgerModule,
  LlmModule,
  ToolsModule,
  RunStoreModule,
  SearchModule,
  PurgeModule,
  SpendModule,
  BullModule.registerQueue({ name: RESEARCH_QUEUE }, { name: DELETION_QUEUE }),
];

/** Of every process: each can begin a run or end one. */
export const researchProviders = [
  ResearchTool,
  ResearchKind,
  PreviousRuns,
  PastRuns,
  EngineChoice,
  AgentModels,
  { provide: SearchScopes, useExisting: SearchChain },
  ResponseDeletions,
];

/** `deep_research`: an API process accepts it (`ResearchApiModule`), a worker process carries it out, the doctor looks after both. */
@Module({})
export class ResearchModule {
  static forWorker(): DynamicModule {
    return {
      module: ResearchModule,
      imports: [
        ...researchImports,
        GuardrailsModule,
        PagesModule,
        RunWorkerModule,
        RunsModule,
      ],
      providers: [
        ...researchProviders,
        ModelWatch,
        ResearchHandler,
        HostedEndings,
        UnreportedCost,
        HostedBilling,
        Adoption,
        HostedRunner,
        AgentRunner,
        JournalStore,
        agentVersions,
        Purchase,
        PurchaseStore,
        TwoPhase,
        {
          provide: HOSTED_LIST,
          inject: [ResearchKind],
          useFactory: ({ waitingList }: ResearchKind) => waitingList,
        },
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
      imports: researchImports,
      providers: [
        ...researchProviders,
        RateLimitCooldown,
        ResearchCheckup,
        ModelsCheckup,
      ],
      exports: [BullModule],
    };
  }
}
