import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Job, Queue } from 'bullmq';
import { AppConfig } from '../config/config';
import { AppError } from '../errors';
import { ModelCatalog } from '../llm/model.catalog';
import { profileOf } from '../llm/model-profile';
import { strictSchema } from '../tools/strict-schema';
import type { Priority, Tool } from '../tools/tool';
import { ToolRegistry } from '../tools/tool.registry';
import { Admission } from './admission';
import {
  offeredArguments,
  researchArguments,
  type ResearchArguments,
} from './research.arguments';
import {
  JOB_OPTIONS,
  JOB_PRIORITY,
  RESEARCH_JOB,
  RESEARCH_QUEUE,
  type ResearchJob,
} from './research.queue';

const DESCRIPTION =
  'Researches a question on the web for minutes and returns a cited report. Use it when the user asks for an in-depth, ' +
  'detailed, historical, comparative or current investigation that needs sources; not for greetings or simple questions.';

/** `deep_research`: hands each invocation to the queue of the workers. */
@Injectable()
export class ResearchTool implements Tool, OnModuleInit {
  readonly name = 'deep_research';
  readonly description = DESCRIPTION;
  readonly argumentsSchema = researchArguments;
  readonly offered = {
    name: this.name,
    description: DESCRIPTION,
    parameters: strictSchema(offeredArguments),
  };

  constructor(
    @InjectQueue(RESEARCH_QUEUE) private readonly queue: Queue<ResearchJob>,
    private readonly registry: ToolRegistry,
    private readonly config: AppConfig,
    private readonly catalog: ModelCatalog,
    private readonly admission: Admission,
  ) {
    // RedisConnections reports an outage; without a listener from the first moment BullMQ prints it again, address and all.
    queue.on('error', () => undefined);
  }

  onModuleInit(): void {
    this.registry.register(this);
  }

  check(args: Record<string, unknown>): void {
    const { text_format } = args as ResearchArguments;
    const { researchModels, modelProfiles } = this.config.upstream;
    const model =
      researchModels.find((name) => !this.catalog.isGone(name)) ??
      researchModels[0];
    if (
      text_format?.type !== 'json_schema' ||
      profileOf(model, modelProfiles).jsonSchema
    )
      return;
    throw new AppError(
      'validation_failed',
      'The research model cannot keep to a JSON schema.',
      {
        errors: [
          {
            path: 'arguments.text_format.type',
            message: 'json_schema is not supported by the research model',
          },
        ],
      },
    );
  }

  async start(
    invocationId: string,
    priority: Priority,
  ): Promise<number | null> {
    const rank = JOB_PRIORITY[priority];
    const position = await this.admission.join(invocationId, rank);
    await this.queue.add(
      RESEARCH_JOB,
      { invocation_id: invocationId },
      {
        ...JOB_OPTIONS,
        jobId: invocationId,
        priority: rank,
      },
    );
    return position;
  }

  queuePosition(invocationId: string): Promise<number | null> {
    return this.admission.position(invocationId);
  }

  async hasten(invocationId: string): Promise<void> {
    const job = await this.queue.getJob(invocationId);
    // Refused if its time has come in between.
    if (await job?.isDelayed()) await job?.promote().catch(() => undefined);
  }

  async revive(invocationId: string, priority: Priority): Promise<void> {
    const job = await this.queue.getJob(invocationId);
    // An ended job stands in the way of a new one of its id.
    if (job && hasEnded(job)) await job.remove();
    await this.start(invocationId, priority);
  }

  async isUnderWay(invocationId: string): Promise<boolean> {
    const job = await this.queue.getJob(invocationId);
    return job !== undefined && !hasEnded(job);
  }
}

/** Completed or failed to the last: it will not be delivered again. */
function hasEnded(job: Job): boolean {
  return (job.finishedOn ?? 0) > 0;
}
