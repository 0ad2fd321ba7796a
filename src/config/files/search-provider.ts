interface Common {
  /** Names it in records and logs; unique. */
  readonly name: string;
  readonly scope: 'public' | 'private';
  readonly timeoutMs: number;
  /** At most so many requests in any window, over all workers. */
  readonly rate?: { readonly requests: number; readonly windowMs: number };
}

export interface SearxngConfig extends Common {
  readonly kind: 'searxng';
  readonly url: string;
}

export interface SearchApiConfig extends Common {
  readonly kind: 'brave' | 'tavily';
  readonly url: string;
  readonly key: string;
}

export interface McpSearchConfig extends Common {
  readonly kind: 'mcp';
  /** In the registry: `server__tool`. */
  readonly tool: string;
  /** Undefined: found by its name. */
  readonly queryArgument?: string;
  /** Further arguments of every call. May contain secrets. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface DocumentsSearchConfig extends Common {
  readonly kind: 'documents';
  readonly scope: 'private';
}

export type SearchProviderConfig =
  SearxngConfig | SearchApiConfig | McpSearchConfig | DocumentsSearchConfig;
export type SearchKind = SearchProviderConfig['kind'];

export const BRAVE_URL = 'https://api.search.brave.com';
export const TAVILY_URL = 'https://api.tavily.com';
export const DEFAULT_TIMEOUT_MS = 10_000;
/** What the smallest plan of each service allows. */
export const DEFAULT_RATES: Partial<Record<SearchKind, Common['rate']>> = {
  brave: { requests: 1, windowMs: 1_000 },
  tavily: { requests: 100, windowMs: 60_000 },
};

/** Whether a text can be sent as a key in a header. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]{1,500}$/.test(text);
}

/** What is wrong with the name of a search tool; undefined if nothing is known to be. */
export function mcpServerFault(
  tool: string,
  servers: readonly string[],
): string | undefined {
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(tool) || !tool.includes('__'))
    return 'is not the name of an MCP tool, server__tool';
  return servers.some((server) => tool.startsWith(`${server}__`))
    ? undefined
    : 'is of an MCP server that RELAY_MCP_CONFIG does not name';
}
