import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../platform/auth/caller';
import { AppConfig } from '../../config/config';
import {
  MODEL_ROLES,
  type ModelRole,
} from '../../config/settings/models/role-models';
import { PriceTable } from '../../llm/prices/price-table';
import { ModelChoice } from '../../llm/models/model-choice';
import type { RunEstimate } from '../../runs/record/run-estimate';
import { accountOf } from '../../tenants/spend/spend-keys';
import { Budgets } from '../../tenants/spend/budgets';
import { AgentModels } from '../agent/agent-models';
import { DEPTH_LIMITS, limitsWithin } from '../agent/budget/depths';
import { typicalEstimate } from '../agent/steps/plan-estimate';
import type { ResearchArguments } from '../arguments/research-arguments';
import type { EngineName } from '../research-engine';
import { PastRuns } from './past-runs';
import { deepResearch } from '../arguments/research-arguments';

type OfEngine = Omit<
  RunEstimate,
  'tool_name' | 'engine' | 'typical' | 'budget_left'
>;

/** What research may use, before any is begun. Calls no model. */
@Injectable()
export class ResearchEstimates {
  constructor(
    private readonly agentModels: AgentModels,
    private readonly models: ModelChoice,
    private readonly prices: PriceTable,
    private readonly budgets: Budgets,
    private readonly config: AppConfig,
    private readonly past: PastRuns,
  ) {}

  async of(
    args: ResearchArguments,
    engine: EngineName,
    caller: CallerIdentity,
  ): Promise<RunEstimate> {
    const account = accountOf(caller);
    const [ofEngine, left] = await Promise.all([
      engine === 'agent' ? this.ofAgent(args) : this.ofEndpoint(),
      this.budgets.leftOf(account),
    ]);
    const { estimated_depth, estimate, ...rest } = ofEngine;
    const depth = rest.depth === 'auto' ? null : rest.depth;
    return {
      tool_name: deepResearch.name,
      engine,
      ...rest,
      typical: await this.past.typical(account, { engine, depth }),
      estimated_depth,
      estimate,
      budget_left: left ?? null,
    };
  }

  private async ofAgent(args: ResearchArguments): Promise<OfEngine> {
    const { depth = 'auto', budget = {} } = args;
    const deepest = depth === 'auto' ? 'deep' : depth;
    const estimated = depth === 'auto' ? 'standard' : depth;
    const most = limitsWithin(DEPTH_LIMITS[deepest], budget);
    const models = await this.agentModels.known();
    const names = new Set(MODEL_ROLES.map((role) => models[role].name));
    return {
      depth,
      limits: {
        max_searches: most.searches,
        max_pages: most.pages,
        max_tokens: most.tokens,
        max_seconds: Math.min(this.seconds, budget.max_seconds ?? Infinity),
        max_cost_usd: budget.max_cost_usd ?? null,
      },
      models: [...names].map((name) =>
        this.model(
          name,
          MODEL_ROLES.filter((role) => models[role].name === name),
        ),
      ),
      estimated_depth: estimated,
      estimate: typicalEstimate({
        limits: limitsWithin(DEPTH_LIMITS[estimated], budget),
        task: { args, budget },
        model: (role) => models[role],
      }),
    };
  }

  /** What a model endpoint does is not limited here but for its time. */
  private async ofEndpoint(): Promise<OfEngine> {
    const [model] = (await this.models.known()).research;
    return {
      depth: null,
      limits: {
        max_searches: null,
        max_pages: null,
        max_tokens: null,
        max_seconds: this.seconds,
        max_cost_usd: null,
      },
      models: [this.model(model)],
      estimated_depth: null,
      estimate: null,
    };
  }

  private model(name: string, roles: ModelRole[] = []) {
    const price = this.prices.of(name);
    return {
      model: name,
      roles,
      input_usd_per_million: price?.inputPerMillion ?? null,
      output_usd_per_million: price?.outputPerMillion ?? null,
    };
  }

  private get seconds(): number {
    return Math.ceil(this.config.research.timeoutMs / 1_000);
  }
}
