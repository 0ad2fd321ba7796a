import { BullModule, Processor } from '@nestjs/bullmq';
import { type DynamicModule, Module } from '@nestjs/common';
import { AppConfig } from '../config/config';
import { LlmModule } from '../llm/llm.module';
import { InvocationStoreModule } from '../tool-invocations/tool-invocations.module';
import { InvocationSweeper } from '../tool-invocations/invocation.sweeper';
import { ToolsModule } from '../tools/tools.module';
import { Admission } from './admission';
import { Brake } from './brake';
import { Follow } from './follow';
import { HeldRuns } from './held-runs';
import { Line } from './line';
import { OpenAiWebhookController } from './openai-webhook.controller';
import { ResearchEngine } from './research.engine';
import { ResearchHealth } from './research.health';
import { ResearchProcessor } from './research.processor';
import { RESEARCH_QUEUE } from './research.queue';
import { ResearchTool } from './research.tool';
import { Submit } from './submit';
import { UpstreamNews } from './upstream-news';
import { WebhookDeliveries } from './webhook.deliveries';
import { WebhookSignature } from './webhook.signature';

const imports = [
  LlmModule,
  ToolsModule,
  InvocationStoreModule,
  BullModule.registerQueue({ name: RESEARCH_QUEUE }),
];

/** Of every process: each can begin a run or end one. */
const providers = [ResearchTool, Admission, Line];

/** `deep_research`: an API process accepts it, a worker process carries it out. */
@Module({})
export class ResearchModule {
  static forApi({ upstream }: AppConfig): DynamicModule {
    const takesWebhooks = upstream.webhookSecrets.length > 0;
    return {
      module: ResearchModule,
      imports,
      controllers: takesWebhooks ? [OpenAiWebhookController] : [],
      providers: [
        ...providers,
        ResearchHealth,
        UpstreamNews,
        WebhookSignature,
        WebhookDeliveries,
      ],
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
        HeldRuns,
        Brake,
        InvocationSweeper,
      ],
    };
  }
}
