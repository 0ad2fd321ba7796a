import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { MODEL_ROLES } from '../../config/settings/models/role-models';
import { PriceTable } from '../../llm/prices/price-table';
import { LearntModels } from '../../llm/models/learnt-models';
import { ModelChoice } from '../../llm/models/model-choice';
import { researchProfileOf } from '../../llm/models/model-profile';
import { contextTokensOf } from '../../llm/models/context-window';
import { TokenCounter } from '../../llm/tokens/token-counter';
import type { ModelRole } from '../../config/settings/models/role-models';
import type { AgentModel } from './agent-ports';

/** Which models a run of the agent calls. */
@Injectable()
export class AgentModels {
  constructor(
    private readonly choice: ModelChoice,
    private readonly counter: TokenCounter,
    private readonly prices: PriceTable,
    private readonly config: AppConfig,
    private readonly learnt: LearntModels,
  ) {}

  /** Those that new runs are pinned to. Waits until the models of the endpoint are known. */
  async known(): Promise<Record<ModelRole, AgentModel>> {
    await this.choice.known();
    const models = MODEL_ROLES.map(
      (role) => [role, this.describe(this.nameOf(role))] as const,
    );
    return Object.fromEntries(models) as Record<ModelRole, AgentModel>;
  }

  /** All that a run may call. */
  get names(): string[] {
    return [...new Set(MODEL_ROLES.map((role) => this.nameOf(role)))];
  }

  private nameOf(role: ModelRole): string {
    const { agentModels } = this.config.research;
    return agentModels[role] ?? agentModels.writer ?? this.default;
  }

  /** The research model, or that of chats where the research model always searches by itself. */
  private get default(): string {
    const [research] = this.choice.research;
    const { modelProfiles } = this.config.upstream;
    const { name, completions } = researchProfileOf(research, modelProfiles);
    return name === 'research' || completions ? this.choice.chat : research;
  }

  private describe(name: string): AgentModel {
    const price = this.prices.of(name);
    return {
      name,
      contextTokens: contextTokensOf(name, this.config, this.learnt),
      factors: this.counter.factorsOf(name),
      ...(price && { price }),
    };
  }
}
