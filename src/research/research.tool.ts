import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AppConfig } from '../config/config';
import { AppError } from '../errors';
import { ModelCatalog } from '../llm/model.catalog';
import { profileOf } from '../llm/model-profile';
import { Carriers } from '../tool-invocations/carriers';
import { defineTool } from '../tools/tool.definition';
import { ToolRegistry } from '../tools/tool.registry';
import { deepResearch, type ResearchArguments } from './research.arguments';
import { ResearchCarrier } from './research.carrier';

/** `deep_research`: carried out by workers of its own. */
@Injectable()
export class ResearchTool implements OnModuleInit {
  constructor(
    private readonly registry: ToolRegistry,
    private readonly carriers: Carriers,
    private readonly carrier: ResearchCarrier,
    private readonly config: AppConfig,
    private readonly catalog: ModelCatalog,
  ) {}

  onModuleInit(): void {
    const check = this.check.bind(this);
    this.registry.register(defineTool(deepResearch, { check }));
    this.carriers.register(deepResearch.name, this.carrier);
  }

  private check(args: Record<string, unknown>): void {
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
}
