import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/config';
import { AppError } from '../platform/errors';
import { ModelChoice } from '../llm/models/model-choice';
import {
  type ModelProfile,
  researchProfileOf,
} from '../llm/models/model-profile';
import { hostedToolset } from '../llm/responses/hosted-toolset';
import { PriceTable } from '../llm/prices/price-table';
import { AgentModels } from './agent/agent-models';
import { budgetFault } from './agent/steps/least-budget';
import { SearchScopes } from './agent/search-scopes';
import { sourcesFault, toolsFor } from './arguments/data-sources';
import {
  type Fault,
  sources,
  type Wishes,
  wishOfAgent,
} from './arguments/engine-faults';
import type { ResearchArguments } from './arguments/research-arguments';
import type { EngineName } from './research-engine';

/** Decides which engine carries a run: what the request asks for, else the configuration, else what can search. */
@Injectable()
export class EngineChoice {
  constructor(
    private readonly models: ModelChoice,
    private readonly config: AppConfig,
    private readonly scopes: SearchScopes,
    private readonly agentModels: AgentModels,
    private readonly prices: PriceTable,
  ) {}

  /** As `choose`, once the models of the endpoint are known. */
  async chooseFor(wishes: Wishes): Promise<EngineName> {
    if (!this.config.upstream.namedModels.research) await this.models.known();
    return this.choose(wishes);
  }

  /** @throws AppError `validation_failed` if the engine that is asked for, or every engine, is unable to carry the run. */
  choose(wishes: Wishes): EngineName {
    const asked = wishes.engine ?? this.config.research.engine;
    const wish = wishOfAgent(wishes);
    if (wish) return this.onlyAgent(asked, wishes, wish);
    switch (asked) {
      case 'agent':
        return able('agent', this.agentFault(wishes));
      case 'plain':
        return able('plain', this.plainFault(wishes));
      case 'hosted':
        return this.hosted(wishes);
      case 'auto':
        return this.auto(wishes);
    }
  }

  /** @throws AppError `validation_failed` for limits with which a run of the agent could only be paid for, but never report. */
  async checkBudget(args: ResearchArguments): Promise<void> {
    const { max_tokens, max_cost_usd } = args.budget ?? {};
    if (max_tokens === undefined && max_cost_usd === undefined) return;
    const fault = budgetFault(args, await this.agentModels.known());
    if (fault)
      throw new AppError('validation_failed', UNWORKABLE, { errors: [fault] });
  }

  /** What carries a run without wishes, for health: `engine: hosted (auto)`. */
  get summary(): string {
    return `engine: ${this.choose({})} (${this.config.research.engine})`;
  }

  /** What is to be known of runs without wishes that can be carried; undefined if nothing. */
  get caveat(): string | undefined {
    const { engine } = this.config.research;
    if (engine === 'plain' || this.fault || this.choose({}) !== 'plain')
      return undefined;
    return `deep_research cannot search: ${this.models.research[0]} has no search of its own, and RELAY_SEARCH is not set; reports are what the model knows`;
  }

  /** Why no run without wishes can be carried; undefined if one can. */
  get fault(): string | undefined {
    const { engine } = this.config.research;
    const wishes: Wishes = {};
    if (engine === 'agent') return this.agentFault(wishes)?.message;
    if (engine === 'plain') return this.plainFault(wishes)?.message;
    const isAgent = engine === 'auto' && !this.agentFault(wishes);
    return isAgent ? undefined : this.hostedFault(wishes)?.message;
  }

  /** An endpoint that cannot search is only refused to a request that insists on it. */
  private hosted(wishes: Wishes): EngineName {
    able('hosted', this.hostedFault(wishes));
    if (this.searchesByItself(wishes)) return 'hosted';
    if (wishes.engine !== 'hosted') return 'plain';
    return refuse({
      argument: 'engine',
      message: 'hosted needs a research model that searches',
      code: 'not_supported_by_model',
      detail: 'The research model cannot search.',
    });
  }

  private auto(wishes: Wishes): EngineName {
    const fault = this.hostedFault(wishes);
    if (!fault && this.searchesByItself(wishes)) return 'hosted';
    const agentFault = this.agentFault(wishes);
    return agentFault ? able('plain', fault) : 'agent';
  }

  /** What no other engine does is left to the agent, or refused. */
  private onlyAgent(
    asked: NonNullable<Wishes['engine']>,
    wishes: Wishes,
    wish: Fault,
  ): EngineName {
    const fault = this.agentFault(wishes);
    if (asked === 'agent') return able('agent', fault);
    if (asked !== 'auto') return refuse(wish);
    return able('agent', fault?.argument === 'engine' ? wish : fault);
  }

  private searchesByItself({ data_sources }: Wishes): boolean {
    const { hosted } = this.config;
    const { profile } = this;
    const names = toolsFor(data_sources, hosted);
    return (
      profile.completions === true ||
      hostedToolset(names, profile, hosted).tools.length > 0
    );
  }

  private hostedFault(wishes: Wishes): Fault | undefined {
    const { data_sources, text_format } = wishes;
    const { profile } = this;
    if (text_format?.type === 'json_schema' && !profile.jsonSchema)
      return {
        argument: 'text_format.type',
        message: 'json_schema is not supported by the research model',
        code: 'not_supported_by_model',
        detail: 'The research model cannot keep to a JSON schema.',
      };
    const message = sourcesFault(data_sources, profile, this.config.hosted);
    return message === undefined
      ? undefined
      : sources(message, 'not_supported_by_model');
  }

  private priceFault({ budget = {} }: Wishes): Fault | undefined {
    const { names } = this.agentModels;
    const fault = this.prices.budgetFault(budget, names, 'budget');
    const detail = 'This budget cannot be kept.';
    return (
      fault && { ...fault, argument: fault.path, code: 'needs_price', detail }
    );
  }

  private agentFault(wishes: Wishes): Fault | undefined {
    const { data_sources } = wishes;
    const web = this.scopes.has('public');
    const own = this.scopes.has('private');
    const both = data_sources?.endsWith('_private') ?? false;
    if (!web && !own)
      return {
        argument: 'engine',
        message: 'agent needs something to search (RELAY_SEARCH)',
        code: 'needs_search',
        detail: 'There is nothing that the agent could search.',
      };
    if (data_sources === 'web_and_private' && !this.config.hosted.mixedSources)
      return sources(
        'could send content of private sources to the web; web_then_private uses the one after the other',
        'sources_not_mixed',
      );
    if (!web && (data_sources === 'web' || both))
      return sources(
        'needs a search of the web (RELAY_SEARCH)',
        'needs_search',
      );
    if (!own && (data_sources === 'private' || both))
      return sources(
        'needs private sources that the agent can search',
        'no_private_sources',
      );
    return this.priceFault(wishes);
  }

  private plainFault(wishes: Wishes): Fault | undefined {
    const { profile } = this;
    if (profile.name === 'research' || profile.completions)
      return {
        argument: 'engine',
        message: 'plain needs a model that can answer without a search',
        code: 'model_always_searches',
        detail: 'The research model always searches.',
      };
    if (wishes.data_sources)
      return sources('the engine plain searches nothing', 'searches_nothing');
    return undefined;
  }

  private get profile(): ModelProfile {
    const [model] = this.models.research;
    return researchProfileOf(model, this.config.upstream.modelProfiles);
  }
}

const UNWORKABLE = 'This budget does not suffice for any report.';

function able(engine: EngineName, fault: Fault | undefined): EngineName {
  return fault ? refuse(fault) : engine;
}

function refuse({ argument, message, code, detail }: Fault): never {
  const errors = [{ path: `arguments.${argument}`, message, code }];
  throw new AppError('validation_failed', detail, { errors });
}
