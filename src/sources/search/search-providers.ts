import { createHash } from 'node:crypto';
import type { SearchProviderConfig } from '../../config/files/search-provider';
import type { DocumentFolder } from '../../tools/documents/document-folder';
import type { ToolRegistry } from '../../tools/tool-registry';
import { BraveSearch } from './providers/brave-search';
import { DocumentsSearch } from './providers/documents-search';
import { McpSearch } from './providers/mcp-search';
import type { SearchHttp } from './providers/search-http';
import { SearxngSearch } from './providers/searxng-search';
import { TavilySearch } from './providers/tavily-search';
import type { SearchProvider } from './search.types';

export interface ProviderParts {
  readonly http: SearchHttp;
  readonly tools: ToolRegistry;
  readonly documents?: DocumentFolder;
}

export function createProvider(
  config: SearchProviderConfig,
  { http, tools, documents }: ProviderParts,
): SearchProvider {
  switch (config.kind) {
    case 'searxng':
      return new SearxngSearch(http, config.url);
    case 'brave':
      return new BraveSearch(http, config.url, config.key);
    case 'tavily':
      return new TavilySearch(http, config.url, config.key);
    case 'mcp': {
      const given = { query: config.queryArgument, fixed: config.arguments };
      const keepsText = config.scope === 'private';
      return new McpSearch(tools, config.tool, given, keepsText);
    }
    case 'documents':
      if (!documents) throw new Error('There is no folder of documents.');
      return new DocumentsSearch(documents);
  }
}

/** The same for the same account at the same address; nothing of either can be read from it. */
export function providerId(config: SearchProviderConfig): string {
  const { kind, name } = config;
  const parts = [
    kind,
    name,
    'url' in config ? config.url : '',
    'key' in config ? config.key : '',
    'tool' in config ? [config.tool, config.arguments] : '',
  ];
  const hash = createHash('sha256').update(JSON.stringify(parts));
  return `${name}:${hash.digest('hex').slice(0, 12)}`;
}
