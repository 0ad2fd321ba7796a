import { createHash } from 'node:crypto';
import { Module } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { DocumentFolder } from '../../tools/documents/document-folder';
import { DocumentsModule } from '../../tools/documents/documents.module';
import { OptionalRedis } from '../../platform/redis/optional-redis';
import { RedisConnections } from '../../platform/redis/redis-connections';
import { ToolRegistry } from '../../tools/tool-registry';
import { ToolsModule } from '../../tools/tools.module';
import { GuardedProvider } from './guarded-provider';
import { CircuitBreaker } from './limits/circuit-breaker';
import { LocalPace } from './limits/local-pace';
import { SharedPace } from './limits/shared-pace';
import { SearchHttp } from './providers/search-http';
import { SearchCache } from './search-cache';
import { SearchChain } from './search-chain';
import {
  createProvider,
  providerId,
  type ProviderParts,
} from './search-providers';
import type { Scope } from './search.types';

/** The chains of the configured providers, with the limits that all workers share. */
export function searchChain(
  { search }: Pick<AppConfig, 'search'>,
  connections: RedisConnections,
  parts: ProviderParts,
  now: () => number = () => performance.now(),
): SearchChain {
  const redis = new OptionalRedis(connections);
  const pace = new SharedPace(redis, new LocalPace(now));
  const chain = (scope: Scope): GuardedProvider[] =>
    search.providers
      .filter((one) => one.scope === scope)
      .map(
        (one) =>
          new GuardedProvider(
            { ...one, id: providerId(one) },
            createProvider(one, parts),
            pace,
            new CircuitBreaker(now),
          ),
      );
  const ids = search.providers
    .filter(({ scope }) => scope === 'public')
    .map(providerId);
  const chainId = createHash('sha256').update(ids.join('\n')).digest('hex');
  const cache = new SearchCache(redis, chainId);
  return new SearchChain(
    { public: chain('public'), private: chain('private') },
    cache,
  );
}

@Module({
  imports: [ToolsModule, DocumentsModule],
  providers: [
    SearchHttp,
    {
      provide: SearchChain,
      inject: [
        AppConfig,
        RedisConnections,
        SearchHttp,
        ToolRegistry,
        { token: DocumentFolder, optional: true },
      ],
      useFactory: (
        config: AppConfig,
        connections: RedisConnections,
        http: SearchHttp,
        tools: ToolRegistry,
        documents?: DocumentFolder,
      ) => searchChain(config, connections, { http, tools, documents }),
    },
  ],
  exports: [SearchChain],
})
export class SearchModule {}
