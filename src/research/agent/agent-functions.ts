import { Guardrails } from '../../tools/guardrails/guardrails';
import { CompletionClient } from '../../llm/single-attempt/completion.client';
import { countTokens } from '../../llm/tokens/count-tokens';
import { PageReader } from '../../sources/pages/page-reader';
import { RedisConnections } from '../../platform/redis/redis-connections';
import { serverTimeZone } from '../../tools/time-zone';
import { SearchChain } from '../../sources/search/search-chain';
import { research } from './agent';
import { agentGuard } from './agent.guard';
import { AgentModels } from './agent-models';
import {
  type AgentFunction,
  AgentVersions,
  RELEASED_VERSIONS,
} from './agent-versions';

/** Local models write slowly. */
const MODEL_TIMEOUT_MS = 10 * 60_000;

/** The agent of this release, with everything that its effects need. */
export const agentVersions = {
  provide: AgentVersions,
  inject: [
    CompletionClient,
    SearchChain,
    PageReader,
    AgentModels,
    Guardrails,
    RedisConnections,
  ],
  useFactory: (
    complete: CompletionClient,
    search: SearchChain,
    pages: PageReader,
    models: AgentModels,
    guardrails: Guardrails,
    { clock }: RedisConnections,
  ): AgentVersions => {
    const current: AgentFunction = async (task, journal, signal) =>
      research(
        task,
        journal,
        {
          complete,
          search,
          pages,
          guard: agentGuard(guardrails, task.caller),
          models: await models.known(),
          countTokens,
          now: () => clock.now(),
          timeZone: serverTimeZone(),
          modelTimeoutMs: MODEL_TIMEOUT_MS,
        },
        signal,
      );
    const [version] = RELEASED_VERSIONS;
    return new AgentVersions(new Map([[version, current]]), version);
  },
};
