import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../environment';
import { loadConfig } from '../load-config';

describe('RELAY_MCP_CONFIG', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-'));
  const path = join(folder, 'mcp.json');

  afterAll(() => rmSync(folder, { recursive: true }));

  function read(content: unknown, env: NodeJS.ProcessEnv = {}) {
    const text =
      typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(path, text);
    return loadConfig({ ...env, RELAY_MCP_CONFIG: path }).mcp.servers;
  }

  const one = (server: unknown, env?: NodeJS.ProcessEnv) =>
    read({ mcpServers: { files: server } }, env);

  it('is optional', () => {
    expect(loadConfig({}).mcp.servers).toEqual([]);
  });

  it('reads programs and endpoints, without those that are disabled', () => {
    const mcpServers = {
      files: { command: 'npx', args: ['-y', 'files'], cwd: '/data' },
      wiki: {
        type: 'http',
        url: 'https://wiki.example.com/mcp',
        timeoutSeconds: 3600,
        connectTimeoutSeconds: 5,
        tools: ['search'],
        trusted: ['search'],
      },
      open: { url: 'https://open.example.com/mcp', trusted: '*' },
      old: { command: 'old', disabled: true },
    };
    expect(read({ mcpServers, theme: 'dark' })).toEqual([
      {
        name: 'files',
        kind: 'stdio',
        timeoutMs: 60_000,
        connectTimeoutMs: 60_000,
        command: 'npx',
        args: ['-y', 'files'],
        env: {},
        cwd: '/data',
      },
      {
        name: 'wiki',
        kind: 'http',
        timeoutMs: 3_600_000,
        connectTimeoutMs: 5_000,
        tools: ['search'],
        trusted: ['search'],
        url: 'https://wiki.example.com/mcp',
        headers: {},
      },
      {
        name: 'open',
        kind: 'http',
        timeoutMs: 60_000,
        connectTimeoutMs: 10_000,
        trusted: ['*'],
        url: 'https://open.example.com/mcp',
        headers: {},
      },
    ]);
  });

  it('expands variables of the environment', () => {
    const env = { TOKEN: 'abc', USER_NAME: 'me' };
    const headers = { Authorization: 'Bearer ${TOKEN}' };
    expect(one({ url: 'http://a.b', headers }, env)).toMatchObject([
      { headers: { Authorization: 'Bearer abc' } },
    ]);
    const both = { PAIR: '${USER_NAME}:${TOKEN}', PLAIN: '$TOKEN' };
    expect(one({ command: 'a', env: both }, env)).toMatchObject([
      { env: { PAIR: 'me:abc', PLAIN: '$TOKEN' } },
    ]);
  });

  it.each<[string, unknown]>([
    ['the whole is not an object', []],
    ['mcpServers is not an object', {}],
    ['mcpServers is not an object', { mcpServers: 'secret' }],
    ['mcpServers.files is not an object', { mcpServers: { files: 'secret' } }],
    [
      'mcpServers.my files is not a name of 1 to 32 letters, digits, _ or -',
      { mcpServers: { 'my files': { command: 'a' } } },
    ],
  ])('says that %s', (fault, content) => {
    expect(faultOf(() => read(content))).toBe(`names a file in which ${fault}`);
  });

  it.each<[string, object]>([
    [' has not exactly one of command and url', {}],
    [
      ' has not exactly one of command and url',
      { command: 'a', url: 'https://a.b' },
    ],
    ['.command is not a text', { command: ['secret'] }],
    ['.command is empty', { command: '' }],
    ['.args is not a list of texts', { command: 'a', args: 'secret' }],
    ['.args.1 is not a text', { command: 'a', args: ['a', 1] }],
    ['.env is not an object of texts', { command: 'a', env: 'secret' }],
    ['.env.PORT is not a text', { command: 'a', env: { PORT: 1 } }],
    [
      '.url is not an http(s) URL without credentials',
      { url: 'https://me:secret@a.b' },
    ],
    ['.url is not an http(s) URL without credentials', { url: 'secret' }],
    ['.timeoutSeconds is not a number of seconds', { timeoutSeconds: '9' }],
    ['.timeoutSeconds is outside 1..86400 seconds', { timeoutSeconds: 90_000 }],
    [
      '.connectTimeoutSeconds is outside 1..600 seconds',
      { connectTimeoutSeconds: 0 },
    ],
    ['.tools is not a list of texts', { tools: 'secret' }],
    ['.disabled is not true or false', { disabled: 'secret' }],
    [
      '.type is not one of stdio, http, streamable-http, sse',
      { type: 'websocket' },
    ],
    ['.timeout is not known', { timeout: 'secret' }],
    ['.headers.a b is not a header', { headers: { 'a b': 'secret' } }],
    ['.headers.a is not a header', { headers: { a: 'se\ncret' } }],
    [
      '.headers.a asks for NO_SUCH, which is not set',
      { headers: { a: 'secret ${NO_SUCH}' } },
    ],
  ])('says that mcpServers.files%s', (fault, server) => {
    const whole =
      'command' in server || Object.keys(server).length === 0
        ? server
        : { url: 'https://a.b', ...server };
    expect(faultOf(() => one(whole))).toBe(
      `names a file in which mcpServers.files${fault}`,
    );
  });

  it('reports where the file is not JSON, without quoting it', () => {
    expect(faultOf(() => read('{\n "secret": secret}'))).toMatch(
      /^names a file that is not JSON( \(line 2 column \d+\))?$/,
    );
  });

  it('reports a missing file', () => {
    const load = () => loadConfig({ RELAY_MCP_CONFIG: '/secret/mcp.json' });
    expect(faultOf(load)).toBe('names a file that cannot be read (ENOENT)');
  });

  /** What the one line says between the variable and the example. */
  function faultOf(load: () => unknown): string {
    try {
      load();
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      const { message } = error as ConfigError;
      expect(message).not.toMatch(/secret|\n/);
      return /^RELAY_MCP_CONFIG (.*)\. Example: /.exec(message)?.[1] ?? message;
    }
    throw new Error('There is no fault');
  }
});
