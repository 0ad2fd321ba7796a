import { Injectable, type OnModuleInit } from '@nestjs/common';
import { defineTool } from '../tools/tool-definition';
import { ToolRegistry } from '../tools/tool-registry';
import { EngineChoice } from './engine-choice';
import {
  deepResearch,
  type ResearchArguments,
} from './arguments/research-arguments';

/** `deep_research`, a tool whose runs are a kind of their own. */
@Injectable()
export class ResearchTool implements OnModuleInit {
  constructor(
    private readonly registry: ToolRegistry,
    private readonly engines: EngineChoice,
  ) {}

  onModuleInit(): void {
    const check = (args: Record<string, unknown>): void =>
      void this.engines.choose(args as ResearchArguments);
    this.registry.register(defineTool(deepResearch, { check }));
  }
}
