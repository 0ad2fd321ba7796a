import type { HostedTool, HostedTools } from '../../config/files/hosted-tools';
import { profileOf } from '../../llm/models/model-profile';
import { type DataSources, sourcesFault, toolsFor } from './data-sources';

const tools = new Map<string, HostedTool>([
  ['web_search', { kind: 'web_search' }],
  ['code_interpreter', { kind: 'code_interpreter' }],
  ['file_search', { kind: 'file_search', vectorStoreIds: ['vs_1'] }],
]);
const hosted = (research: string[], mixedSources = false): HostedTools => ({
  tools,
  chat: [],
  research,
  mixedSources,
});
const BOTH = ['web_search', 'code_interpreter', 'file_search'];
const model = (name: string) => profileOf(name, new Map());

describe('the sources of a run', () => {
  it.each<[DataSources | undefined, string[], string[]]>([
    [undefined, ['web_search'], ['web_search']],
    [undefined, BOTH, ['web_search', 'code_interpreter']],
    [undefined, ['file_search'], ['file_search']],
    [undefined, ['code_interpreter'], ['code_interpreter']],
    [undefined, [], []],
    ['web', BOTH, ['web_search', 'code_interpreter']],
    ['private', BOTH, ['code_interpreter', 'file_search']],
    ['web_then_private', BOTH, ['code_interpreter', 'file_search']],
    ['web_and_private', BOTH, BOTH],
  ])('of %s are, of %j, %j', (requested, research, expected) => {
    expect(toolsFor(requested, hosted(research))).toEqual(expected);
  });

  it.each<[DataSources | undefined, string, HostedTools]>([
    [undefined, 'gpt-4o', hosted(['web_search'])],
    [undefined, 'gpt-4o', hosted([])],
    ['web', 'gpt-4o', hosted(['web_search'])],
    ['web', 'gpt-5.5', hosted(BOTH)],
    ['private', 'o3-deep-research', hosted(BOTH)],
    ['web_then_private', 'o3-deep-research', hosted(BOTH)],
    ['web_and_private', 'gpt-5.5', hosted(BOTH, true)],
  ])('of %s are available with %s', (requested, name, config) => {
    expect(sourcesFault(requested, model(name), config)).toBeUndefined();
  });

  it.each<[DataSources | undefined, string, HostedTools, RegExp]>([
    ['private', 'gpt-5.5', hosted(['web_search']), /needs private sources/],
    ['private', 'gpt-4o', hosted(BOTH), /needs private sources/],
    [undefined, 'gpt-4o', hosted(['file_search']), /needs private sources/],
    ['web_then_private', 'gpt-4o', hosted(BOTH), /needs private sources/],
    ['web', 'gpt-5.5', hosted(['file_search']), /needs the web search/],
    [
      'web_then_private',
      'gpt-5.5',
      hosted(['file_search']),
      /needs the web search/,
    ],
    ['web_and_private', 'gpt-5.5', hosted(BOTH), /web_then_private/],
    [
      'web_and_private',
      'gpt-5.5',
      hosted(['web_search'], true),
      /needs private sources/,
    ],
  ])('of %s are refused with %s', (requested, name, config, fault) => {
    expect(sourcesFault(requested, model(name), config)).toMatch(fault);
  });
});
