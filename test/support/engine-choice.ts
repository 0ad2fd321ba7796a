import type { AppConfig } from '../../src/config/config';
import { PriceTable } from '../../src/llm/prices/price-table';
import { LearntModels } from '../../src/llm/models/learnt-models';
import type { ModelChoice } from '../../src/llm/models/model-choice';
import { TokenCounter } from '../../src/llm/tokens/token-counter';
import { AgentModels } from '../../src/research/agent/agent-models';
import type { SearchScopes } from '../../src/research/agent/search-scopes';
import { EngineChoice } from '../../src/research/engine-choice';

/** The choice of a process that has these sources to search, or none. */
export function engineChoice(
  models: ModelChoice,
  config: AppConfig,
  scopes: SearchScopes = { has: () => false },
): EngineChoice {
  const prices = new PriceTable(config);
  const ofAgent = new AgentModels(
    models,
    new TokenCounter(),
    prices,
    config,
    new LearntModels(),
  );
  return new EngineChoice(models, config, scopes, ofAgent, prices);
}
