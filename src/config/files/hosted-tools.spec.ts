import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../environment';
import { loadConfig } from '../load-config';

describe('RELAY_HOSTED_TOOLS_CONFIG', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hosted-'));
  const path = join(folder, 'hosted.json');
  const url = 'https://wiki.example.com/mcp';

  afterAll(() => rmSync(folder, { recursive: true }));

  function read(content: unknown, env: NodeJS.ProcessEnv = {}) {
    writeFileSync(path, JSON.stringify(content));
    return loadConfig({ ...env, RELAY_HOSTED_TOOLS_CONFIG: path }).hosted;
  }

  it('is optional: research searches the web, and chat has no hosted tools', () => {
    expect(loadConfig({}).hosted).toEqual({
      tools: new Map(
        ['web_search', 'code_interpreter', 'image_generation'].map((kind) => [
          kind,
          { kind },
        ]),
      ),
      chat: [],
      research: ['web_search'],
      mixedSources: false,
    });
    expect(read({})).toEqual(loadConfig({}).hosted);
  });

  it('lists tools that need no settings without any', () => {
    const chat = ['code_interpreter', 'image_generation'];
    expect(read({ chat }).chat).toEqual(chat);
  });

  it('reads every kind of tool, with secrets from the environment', () => {
    const location = {
      country: 'KR',
      region: 'Seoul',
      city: 'Seoul',
      timezone: 'Asia/Seoul',
    };
    const hosted = read(
      {
        web_search: {
          contextSize: 'low',
          allowedDomains: ['example.com', 'korea.kr'],
          location,
        },
        file_search: { vectorStoreIds: ['vs_1', 'vs_2'], maxResults: 8 },
        code_interpreter: {},
        image_generation: {},
        mcp: {
          wiki: {
            url,
            allowedTools: ['search'],
            trusted: true,
            authorization: '${WIKI_TOKEN}',
            headers: { 'x-team': '${TEAM}' },
          },
          other: { url },
        },
        chat: ['web_search', 'image_generation'],
        research: ['web_search', 'file_search', 'mcp:wiki'],
      },
      { WIKI_TOKEN: 'secret', TEAM: 'maps' },
    );
    expect(Object.fromEntries(hosted.tools)).toEqual({
      web_search: {
        kind: 'web_search',
        contextSize: 'low',
        allowedDomains: ['example.com', 'korea.kr'],
        location,
      },
      file_search: {
        kind: 'file_search',
        vectorStoreIds: ['vs_1', 'vs_2'],
        maxResults: 8,
      },
      code_interpreter: { kind: 'code_interpreter' },
      image_generation: { kind: 'image_generation' },
      'mcp:wiki': {
        kind: 'mcp',
        label: 'wiki',
        url,
        allowedTools: ['search'],
        trusted: true,
        authorization: 'secret',
        headers: { 'x-team': 'maps' },
      },
      'mcp:other': {
        kind: 'mcp',
        label: 'other',
        url,
        trusted: false,
        headers: {},
      },
    });
    expect(hosted.chat).toEqual(['web_search', 'image_generation']);
    expect(hosted.research).toEqual(['web_search', 'file_search', 'mcp:wiki']);
  });

  it('allows the web and private sources together in chat only where the operator does', () => {
    const content = {
      file_search: { vectorStoreIds: ['vs_1'] },
      chat: ['web_search', 'file_search'],
    };
    expect(() => read(content)).toThrow(
      'RELAY_HOSTED_TOOLS_CONFIG names a file in which chat names web_search and private sources together',
    );
    const allowed = read(content, { RELAY_ALLOW_MIXED_SOURCES: 'true' });
    expect(allowed).toMatchObject({ chat: content.chat, mixedSources: true });
  });

  const wiki = (more: object) => ({ mcp: { wiki: { url, ...more } } });
  it.each<[string, unknown]>([
    ['the whole is not an object', []],
    ['web_serch is not known', { web_serch: {} }],
    [
      'web_search.contextSize is not one of low, medium, high',
      { web_search: { contextSize: 'huge' } },
    ],
    [
      'web_search.allowedDomains.0 is not a domain, such as example.com',
      { web_search: { allowedDomains: ['https://example.com'] } },
    ],
    [
      'web_search.location.country is not a country in two capital letters',
      { web_search: { location: { country: 'Korea' } } },
    ],
    ['file_search.vectorStoreIds is not a list of texts', { file_search: {} }],
    [
      'file_search.vectorStoreIds is empty',
      { file_search: { vectorStoreIds: [] } },
    ],
    [
      'file_search.maxResults is outside 1..50',
      { file_search: { vectorStoreIds: ['vs_1'], maxResults: 51 } },
    ],
    [
      'mcp.a b is not a name of 1 to 32 letters, digits, _ or -',
      { mcp: { 'a b': { url } } },
    ],
    ['mcp.wiki.url is not a text', { mcp: { wiki: {} } }],
    [
      'mcp.wiki.url is not an http(s) URL without credentials',
      wiki({ url: 'https://me:secret@wiki.example.com' }),
    ],
    [
      'mcp.wiki.authorization asks for NO_SUCH, which is not set',
      wiki({ authorization: '${NO_SUCH}' }),
    ],
    ['mcp.wiki.headers.a b is not a header', wiki({ headers: { 'a b': 'c' } })],
    ['chat names magic, which is not configured', { chat: ['magic'] }],
    [
      'research names file_search, which is not configured',
      { research: ['file_search'] },
    ],
    ['chat names web_search twice', { chat: ['web_search', 'web_search'] }],
    [
      'research names mcp:wiki, which is not trusted: its calls could not be approved',
      { ...wiki({}), research: ['mcp:wiki'] },
    ],
    [
      'chat names mcp:wiki, which is not trusted: its calls could not be approved',
      { ...wiki({}), chat: ['mcp:wiki'] },
    ],
  ])('says that %s', (fault, content) => {
    let error: unknown;
    try {
      read(content);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(ConfigError);
    const { message } = error as ConfigError;
    expect(message).toContain(`names a file in which ${fault}`);
    expect(message).not.toContain('secret');
    expect(message).not.toContain('\n');
  });
});
