import { z } from 'zod';
import type { Environment } from '../environment';
import {
  checkHeaders,
  dictionary,
  endpointUrl,
  type Fail,
  filledIn,
  label,
  readJsonFile,
  text,
  texts,
} from './json-file';

interface McpServer {
  /** 1 to 32 letters, digits, `_` or `-`. */
  readonly name: string;
  /** How long a call may be silent. */
  readonly timeoutMs: number;
  /** For one step of connecting, and for a call that finds the server away. */
  readonly connectTimeoutMs: number;
  /** The only ones that are taken, in the server's own names. Undefined: all. */
  readonly tools?: readonly string[];
  /** Those that models may call without approval, in the server's own names; `*` is all of them. */
  readonly trusted?: readonly string[];
}

/** A program that is started, and spoken to over its standard input and output. */
export interface McpProgram extends McpServer {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Besides the few variables that every program needs, e.g. `PATH`. May hold secrets. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface McpEndpoint extends McpServer {
  readonly kind: 'http';
  readonly url: string;
  /** It speaks HTTP with one stream of events, as up to 2024-11-05. Otherwise whichever of the two it turns out to speak. */
  readonly sse?: boolean;
  /** May hold secrets. */
  readonly headers: Readonly<Record<string, string>>;
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
      // Other programs ask for it; which one it is, is seen without.
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
      connectTimeoutSeconds: seconds(600).default(10),
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

/**
 * The servers that the file names, without those that are switched off. What the file says is never repeated in a fault,
 * but for the names of its fields: it may hold secrets.
 */
export function readMcpServers(env: Environment): McpServerConfig[] {
  const fail: Fail = (fault) => env.fail(NAME, fault, EXAMPLE);
  const found = readJsonFile(env, NAME, file, fail);
  if (!found) return [];
  return Object.entries(found.mcpServers)
    .filter(([, given]) => !given.disabled)
    .map(([name, given]) => {
      const common = {
        name,
        timeoutMs: given.timeoutSeconds * 1000,
        connectTimeoutMs: given.connectTimeoutSeconds * 1000,
        ...(given.tools && { tools: given.tools }),
        ...(given.trusted && { trusted: given.trusted }),
      };
      const at = (field: string) => `mcpServers.${name}.${field}`;
      const { command, args, cwd, url } = given;
      if (command !== undefined) {
        const own = filledIn(given.env, env, at('env'), fail);
        return {
          ...common,
          kind: 'stdio' as const,
          command,
          args,
          env: own,
          ...(cwd !== undefined && { cwd }),
        };
      }
      const headers = filledIn(given.headers, env, at('headers'), fail);
      checkHeaders(headers, at('headers'), fail);
      return {
        ...common,
        kind: 'http' as const,
        url: url!,
        headers,
        ...(given.type === 'sse' && { sse: true }),
      };
    });
}
