import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../environment';
import { loadConfig } from '../load-config';

const folder = mkdtempSync(join(tmpdir(), 'search-'));
const mcp = join(folder, 'mcp.json');
const path = join(folder, 'search.json');
const SECRET = 'a-secret-key';

beforeAll(() => {
  const mcpServers = { wiki: { url: 'https://wiki.example.com/mcp' } };
  writeFileSync(mcp, JSON.stringify({ mcpServers }));
});
afterAll(() => rmSync(folder, { recursive: true }));

const providers = (env: NodeJS.ProcessEnv) =>
  loadConfig({ RELAY_MCP_CONFIG: mcp, ...env }).search.providers;

/** The one line that ends the start. */
function faultOf(env: NodeJS.ProcessEnv): string {
  try {
    providers(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const { message } = error as ConfigError;
    expect(message).toMatch(/^[^\n]+\. Example: [^\n]+$/);
    expect(message).not.toContain(SECRET);
    return message.replace(/\. Example: .*$/, '');
  }
  throw new Error('It was accepted.');
}

describe('RELAY_SEARCH', () => {
  const one = (value: string) => providers({ RELAY_SEARCH: value });

  it('is optional', () => {
    expect(providers({})).toEqual([]);
  });

  it('reads providers in their order, all of them public', () => {
    expect(
      one(
        `searxng:http://127.0.0.1:8888, brave:${SECRET},tavily:${SECRET},mcp:wiki__search`,
      ),
    ).toEqual([
      {
        name: 'searxng',
        kind: 'searxng',
        scope: 'public',
        timeoutMs: 10_000,
        url: 'http://127.0.0.1:8888',
      },
      {
        name: 'brave',
        kind: 'brave',
        scope: 'public',
        timeoutMs: 10_000,
        rate: { requests: 1, windowMs: 1_000 },
        url: 'https://api.search.brave.com',
        key: SECRET,
      },
      {
        name: 'tavily',
        kind: 'tavily',
        scope: 'public',
        timeoutMs: 10_000,
        rate: { requests: 100, windowMs: 60_000 },
        url: 'https://api.tavily.com',
        key: SECRET,
      },
      {
        name: 'wiki__search',
        kind: 'mcp',
        scope: 'public',
        timeoutMs: 10_000,
        tool: 'wiki__search',
        arguments: {},
      },
    ]);
  });

  it('adds the configured documents as a private source', () => {
    expect(
      providers({
        RELAY_SEARCH: `brave:${SECRET}`,
        RELAY_DOCUMENTS_DIR: folder,
      }),
    ).toMatchObject([
      { name: 'brave' },
      { name: 'documents', kind: 'documents', scope: 'private' },
    ]);
  });

  it.each([
    [
      'google',
      'has an entry that is none of searxng:<url>, brave:<key>, tavily:<key>, mcp:<server__tool>',
    ],
    [
      `exa:${SECRET}`,
      'has an entry that is none of searxng:<url>, brave:<key>, tavily:<key>, mcp:<server__tool>',
    ],
    [
      SECRET,
      'has an entry that is none of searxng:<url>, brave:<key>, tavily:<key>, mcp:<server__tool>',
    ],
    [
      'brave:',
      'has an entry that is none of searxng:<url>, brave:<key>, tavily:<key>, mcp:<server__tool>',
    ],
    ['searxng:localhost', 'has for searxng no http(s) URL without credentials'],
    [
      `searxng:http://me:${SECRET}@a`,
      'has for searxng no http(s) URL without credentials',
    ],
    [`brave:${SECRET} x`, 'has for brave no key'],
    ['tavily:키', 'has for tavily no key'],
    [
      'mcp:search',
      'has for mcp a name that is not the name of an MCP tool, server__tool',
    ],
    [
      'mcp:web__search',
      'has for mcp a name that is of an MCP server that RELAY_MCP_CONFIG does not name',
    ],
    [
      `brave:${SECRET},brave:${SECRET}2`,
      'names brave twice; RELAY_SEARCH_CONFIG can give them names',
    ],
  ])('refuses %s', (value, fault) => {
    expect(faultOf({ RELAY_SEARCH: value })).toBe(`RELAY_SEARCH ${fault}`);
  });
});

describe('RELAY_SEARCH_CONFIG', () => {
  const env = (content: unknown, more: NodeJS.ProcessEnv = {}) => {
    writeFileSync(path, JSON.stringify(content));
    return { RELAY_SEARCH_CONFIG: path, ...more };
  };

  it('reads a chain with names, scopes, limits and gateways', () => {
    const content = {
      providers: [
        {
          name: 'web',
          kind: 'searxng',
          url: 'http://127.0.0.1:8888/searx',
          timeoutSeconds: 15,
          rate: { requests: 2, seconds: 0.5 },
        },
        {
          kind: 'brave',
          key: '${BRAVE_KEY}',
          url: 'https://gateway.example.com',
        },
        { kind: 'documents', name: 'papers' },
        {
          name: 'wiki',
          kind: 'mcp',
          scope: 'private',
          tool: 'wiki__search',
          queryArgument: 'text',
          arguments: { space: 'all', deep: true },
        },
      ],
    };
    const found = providers(
      env(content, { BRAVE_KEY: SECRET, RELAY_DOCUMENTS_DIR: folder }),
    );
    expect(found).toEqual([
      {
        name: 'web',
        kind: 'searxng',
        scope: 'public',
        url: 'http://127.0.0.1:8888/searx',
        timeoutMs: 15_000,
        rate: { requests: 2, windowMs: 500 },
      },
      {
        name: 'brave',
        kind: 'brave',
        scope: 'public',
        url: 'https://gateway.example.com',
        key: SECRET,
        timeoutMs: 10_000,
        rate: { requests: 1, windowMs: 1_000 },
      },
      {
        name: 'papers',
        kind: 'documents',
        scope: 'private',
        timeoutMs: 10_000,
      },
      {
        name: 'wiki',
        kind: 'mcp',
        scope: 'private',
        tool: 'wiki__search',
        queryArgument: 'text',
        arguments: { space: 'all', deep: true },
        timeoutMs: 10_000,
      },
    ]);
  });

  const web = { kind: 'searxng', url: 'http://127.0.0.1' };
  it.each([
    [[], 'the whole is not an object'],
    [{}, 'providers is not a list'],
    [{ providers: [] }, 'providers is empty'],
    [{ providers: Array(11).fill(web) }, 'providers has more than 10 entries'],
    [{ providers: [web], other: SECRET }, 'other is not known'],
    [
      { providers: [{ kind: 'exa', key: SECRET }] },
      'providers.0.kind is not one of searxng, brave, tavily, mcp, documents',
    ],
    [{ providers: [SECRET] }, 'providers.0 is not an object'],
    [{ providers: [{ kind: 'brave' }] }, 'providers.0.key is not a text'],
    [
      { providers: [{ kind: 'brave', key: `${SECRET}\n` }] },
      'providers.0.key is not a key',
    ],
    [
      { providers: [{ kind: 'brave', key: '${NO_KEY}' }] },
      'providers.0.key asks for NO_KEY, which is not set',
    ],
    [{ providers: [{ ...web, key: SECRET }] }, 'providers.0.key is not known'],
    [
      { providers: [{ ...web, url: `http://me:${SECRET}@a` }] },
      'providers.0.url is not an http(s) URL without credentials',
    ],
    [
      { providers: [{ ...web, scope: 'both' }] },
      'providers.0.scope is not one of public, private',
    ],
    [
      { providers: [{ ...web, timeoutSeconds: 0 }] },
      'providers.0.timeoutSeconds is outside 0.1..120 seconds',
    ],
    [
      { providers: [{ ...web, rate: { requests: 0, seconds: 1 } }] },
      'providers.0.rate.requests is outside 1..1000',
    ],
    [
      { providers: [{ ...web, rate: { requests: 1 } }] },
      'providers.0.rate.seconds is not a number of seconds',
    ],
    [{ providers: [web, web] }, 'providers.1 has the name "searxng" again'],
    [
      { providers: [{ ...web, name: 'a b' }] },
      'providers.0.name is not a name of 1 to 32 letters, digits, _ or -',
    ],
    [
      { providers: [{ kind: 'documents' }] },
      'providers.0.kind is documents, and RELAY_DOCUMENTS_DIR is not set',
    ],
    [
      { providers: [{ kind: 'documents', scope: 'public' }] },
      'providers.0.scope is not known',
    ],
    [
      { providers: [{ kind: 'mcp', tool: 'web__search' }] },
      'providers.0.tool is of an MCP server that RELAY_MCP_CONFIG does not name',
    ],
  ])('refuses %j', (content, fault) => {
    expect(faultOf(env(content))).toBe(
      `RELAY_SEARCH_CONFIG names a file in which ${fault}`,
    );
  });

  it('refuses a file that is not there', () => {
    expect(faultOf({ RELAY_SEARCH_CONFIG: join(folder, 'none') })).toBe(
      'RELAY_SEARCH_CONFIG names a file that cannot be read (ENOENT)',
    );
  });

  it('refuses to be set beside RELAY_SEARCH', () => {
    const both = env({ providers: [web] }, { RELAY_SEARCH: `brave:${SECRET}` });
    expect(faultOf(both)).toBe(
      'RELAY_SEARCH is set, and RELAY_SEARCH_CONFIG is as well',
    );
  });
});
