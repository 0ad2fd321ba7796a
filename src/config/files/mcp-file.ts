import { z } from 'zod';
import type { Environment } from '../environment';
import type { ProxySettings } from '../settings/proxy-settings';
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

interface McpServer {
  /** 1 to 32 letters, digits, `_` or `-`. */
  readonly name: string;
  /** How long a call may take without progress. */
  readonly timeoutMs: number;
  /** For one step of connecting, and for a call that waits for an unavailable server. */
  readonly connectTimeoutMs: number;
  /** The only tools that are used, by the names of the server. Undefined: all. */
  readonly tools?: readonly string[];
  /** Tools that models may call without approval, by the names of the server; `*` is all of them. */
  readonly trusted?: readonly string[];
}

/** A program that is started as a child process, with MCP over its standard input and output. */
export interface McpProgram extends McpServer {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** In addition to the few variables that every program needs, e.g. `PATH`. May contain secrets. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface McpEndpoint extends McpServer {
  readonly kind: 'http';
  readonly url: string;
  /** Uses the HTTP+SSE transport of 2024-11-05. Otherwise the transport is detected. */
  readonly sse?: boolean;
  /** May contain secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly proxies?: ProxySettings;
}

export type McpServerConfig = McpProgram | McpEndpoint;

const NAME = 'RELAY_MCP_CONFIG';
const EXAMPLE =
  '/etc/sonde/mcp.json with {"mcpServers":{"wiki":{"url":"https://wiki.example.com/mcp"}}}';

const seconds = (most: number) =>
  z
    .number('is not a number of seconds')
    .min(1, `is outside 1..${most} seconds`)
    .max(most, `is outside 1..${most} seconds`);

const trusted = z.union(
  [z.literal('*').transform((all) => [all]), z.array(text)],
  'is neither a list of texts nor "*"',
);

const server = z
  .strictObject(
    {
      // Other programs require the field; here `command` or `url` decides.
      type: z
        .enum(['stdio', 'http', 'streamable-http', 'sse'], {
          error: 'is not one of stdio, http, streamable-http, sse',
        })
        .optional(),
      command: text.optional(),
      args: texts.default([]),
      env: dictionary.default({}),
      cwd: text.optional(),
      url: endpointUrl.optional(),
      headers: dictionary.default({}),
      timeoutSeconds: seconds(86_400).default(60),
      connectTimeoutSeconds: seconds(600).optional(),
      tools: texts.optional(),
      trusted: trusted.optional(),
      disabled: z.boolean('is not true or false').default(false),
    },
    { error: 'is not an object' },
  )
  .refine(
    (given) => (given.command === undefined) !== (given.url === undefined),
    {
      error: 'has not exactly one of command and url',
    },
  );

const file = z.object(
  {
    mcpServers: z.record(label, server, 'is not an object'),
  },
  'is not an object',
);

/** Seconds that connecting may take by default: what runs a package, such as npx or uvx, may have to download it first. */
function patience({ command }: z.infer<typeof server>): number {
  return command === undefined ? 10 : 60;
}

/** The enabled servers of the file. Errors name its fields but never repeat its values, which may be secrets. */
export function readMcpServers(
  env: Environment,
  proxies?: ProxySettings,
): McpServerConfig[] {
  const fail: Fail = (fault) => env.fail(NAME, fault, EXAMPLE);
  const found = readJsonFile(env, NAME, file, fail);
  if (!found) return [];
  return Object.entries(found.mcpServers)
    .filter(([, given]) => !given.disabled)
    .map(([name, given]) => {
      const common = {
        name,
        timeoutMs: given.timeoutSeconds * 1000,
        connectTimeoutMs:
          1000 * (given.connectTimeoutSeconds ?? patience(given)),
        ...(given.tools && { tools: given.tools }),
        ...(given.trusted && { trusted: given.trusted }),
      };
      const at = (field: string) => `mcpServers.${name}.${field}`;
      const { command, args, cwd, url } = given;
      if (command !== undefined) {
        const own = expandVariables(given.env, env, at('env'), fail);
        return {
          ...common,
          kind: 'stdio' as const,
          command,
          args,
          env: own,
          ...(cwd !== undefined && { cwd }),
        };
      }
      const headers = expandVariables(given.headers, env, at('headers'), fail);
      checkHeaders(headers, at('headers'), fail);
      return {
        ...common,
        kind: 'http' as const,
        url: url!,
        headers,
        ...(proxies && { proxies }),
        ...(given.type === 'sse' && { sse: true }),
      };
    });
}
