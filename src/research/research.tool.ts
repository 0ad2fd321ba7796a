import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AppConfig } from '../config/config';
import { AppError } from '../errors';
import { ModelChoice } from '../llm/models/model.choice';
import { researchProfileOf } from '../llm/models/model.profile';
import { defineTool } from '../tools/tool.definition';
import { ToolRegistry } from '../tools/tool.registry';
import { sourcesFault } from './data.sources';
import { deepResearch, type ResearchArguments } from './research.arguments';

/** `deep_research`, a tool whose runs are a kind of their own. */
@Injectable()
export class ResearchTool implements OnModuleInit {
  constructor(
    private readonly registry: ToolRegistry,
    private readonly config: AppConfig,
    private readonly models: ModelChoice,
  ) {}

  onModuleInit(): void {
    const check = this.check.bind(this);
    this.registry.register(defineTool(deepResearch, { check }));
  }

  private check(args: Record<string, unknown>): void {
    const { text_format, data_sources } = args as ResearchArguments;
    const [model] = this.models.research;
    const profile = researchProfileOf(
      model,
      this.config.upstream.modelProfiles,
    );
    if (text_format?.type === 'json_schema' && !profile.jsonSchema)
      refuse(
        'The research model cannot keep to a JSON schema.',
        'text_format.type',
        'json_schema is not supported by the research model',
      );
    const fault = sourcesFault(data_sources, profile, this.config.hosted);
    if (fault) refuse('These sources cannot be used.', 'data_sources', fault);
  }
}

function refuse(detail: string, argument: string, message: string): never {
  const errors = [{ path: `arguments.${argument}`, message }];
  throw new AppError('validation_failed', detail, { errors });
}
