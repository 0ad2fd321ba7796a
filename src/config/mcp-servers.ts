import { z } from 'zod';
import type { Environment } from './environment';
import { readJsonFile } from './json-file';

interface McpServer {
  /** 1 to 32 letters, digits, `_` or `-`. */
  readonly name: string;
  /** How long a call may be silent. */
  readonly timeoutMs: number;
  /** For one step of connecting, and for a call that finds the server away. */
  readonly connectTimeoutMs: number;
  /** The only ones that are taken, in the server's own names. Undefined: all. */
  readonly tools?: readonly string[];
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
  /** May hold secrets. */
  readonly headers: Readonly<Record<string, string>>;
}

export type McpServerConfig = McpProgram | McpEndpoint;

const NAME = 'RELAY_MCP_CONFIG';
const EXAMPLE =
  '/etc/sonde/mcp.json with {"mcpServers":{"wiki":{"url":"https://wiki.example.com/mcp"}}}';

const text = z.string('is not a text').min(1, 'is empty');
const texts = z.array(text, 'is not a list of texts');
const dictionary = z.record(z.string(), z.string('is not a text'), {
  error: 'is not an object of texts',
});
const seconds = (most: number) =>
  z
    .number('is not a number of seconds')
    .min(1, `is outside 1..${most} seconds`)
    .max(most, `is outside 1..${most} seconds`);

const server = z
  .strictObject(
    {
      // Other programs ask for it; which of the two it is, is seen without.
      type: z
        .enum(['stdio', 'http', 'streamable-http'], {
          error: 'is not one of stdio, http, streamable-http',
        })
        .optional(),
      command: text.optional(),
      args: texts.default([]),
      env: dictionary.default({}),
      cwd: text.optional(),
      url: text
        .refine(isEndpoint, 'is not an http(s) URL without credentials')
        .optional(),
      headers: dictionary.default({}),
      timeoutSeconds: seconds(86_400).default(60),
      connectTimeoutSeconds: seconds(600).default(10),
      tools: texts.optional(),
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
    mcpServers: z.record(
      z.string().regex(/^[a-zA-Z0-9_-]{1,32}$/),
      server,
      'is not an object',
    ),
  },
  'is not an object',
);

/**
 * The servers that the file names, without those that are switched off. What the file says is never repeated in a fault,
 * but for the names of its fields: it may hold secrets.
 */
export function readMcpServers(env: Environment): McpServerConfig[] {
  const path = env.optional(NAME);
  if (path === undefined) return [];
  const fail = (fault: string): never => env.fail(NAME, fault, EXAMPLE);
  const found = file.safeParse(readJsonFile(path, fail));
  if (!found.success)
    return fail(`names a file in which ${faultOf(found.error)}`);
  return Object.entries(found.data.mcpServers)
    .filter(([, given]) => !given.disabled)
    .map(([name, given]) => {
      const common = {
        name,
        timeoutMs: given.timeoutSeconds * 1000,
        connectTimeoutMs: given.connectTimeoutSeconds * 1000,
        ...(given.tools && { tools: given.tools }),
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
      return { ...common, kind: 'http' as const, url: url!, headers };
    });
}

type Fail = (fault: string) => never;

/** `mcpServers.files.command is not a text`. */
function faultOf(error: z.ZodError): string {
  const [issue] = error.issues;
  const at = (path: PropertyKey[]) => path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return `${at([...issue.path, issue.keys[0]])} is not known`;
  }
  if (issue.code === 'invalid_key') {
    return `${at(issue.path)} is not a name of 1 to 32 letters, digits, _ or -`;
  }
  return `${at(issue.path) || 'the whole'} ${issue.message}`;
}

/** Every `${NAME}` of the values is taken from the environment. */
function filledIn(
  values: Record<string, string>,
  env: Environment,
  at: string,
  fail: Fail,
): Record<string, string> {
  const fill = (key: string, value: string) =>
    value.replace(/\$\{(\w+)\}/g, (_, name: string) => {
      return (
        env.optional(name) ??
        fail(
          `names a file in which ${at}.${key} asks for ${name}, which is not set`,
        )
      );
    });
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, fill(key, value)]),
  );
}

function checkHeaders(
  headers: Record<string, string>,
  at: string,
  fail: Fail,
): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers({ [name]: value });
    } catch {
      fail(`names a file in which ${at}.${name} is not a header`);
    }
  }
}

function isEndpoint(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  return url.username === '' && url.password === '';
}
