import type { HostedTool } from '../../config/files/hosted-tools';
import { hostedToolset } from './hosted-toolset';
import { profileOf } from '../models/model-profile';

const url = 'https://wiki.example.com/mcp';
const wiki = { kind: 'mcp', label: 'wiki', url, headers: {} } as const;
const location = { country: 'KR', city: 'Seoul' };
const tools = new Map<string, HostedTool>([
  [
    'web_search',
    {
      kind: 'web_search',
      contextSize: 'low',
      allowedDomains: ['example.com'],
      location,
    },
  ],
  [
    'file_search',
    { kind: 'file_search', vectorStoreIds: ['vs_1'], maxResults: 5 },
  ],
  ['code_interpreter', { kind: 'code_interpreter' }],
  ['image_generation', { kind: 'image_generation' }],
  [
    'mcp:wiki',
    {
      ...wiki,
      trusted: true,
      allowedTools: ['search'],
      authorization: 'secret',
      headers: { team: 'maps' },
    },
  ],
  ['mcp:plain', { ...wiki, label: 'plain', trusted: true }],
  ['mcp:other', { ...wiki, label: 'other', trusted: false }],
]);
const offered = (model: string, names: readonly string[] = [...tools.keys()]) =>
  hostedToolset(names, profileOf(model, new Map()), { tools });
const mcp = {
  type: 'mcp',
  server_label: 'wiki',
  server_url: url,
  require_approval: 'never',
  allowed_tools: ['search'],
  authorization: 'secret',
  headers: { team: 'maps' },
};
const plainMcp = {
  type: 'mcp',
  server_label: 'plain',
  server_url: url,
  require_approval: 'never',
};
const codeInterpreter = {
  type: 'code_interpreter',
  container: { type: 'auto' },
};

describe(hostedToolset.name, () => {
  it('sends a reasoning model every tool with its settings, but none that would wait for an approval', () => {
    expect(offered('gpt-5.5')).toEqual({
      tools: [
        {
          type: 'web_search',
          search_context_size: 'low',
          filters: { allowed_domains: ['example.com'] },
          user_location: { type: 'approximate', ...location },
        },
        {
          type: 'file_search',
          vector_store_ids: ['vs_1'],
          max_num_results: 5,
        },
        codeInterpreter,
        { type: 'image_generation' },
        mcp,
        plainMcp,
      ],
      include: ['web_search_call.action.sources'],
      unsupported: ['mcp:other'],
    });
  });

  it('sends a deep-research model what it supports, and reports the rest', () => {
    expect(offered('o3-deep-research')).toEqual({
      tools: [
        { type: 'web_search_preview' },
        { type: 'file_search', vector_store_ids: ['vs_1'] },
        codeInterpreter,
        mcp,
        plainMcp,
      ],
      include: ['web_search_call.action.sources'],
      unsupported: [
        'web_search.contextSize',
        'web_search.allowedDomains',
        'web_search.location',
        'file_search.maxResults',
        'image_generation',
        'mcp:other',
      ],
    });
  });

  it('sends a plain model none, and no model what is not configured', () => {
    const none = { tools: [], include: [] };
    expect(offered('gpt-4o', ['web_search', 'code_interpreter'])).toEqual({
      ...none,
      unsupported: ['web_search', 'code_interpreter'],
    });
    expect(offered('gpt-5.5', ['mcp:nowhere'])).toEqual({
      ...none,
      unsupported: ['mcp:nowhere'],
    });
  });

  it('sends a web search without settings by its name alone', () => {
    const { tools: sent } = hostedToolset(
      ['web_search'],
      profileOf('gpt-5.5', new Map()),
      { tools: new Map([['web_search', { kind: 'web_search' }]]) },
    );
    expect(sent).toEqual([{ type: 'web_search' }]);
  });
});
