import { z } from 'zod';
import { loadConfig } from '../../../config/load-config';
import { defineTool } from '../../../tools/tool-definition';
import { ToolError } from '../../../tools/tool-error';
import { ToolRegistry } from '../../../tools/tool-registry';
import { ToolResult } from '../../../tools/tool-result';
import { cleanHits } from '../hits';
import { McpSearch } from './mcp-search';

const NAME = 'web__search';
const never = new AbortController().signal;

describe(McpSearch.name, () => {
  const run = jest.fn<Promise<unknown>, [Record<string, unknown>]>();

  /** The provider of a tool with these parameters. */
  function provider(
    parameters: z.ZodObject = z.object({ query: z.string() }),
    {
      query,
      fixed = {},
      keepsText = false,
      off = '',
    }: {
      query?: string;
      fixed?: Record<string, unknown>;
      keepsText?: boolean;
      off?: string;
    } = {},
  ): McpSearch {
    const tools = new ToolRegistry(loadConfig({ RELAY_TOOLS_OFF: off }));
    const description = 'Searches.';
    tools.register(
      defineTool({ name: NAME, description, parameters }, { run }),
    );
    return new McpSearch(tools, NAME, { query, fixed }, keepsText);
  }

  const search = (of: McpSearch, text = 'comet', limit = 5) =>
    of.search({ text, scope: 'public', limit }, never);

  /** What a search finds where the tool returns this. */
  async function found(returned: unknown, keepsText = false) {
    run.mockResolvedValueOnce(returned);
    const { hits } = await search(provider(undefined, { keepsText }));
    return cleanHits(hits, NAME, 50);
  }

  const text = (content: string) =>
    new ToolResult([{ type: 'text', text: content }]);

  describe('calls the tool', () => {
    beforeEach(() => run.mockReset().mockResolvedValue([]));

    const called = async (of: McpSearch, words?: string, limit?: number) => {
      await search(of, words, limit);
      return run.mock.calls[0][0];
    };

    it.each(['query', 'q', 'search_query', 'keywords', 'question'])(
      'with the query as %s',
      async (name) => {
        const shape = { other: z.string().optional(), [name]: z.string() };
        expect(await called(provider(z.object(shape)))).toEqual({
          [name]: 'comet',
        });
      },
    );

    it('with the query as the only required text, whatever its name is', async () => {
      const shape = { size: z.enum(['s', 'm']), Suche: z.string() };
      const fixed = { size: 's' };
      expect(await called(provider(z.object(shape), { fixed }))).toEqual({
        size: 's',
        Suche: 'comet',
      });
    });

    it('with a limit within that of the tool', async () => {
      const shape = { q: z.string(), max_results: z.int().min(1).max(10) };
      expect(await called(provider(z.object(shape)), 'comet', 50)).toEqual({
        q: 'comet',
        max_results: 10,
      });
    });

    it('with a query that is no longer than it takes', async () => {
      const shape = { q: z.string().max(3) };
      expect(await called(provider(z.object(shape)))).toEqual({ q: 'com' });
    });

    it('with what the operator sets', async () => {
      const shape = { query: z.string(), as: z.string(), count: z.int() };
      const options = { query: 'as', fixed: { query: 'all', count: 1 } };
      expect(await called(provider(z.object(shape), options))).toEqual({
        query: 'all',
        as: 'comet',
        count: 1,
      });
    });
  });

  const comets = {
    url: 'https://example.org/comets',
    title: 'Comets',
    snippet: 'A comet has a tail.',
    provider: NAME,
  };
  const { provider: _, ...raw } = comets;

  it.each([
    ['a list', [raw]],
    ['a list in an object', { results: [raw] }],
    ['a list further down', { web: { data: { organic: [{}, raw, 7] } } }],
    ['one object', raw],
    [
      'other names',
      { hits: [{ link: raw.url, name: raw.title, description: raw.snippet }] },
    ],
    [
      'texts in lists',
      { r: [{ ...raw, snippet: undefined, highlights: [raw.snippet] }] },
    ],
    ['a text of JSON', text(JSON.stringify({ results: [raw] }))],
  ])('reads %s', async (__, returned) => {
    expect(await found(returned)).toEqual([comets]);
  });

  it.each([
    [
      'Markdown links',
      '- [Comets](https://example.org/comets) A comet has a tail.\n- [Tea](https://example.org/tea) Green.',
    ],
    [
      'Markdown headings',
      '# Results\n\n## [Comets](https://example.org/comets)\nA comet has a tail.\n\n## [Tea](https://example.org/tea)\n\nGreen.',
    ],
    [
      'labelled lines',
      'Title: Comets\nURL: https://example.org/comets\nText: A comet has a tail.\n\nTitle: Tea\nURL: https://example.org/tea\nText: Green.',
    ],
    [
      'numbered entries',
      'Found 2 results:\n\n1. Comets\n   URL: https://example.org/comets\n   Summary: A comet has a tail.\n\n2. Tea\n   URL: https://example.org/tea\n   Summary: Green.',
    ],
    [
      'bold labels',
      '**Title:** Comets\n**URL:** https://example.org/comets\n**Snippet:** A comet has a tail.\n\n**Title:** Tea\n**URL:** <https://example.org/tea>\n**Snippet:** Green.',
    ],
  ])('reads %s', async (__, content) => {
    expect(await found(text(content))).toEqual([
      comets,
      {
        url: 'https://example.org/tea',
        title: 'Tea',
        snippet: 'Green.',
        provider: NAME,
      },
    ]);
  });

  it('keeps a long text only of a private source, whose pages cannot be fetched', async () => {
    const content = 'word '.repeat(1_000);
    const [hit] = await found([{ ...raw, content }], true);
    expect(hit).toEqual({ ...comets, content });
    expect(await found([{ ...raw, content }])).toEqual([comets]);
  });

  it('takes no address of a document from a tool', async () => {
    const hostile = { url: 'https://a.example/', document: 'document:secret' };
    const [hit] = await found([hostile]);
    expect(hit.url).toBe('https://a.example/');
    expect(await found([{ ...raw }, { url: 'document:secret' }])).toEqual([
      comets,
    ]);
  });

  it.each([
    ['an empty list', []],
    ['an empty list in an object', { results: [], total: 0 }],
    ['a text of an empty list', text('[]')],
  ])('finds nothing in %s', async (__, returned) => {
    expect(await found(returned)).toEqual([]);
  });

  it.each([
    ['a text without links', text('I found something.')],
    ['a value without links', { answer: 42 }],
    ['nothing', undefined],
    ['an image', new ToolResult([{ type: 'image', image: { data: 'aGk=' } }])],
    ['a hostile nest', text('['.repeat(50_000))],
  ])('reports %s as a bad reply', async (__, returned) => {
    await expect(found(returned)).rejects.toMatchObject({ fault: 'bad_reply' });
  });

  it.each([
    [new ToolError('TOOL_TIMEOUT', 'x'), 'timeout'],
    [new ToolError('TOOL_UNAVAILABLE', 'x'), 'unreachable'],
    [new ToolError('TOOL_INTERRUPTED', 'x'), 'unreachable'],
    [new ToolError('TOOL_REFUSED', 'x'), 'refused_query'],
    [new ToolError('RESULT_TOO_LARGE', 'x'), 'bad_reply'],
    [new ToolError('TOOL_ERROR', 'x'), 'bad_reply'],
    [new ToolError('TOOL_ERROR', 'HTTP 429: rate limit'), 'rate_limited'],
    [new ToolError('TOOL_ERROR', 'Invalid API key sk-1'), 'unauthorized'],
    [new ToolError('TOOL_ERROR', 'Quota used up'), 'quota_exceeded'],
  ])('reports %s without its text', async (error, fault) => {
    run.mockRejectedValueOnce(error);
    const failure = await search(provider()).catch((cause: unknown) => cause);
    expect(failure).toMatchObject({ fault, detail: error.code });
  });

  it('names what a tool with other arguments needs', async () => {
    await expect(
      search(provider(z.object({ query: z.string(), key: z.int() }))),
    ).rejects.toMatchObject({
      fault: 'bad_reply',
      detail: 'the tool needs other arguments: set queryArgument and arguments',
    });
    await expect(
      search(provider(z.object({ number: z.int() }))),
    ).rejects.toMatchObject({
      fault: 'bad_reply',
      detail: 'none of its arguments takes a query: set queryArgument',
    });
  });

  it('never calls a tool that is switched off', async () => {
    run.mockClear();
    await expect(
      search(provider(undefined, { off: 'web__*' })),
    ).rejects.toMatchObject({ fault: 'unreachable' });
    expect(run).not.toHaveBeenCalled();
  });
});
