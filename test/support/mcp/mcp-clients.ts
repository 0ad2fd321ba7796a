import {
  Client as Newer,
  StreamableHTTPClientTransport as NewerTransport,
} from '@modelcontextprotocol/client';
import { Client as Older } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const IDENTITY = { name: 'tests', version: '1' };
/** Tests wait for conditions: only some of them want a client that gives up. */
const PATIENCE_MS = 50_000;

export interface Called {
  isError?: boolean;
  // Tests read fields that they expect.
  // oxlint-disable-next-line typescript/no-explicit-any
  structured: any;
  content: { type: string; text?: string; uri?: string; mimeType?: string }[];
}

export interface CallOptions {
  timeout?: number;
  signal?: AbortSignal;
  onprogress?: (step: { progress: number; message?: string }) => void;
}

/** What the clients of both SDKs have in common. */
export interface McpClient {
  tools(): Promise<{ name: string; outputSchema?: object }[]>;
  call(name: string, args?: object, options?: CallOptions): Promise<Called>;
  resources(): Promise<{ uri: string }[]>;
  read(uri: string): Promise<{ text: string; mimeType?: string }>;
  close(): Promise<void>;
}

export const CLIENTS = {
  'the SDK of version 1': connectOlder,
  'the SDK of version 2, with a handshake': (url: string, key?: string) =>
    connectNewer(url, key, 'legacy'),
  'the SDK of version 2, without a handshake': (url: string, key?: string) =>
    connectNewer(url, key, 'auto'),
} as const;

export async function connectNewer(
  url: string,
  key?: string,
  mode: 'auto' | 'legacy' = 'auto',
): Promise<McpClient> {
  const client = new Newer(IDENTITY, { versionNegotiation: { mode } });
  await client.connect(new NewerTransport(address(url), withKey(key)));
  return common(client as unknown as Either);
}

async function connectOlder(url: string, key?: string): Promise<McpClient> {
  const client = new Older(IDENTITY);
  await client.connect(new OlderTransport(address(url), withKey(key)));
  return common({
    listTools: () => client.listTools(),
    callTool: (params, options) =>
      client.callTool(params, undefined, options) as never,
    listResources: () => client.listResources(),
    readResource: (params) => client.readResource(params) as never,
    close: () => client.close(),
  });
}

interface Either {
  listTools(): Promise<{ tools: { name: string; outputSchema?: object }[] }>;
  callTool(
    params: { name: string; arguments: Record<string, unknown> },
    options: CallOptions,
  ): Promise<Omit<Called, 'structured'> & { structuredContent?: object }>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  readResource(params: {
    uri: string;
  }): Promise<{ contents: { text: string; mimeType?: string }[] }>;
  close(): Promise<void>;
}

async function common(client: Either): Promise<McpClient> {
  // From now on the client checks results by their schemas.
  await client.listTools();
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, args = {}, options = {}) => {
      const { structuredContent: structured, ...rest } = await client.callTool(
        { name, arguments: { ...args } },
        { timeout: PATIENCE_MS, ...options },
      );
      return { structured, ...rest };
    },
    resources: async () => (await client.listResources()).resources,
    read: async (uri) => (await client.readResource({ uri })).contents[0],
    close: () => client.close(),
  };
}

function address(url: string): URL {
  return new URL('/mcp', url);
}

function withKey(key: string | undefined) {
  return {
    requestInit: { headers: key ? { authorization: `Bearer ${key}` } : {} },
  };
}
