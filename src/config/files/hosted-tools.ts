import { z } from 'zod';
import type { Environment } from '../environment';
import {
  checkHeaders,
  dictionary,
  endpointUrl,
  type Fail,
  expandVariables,
  label,
  readJsonFile,
  text,
  texts,
} from './json-file';

/** A tool that the model endpoint executes itself. */
export type HostedTool =
  | WebSearch
  | FileSearch
  | { readonly kind: 'code_interpreter' | 'image_generation' }
  | HostedMcp;

export type HostedKind = HostedTool['kind'];

export interface WebSearch {
  readonly kind: 'web_search';
  readonly contextSize?: 'low' | 'medium' | 'high';
  /** Subdomains are included. */
  readonly allowedDomains?: readonly string[];
  /** The approximate location of the user. */
  readonly location?: {
    /** Two letters, ISO 3166. */
    readonly country?: string;
    readonly region?: string;
    readonly city?: string;
    /** IANA. */
    readonly timezone?: string;
  };
}

export interface FileSearch {
  readonly kind: 'file_search';
  readonly vectorStoreIds: readonly string[];
  readonly maxResults?: number;
}

/** An MCP server that the endpoint calls, not this service. */
export interface HostedMcp {
  readonly kind: 'mcp';
  readonly label: string;
  readonly url: string;
  readonly allowedTools?: readonly string[];
  /** Its tools are called without approval. */
  readonly trusted: boolean;
  /** Both may contain secrets. */
  readonly authorization?: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface HostedTools {
  /** Name (`web_search`, `mcp:<label>`, …) -> its settings. */
  readonly tools: ReadonlyMap<string, HostedTool>;
  /** Names of the tools of chat, and of research. */
  readonly chat: readonly string[];
  readonly research: readonly string[];
  /** Content of private sources may be sent to the web. */
  readonly mixedSources: boolean;
}

const NAME = 'RELAY_HOSTED_TOOLS_CONFIG';
const EXAMPLE =
  '/etc/sonde/hosted-tools.json with {"file_search":{"vectorStoreIds":["vs_1"]},"chat":["file_search"]}';

/** Tools that can be listed without settings. */
const WITHOUT_SETTINGS = [
  'web_search',
  'code_interpreter',
  'image_generation',
] as const;

const domain = z
  .string('is not a text')
  .regex(
    /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i,
    'is not a domain, such as example.com',
  );
const settings = { error: 'is not an object' };

const webSearch = z.strictObject(
  {
    contextSize: z
      .enum(['low', 'medium', 'high'], 'is not one of low, medium, high')
      .optional(),
    allowedDomains: z
      .array(domain, 'is not a list of texts')
      .min(1, 'is empty')
      .max(100, 'names more than 100 domains')
      .optional(),
    location: z
      .strictObject(
        {
          country: z
            .string('is not a text')
            .regex(/^[A-Z]{2}$/, 'is not a country in two capital letters')
            .optional(),
          region: text.optional(),
          city: text.optional(),
          timezone: text.optional(),
        },
        settings,
      )
      .optional(),
  },
  settings,
);

const file = z.strictObject(
  {
    web_search: webSearch.optional(),
    file_search: z
      .strictObject(
        {
          vectorStoreIds: texts.min(1, 'is empty'),
          maxResults: z
            .int('is not a whole number')
            .min(1, 'is outside 1..50')
            .max(50, 'is outside 1..50')
            .optional(),
        },
        settings,
      )
      .optional(),
    code_interpreter: z.strictObject({}, settings).optional(),
    image_generation: z.strictObject({}, settings).optional(),
    mcp: z
      .record(
        label,
        z.strictObject(
          {
            url: endpointUrl,
            allowedTools: texts.min(1, 'is empty').optional(),
            trusted: z.boolean('is not true or false').default(false),
            authorization: text.optional(),
            headers: dictionary.default({}),
          },
          settings,
        ),
        settings,
      )
      .default({}),
    chat: texts.default([]),
    research: texts.default(['web_search']),
  },
  settings,
);

/** Without a file: web search without settings, for research only. Errors never repeat values, which may be secrets. */
export function readHostedTools(env: Environment): HostedTools {
  const fail: Fail = (fault) => env.fail(NAME, fault, EXAMPLE);
  const mixedSources = env.flag('RELAY_ALLOW_MIXED_SOURCES', false);
  const found = readJsonFile(env, NAME, file, fail) ?? file.parse({});
  const { mcp, chat, research, ...plain } = found;
  const tools = new Map<string, HostedTool>(
    WITHOUT_SETTINGS.map((kind) => [kind, { kind }]),
  );
  for (const [kind, given] of Object.entries(plain))
    tools.set(kind, { kind, ...given } as HostedTool);
  for (const [
    name,
    { authorization = '', headers, ...given },
  ] of Object.entries(mcp)) {
    const at = `mcp.${name}`;
    const secret = expandVariables({ authorization }, env, at, fail);
    const filled = expandVariables(headers, env, `${at}.headers`, fail);
    checkHeaders(filled, `${at}.headers`, fail);
    tools.set(`mcp:${name}`, {
      kind: 'mcp',
      label: name,
      ...given,
      ...(authorization && secret),
      headers: filled,
    });
  }
  const hosted = { tools, chat, research, mixedSources };
  const fault =
    namesFault('chat', chat, hosted) ??
    // Research uses private sources and the web in separate phases, see `data_sources`.
    namesFault('research', research, { tools, mixedSources: true });
  return fault ? fail(`names a file in which ${fault}`) : hosted;
}

/** The reason why these tools cannot be combined; `at` is the list that names them. */
export function namesFault(
  at: string,
  names: readonly string[],
  { tools, mixedSources }: Pick<HostedTools, 'tools' | 'mixedSources'>,
): string | undefined {
  for (const [place, name] of names.entries()) {
    if (names.indexOf(name) < place) return `${at} names ${name} twice`;
    const tool = tools.get(name);
    if (!tool) return `${at} names ${name}, which is not configured`;
    if (tool.kind === 'mcp' && !tool.trusted)
      return `${at} names ${name}, which is not trusted: its calls could not be approved`;
  }
  const kinds = names.map((name) => tools.get(name)!.kind);
  const leak = kinds.includes('web_search') && kinds.some(isPrivate);
  return leak && !mixedSources
    ? `${at} names web_search and private sources together, which could send private content to the web (RELAY_ALLOW_MIXED_SOURCES=true allows it)`
    : undefined;
}

/** Whether it reads private content, which must never reach the web. */
export function isPrivate(kind: HostedKind): boolean {
  return kind === 'file_search' || kind === 'mcp';
}
