import { z } from 'zod';
import type { Environment } from '../environment';
import {
  endpointUrl,
  expandVariables,
  type Fail,
  label,
  readJsonFile,
  text,
} from './json-file';
import {
  BRAVE_URL,
  DEFAULT_RATES,
  DEFAULT_TIMEOUT_MS,
  isKey,
  mcpServerFault,
  type SearchProviderConfig,
  TAVILY_URL,
} from './search-provider';

const NAME = 'RELAY_SEARCH_CONFIG';
const EXAMPLE =
  '/etc/sonde/search.json with {"providers":[{"kind":"searxng","url":"http://127.0.0.1:8888"},{"kind":"brave","key":"${BRAVE_KEY}"}]}';
const MAX_PROVIDERS = 10;

const rate = z.strictObject(
  {
    requests: z
      .int('is not a whole number')
      .min(1, 'is outside 1..1000')
      .max(1_000, 'is outside 1..1000'),
    seconds: z
      .number('is not a number of seconds')
      .min(0.1, 'is outside 0.1..86400 seconds')
      .max(86_400, 'is outside 0.1..86400 seconds'),
  },
  'is not an object',
);

const common = {
  name: label.optional(),
  rate: rate.optional(),
  timeoutSeconds: z
    .number('is not a number of seconds')
    .min(0.1, 'is outside 0.1..120 seconds')
    .max(120, 'is outside 0.1..120 seconds')
    .optional(),
};
const scope = z
  .enum(['public', 'private'], { error: 'is not one of public, private' })
  .default('public');
const json: z.ZodType<Record<string, unknown>> = z.record(
  z.string(),
  z.json(),
  { error: 'is not an object' },
);

const provider = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      ...common,
      kind: z.literal('searxng'),
      scope,
      url: endpointUrl,
    }),
    z.strictObject({
      ...common,
      kind: z.literal('brave'),
      scope,
      url: endpointUrl.default(BRAVE_URL),
      key: text,
    }),
    z.strictObject({
      ...common,
      kind: z.literal('tavily'),
      scope,
      url: endpointUrl.default(TAVILY_URL),
      key: text,
    }),
    z.strictObject({
      ...common,
      kind: z.literal('mcp'),
      scope,
      tool: text,
      queryArgument: text.optional(),
      arguments: json.default({}),
    }),
    z.strictObject({ ...common, kind: z.literal('documents') }),
  ],
  {
    error: ({ code }) =>
      code === 'invalid_union'
        ? 'is not one of searxng, brave, tavily, mcp, documents'
        : 'is not an object',
  },
);

const file = z.strictObject(
  {
    providers: z
      .array(provider, 'is not a list')
      .min(1, 'is empty')
      .max(MAX_PROVIDERS, `has more than ${MAX_PROVIDERS} entries`),
  },
  'is not an object',
);

type Given = z.output<typeof provider>;

/** The providers of the file, in order; undefined without one. Errors name its fields but never repeat its values. */
export function readSearchFile(
  env: Environment,
  mcpServers: readonly string[],
  documents: boolean,
): SearchProviderConfig[] | undefined {
  const fail: Fail = (fault) => env.fail(NAME, fault, EXAMPLE);
  const found = readJsonFile(env, NAME, file, fail);
  if (!found) return undefined;
  const refuse = (at: string, fault: string): never =>
    fail(`names a file in which ${at} ${fault}`);
  const providers = found.providers.map((given, i) => {
    const at = `providers.${i}`;
    if (given.kind === 'documents' && !documents)
      refuse(`${at}.kind`, 'is documents, and RELAY_DOCUMENTS_DIR is not set');
    if (given.kind === 'mcp') {
      const fault = mcpServerFault(given.tool, mcpServers);
      if (fault) refuse(`${at}.tool`, fault);
    }
    if (!('key' in given)) return settingsOf(given);
    const { key } = expandVariables({ key: given.key }, env, at, fail);
    if (!isKey(key)) refuse(`${at}.key`, 'is not a key');
    return settingsOf({ ...given, key });
  });
  const names = providers.map(({ name }) => name);
  const twice = names.findIndex((name, i) => names.indexOf(name) < i);
  if (twice >= 0)
    refuse(`providers.${twice}`, `has the name "${names[twice]}" again`);
  return providers;
}

function settingsOf(given: Given): SearchProviderConfig {
  const { name, rate: asked, timeoutSeconds } = given;
  const chosen = asked && {
    requests: asked.requests,
    windowMs: asked.seconds * 1_000,
  };
  const rateOf = chosen ?? DEFAULT_RATES[given.kind];
  const shared = {
    name: name ?? given.kind,
    timeoutMs:
      timeoutSeconds === undefined
        ? DEFAULT_TIMEOUT_MS
        : timeoutSeconds * 1_000,
    ...(rateOf && { rate: rateOf }),
  };
  switch (given.kind) {
    case 'searxng': {
      const { kind, url } = given;
      return { ...shared, kind, scope: given.scope, url };
    }
    case 'brave':
    case 'tavily': {
      const { kind, url, key } = given;
      return { ...shared, kind, scope: given.scope, url, key };
    }
    case 'mcp': {
      const { kind, tool, queryArgument, arguments: fixed } = given;
      return {
        ...shared,
        kind,
        scope: given.scope,
        tool,
        ...(queryArgument !== undefined && { queryArgument }),
        arguments: fixed,
      };
    }
    case 'documents':
      return { ...shared, kind: given.kind, scope: 'private' };
  }
}
