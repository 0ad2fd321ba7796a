import type { Environment } from '../environment';
import { endpointUrl } from '../files/json-file';
import { readSearchFile } from '../files/search-file';
import {
  BRAVE_URL,
  DEFAULT_RATES,
  DEFAULT_TIMEOUT_MS,
  isKey,
  mcpServerFault,
  type SearchKind,
  type SearchProviderConfig,
  TAVILY_URL,
} from '../files/search-provider';

const NAME = 'RELAY_SEARCH';
const EXAMPLE = 'searxng:http://127.0.0.1:8888';
const KINDS = 'searxng:<url>, brave:<key>, tavily:<key>, mcp:<server__tool>';

/**
 * The search providers in the order in which they are asked. The configured documents are the last private one, unless a file
 * gives them another place.
 */
export function readSearch(
  env: Environment,
  mcpServers: readonly string[],
  documents: boolean,
): SearchProviderConfig[] {
  const providers = readList(env, mcpServers);
  const inFile = readSearchFile(env, mcpServers, documents);
  if (inFile && providers.length > 0)
    env.fail(NAME, 'is set, and RELAY_SEARCH_CONFIG is as well', EXAMPLE);
  const all = inFile ?? providers;
  return documents && !all.some(({ kind }) => kind === 'documents')
    ? [...all, { ...common('documents'), kind: 'documents', scope: 'private' }]
    : all;
}

function readList(
  env: Environment,
  mcpServers: readonly string[],
): SearchProviderConfig[] {
  const found: SearchProviderConfig[] = [];
  const fail = (fault: string): never => env.fail(NAME, fault, EXAMPLE);
  for (const item of env.list(NAME, [])) {
    const provider = parse(item, mcpServers, fail);
    if (found.some(({ name }) => name === provider.name))
      fail(
        `names ${provider.name} twice; RELAY_SEARCH_CONFIG can give them names`,
      );
    found.push(provider);
  }
  return found;
}

/** Errors never repeat the entry, which may be a key. */
function parse(
  item: string,
  mcpServers: readonly string[],
  fail: (fault: string) => never,
): SearchProviderConfig {
  const [, kind, value] = /^([a-z]+):(.+)$/.exec(item) ?? [];
  switch (kind) {
    case 'searxng':
      if (!endpointUrl.safeParse(value).success)
        fail('has for searxng no http(s) URL without credentials');
      return { ...common(kind), kind, url: value };
    case 'brave':
    case 'tavily': {
      if (!isKey(value)) fail(`has for ${kind} no key`);
      const url = kind === 'brave' ? BRAVE_URL : TAVILY_URL;
      return { ...common(kind), kind, url, key: value };
    }
    case 'mcp': {
      const fault = mcpServerFault(value, mcpServers);
      if (fault) fail(`has for mcp a name that ${fault}`);
      return { ...common(value), kind, tool: value, arguments: {} };
    }
    default:
      return fail(`has an entry that is none of ${KINDS}`);
  }
}

function common(name: string) {
  const rate = DEFAULT_RATES[name as SearchKind];
  return {
    name,
    scope: 'public' as const,
    timeoutMs: DEFAULT_TIMEOUT_MS,
    ...(rate && { rate }),
  };
}
