import { traced } from '../../platform/tracing/tracing';
import type { GuardedProvider } from './guarded-provider';
import type { SearchCache } from './search-cache';
import { queryText } from './search-text';
import {
  type Attempt,
  ProviderFailed,
  type Scope,
  SearchFailed,
  type SearchHit,
  type SearchOutcome,
  type SearchQuery,
} from './search.types';

const LANGUAGE = /^[a-z]{2,3}(-[A-Z]{2})?$/;

export type Chains = Readonly<Record<Scope, readonly GuardedProvider[]>>;

/**
 * Asks the providers of one scope in their order until one has hits. A query of one scope never reaches a provider of the
 * other.
 */
export class SearchChain {
  constructor(
    private readonly chains: Chains,
    private readonly cache: SearchCache,
  ) {}

  has(scope: Scope): boolean {
    return this.chains[scope].length > 0;
  }

  /**
   * The first answer that has hits, else the first empty one.
   * @throws SearchFailed if there is neither, or the reason of the signal.
   */
  async search(
    asked: SearchQuery,
    signal: AbortSignal,
  ): Promise<SearchOutcome> {
    signal.throwIfAborted();
    const query = {
      ...asked,
      text: queryText(asked.text),
      language: LANGUAGE.test(asked.language ?? '')
        ? asked.language
        : undefined,
    };
    const providers = this.chains[query.scope];
    if (query.text === '')
      throw new SearchFailed(
        providers.map(({ name }) => ({
          provider: name,
          fault: 'refused_query',
        })),
      );
    const cached = await this.cache.read(query);
    if (cached) return cached;
    const outcome = await askInTurn(providers, query, signal);
    await this.cache.write(query, outcome);
    return outcome;
  }

  /** Which providers there are, and the faults for which they are not used at the moment. */
  async states(): Promise<{ name: string; scope: Scope; fault?: string }[]> {
    const all = (['public', 'private'] as const).flatMap((scope) =>
      this.chains[scope].map(async (provider) => {
        const fault = await provider.pausedBy();
        return { name: provider.name, scope, ...(fault && { fault }) };
      }),
    );
    return Promise.all(all);
  }
}

async function askInTurn(
  providers: readonly GuardedProvider[],
  query: SearchQuery,
  signal: AbortSignal,
): Promise<SearchOutcome> {
  const tried: Attempt[] = [];
  let empty: string | undefined;
  for (const [i, provider] of providers.entries()) {
    const isLast = i === providers.length - 1 && empty === undefined;
    const found = await hitsOrFault(provider, query, signal, isLast);
    if ('fault' in found) tried.push({ provider: provider.name, ...found });
    else if (found.length > 0)
      return { provider: provider.name, hits: found, tried };
    else empty ??= provider.name;
  }
  if (empty === undefined) throw new SearchFailed(tried);
  return { provider: empty, hits: [], tried };
}

async function hitsOrFault(
  provider: GuardedProvider,
  query: SearchQuery,
  signal: AbortSignal,
  isLast: boolean,
): Promise<SearchHit[] | Omit<Attempt, 'provider'>> {
  try {
    const { name } = provider;
    const { scope } = query;
    const about = { operation: 'retrieval', source: name, scope } as const;
    return await traced('client', `retrieval ${name}`, about, async (span) => {
      const hits = await provider.search(query, signal, isLast);
      span.set({ hits: hits.length });
      return hits;
    });
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error;
    const { fault, options } = error;
    return { fault, ...(options.after && { after: options.after }) };
  }
}
