import type { Response, Tool } from 'openai/resources/responses/responses';
import {
  researchTool,
  type SandboxUnderTest,
  sandboxUnderTest,
} from './testing/sandbox-under-test';

const LEAVE = 'How many days of leave are there?';
const wiki = {
  type: 'mcp' as const,
  server_label: 'wiki',
  server_url: 'https://wiki.example.com/mcp',
  require_approval: 'never' as const,
};
const files = { type: 'file_search' as const, vector_store_ids: ['vs_1'] };

describe('hosted tools', () => {
  let s: SandboxUnderTest;
  beforeAll(async () => (s = await sandboxUnderTest({ strictItems: false })));
  afterEach(() => s.reset());
  afterAll(() => s.close());

  const ask = (input: string, tools: object[], more: object = {}) =>
    s.client.responses.create({
      model: 'gpt-5.5',
      input,
      tools: [researchTool, ...(tools as Tool[])],
      ...more,
    }) as Promise<Response>;
  const typesIn = ({ output }: Response) => output.map(({ type }) => type);
  const annotationsIn = ({ output }: Response) =>
    output.flatMap((item) =>
      item.type === 'message' && item.content[0].type === 'output_text'
        ? item.content[0].annotations
        : [],
    );

  it('are used in addition to functions, one per turn', async () => {
    const all = [
      { type: 'web_search' },
      files,
      { type: 'code_interpreter', container: { type: 'auto' } },
      { type: 'image_generation' },
    ];
    const used = await Promise.all(
      ['What is sourdough?', LEAVE, 'What is 2 + 3?', '고양이를 그려 줘'].map(
        async (question) => typesIn(await ask(question, all)),
      ),
    );
    expect(used).toEqual([
      ['web_search_call', 'message'],
      ['file_search_call', 'message'],
      ['code_interpreter_call', 'message'],
      ['image_generation_call', 'message'],
    ]);
    expect(typesIn(await ask('Hello!', all))).toEqual(['message']);
    expect(
      typesIn(await ask('What is sourdough?', all, { tool_choice: 'none' })),
    ).toEqual(['message']);
  });

  it('search only the allowed domains, and return sources on request', async () => {
    const search = (allowed_domains: string[]) =>
      ask(
        'What is sourdough?',
        [{ type: 'web_search', filters: { allowed_domains } }],
        { include: ['web_search_call.action.sources'] },
      );
    const found = await search(['sandbox.example']);
    expect(found.output[0]).toMatchObject({
      type: 'web_search_call',
      action: { sources: expect.arrayContaining([expect.anything()]) },
    });
    expect(annotationsIn(found)[0]).toMatchObject({ type: 'url_citation' });
    expect(typesIn(await search(['example.com']))).toEqual(['message']);
  });

  it('find private files: cited by name, or with a link by an MCP server that lists its tools once', async () => {
    const found = await ask(LEAVE, [files], {
      include: ['file_search_call.results'],
    });
    expect(found.output[0]).toMatchObject({
      results: [{ filename: 'leave-policy.md' }],
    });
    expect(annotationsIn(found)).toEqual([
      expect.objectContaining({
        type: 'file_citation',
        filename: 'leave-policy.md',
      }),
    ]);
    const called = await ask(LEAVE, [wiki]);
    expect(typesIn(called)).toEqual([
      'mcp_list_tools',
      'mcp_call',
      'mcp_call',
      'message',
    ]);
    expect(annotationsIn(called)).toEqual([
      expect.objectContaining({
        type: 'url_citation',
        url: 'https://sandbox.example/private/leave-policy',
      }),
    ]);
    const again = await ask(LEAVE, [{ ...wiki, allowed_tools: ['search'] }], {
      previous_response_id: called.id,
    });
    expect(typesIn(again)).toEqual(['mcp_call', 'message']);
  });

  it('request approval where it is required', async () => {
    const { require_approval: _, ...asking } = wiki;
    const asked = await ask(LEAVE, [asking]);
    expect(asked.status).toBe('completed');
    expect(typesIn(asked)).toEqual(['mcp_list_tools', 'mcp_approval_request']);
  });

  it('stream like upstream, with their results at the end', async () => {
    const stream = await s.client.responses.create({
      model: 'gpt-5.5',
      input: 'Draw a picture of a cat',
      tools: [researchTool, { type: 'image_generation' }],
      stream: true,
    });
    const seen: string[] = [];
    for await (const event of stream) {
      seen.push(event.type);
      if (!event.type.startsWith('response.output_item')) continue;
      const { item } = event as { item: { type: string; result?: unknown } };
      if (item.type !== 'image_generation_call') continue;
      const isDone = event.type === 'response.output_item.done';
      expect(item.result).toEqual(isDone ? expect.any(String) : null);
    }
    expect(seen.filter((type) => type.includes('image_generation'))).toEqual([
      'response.image_generation_call.in_progress',
      'response.image_generation_call.generating',
      'response.image_generation_call.completed',
    ]);
  });

  it('limit research to the given sources', async () => {
    const research = (tools: object[]) =>
      s.client.responses.create({
        model: 'o3-deep-research',
        input: 'Kimchi in detail',
        tools: tools as Tool[],
      }) as Promise<Response>;
    const own = await research([wiki]);
    expect(typesIn(own)).toContain('mcp_call');
    expect(typesIn(own)).not.toContain('web_search_call');
    expect(JSON.stringify(own.output)).not.toContain('/en/kimchi');
    const web = await research([{ type: 'web_search_preview' }]);
    expect(JSON.stringify(web.output)).not.toContain('/private/');
  });

  const research = { model: 'o3-deep-research', input: 'kimchi' };
  const turn = { model: 'gpt-5.5', input: 'hello' };
  it.each<[string, object, string, string]>([
    [
      'of a model that is bridged to chat completions',
      { ...turn, model: 'llama-3', tools: [{ type: 'web_search' }] },
      "Invalid value: 'web_search'. Supported values are: 'function' and 'custom'.",
      'tools[0].type',
    ],
    [
      'without vector stores',
      { ...turn, tools: [{ type: 'file_search' }] },
      "Missing required parameter: 'tools[0].vector_store_ids'.",
      'tools[0].vector_store_ids',
    ],
    [
      'without a container',
      { ...turn, tools: [{ type: 'code_interpreter' }] },
      "Missing required parameter: 'tools[0].container'.",
      'tools[0].container',
    ],
    [
      'without a server',
      { ...turn, tools: [{ type: 'mcp', server_label: 'wiki' }] },
      "Missing required parameter: 'tools[0].server_url'.",
      'tools[0].server_url',
    ],
    [
      'with a scheme before a domain',
      {
        ...turn,
        tools: [
          {
            type: 'web_search',
            filters: { allowed_domains: ['https://a.example'] },
          },
        ],
      },
      "Invalid 'tools[0].filters.allowed_domains[0]': expected a domain without a scheme.",
      'tools[0].filters.allowed_domains[0]',
    ],
    [
      'with the place of the user for deep research',
      {
        ...research,
        tools: [
          {
            type: 'web_search_preview',
            user_location: { type: 'approximate', country: 'KR' },
          },
        ],
      },
      "Unsupported parameter: 'tools[0].user_location' is not supported with this model.",
      'tools[0].user_location',
    ],
    [
      'with settings of a file search for deep research',
      { ...research, tools: [{ ...files, max_num_results: 3 }] },
      "Unsupported parameter: 'tools[0].max_num_results' is not supported with this model.",
      'tools[0].max_num_results',
    ],
    [
      'with an MCP server that asks, for deep research',
      { ...research, tools: [{ ...wiki, require_approval: 'always' }] },
      "Deep research models require 'require_approval' of MCP tools to be 'never'.",
      'tools[0].require_approval',
    ],
  ])('are refused %s', async (_, body, message, param) => {
    const reply = await s.post('/v1/responses', body);
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ error: { message, param } });
  });

  it('are accepted or refused by a model according to its settings', async () => {
    await s.config({
      models: { 'llama-3': { hosted: true }, 'gpt-5.5': { hosted: false } },
    });
    const status = async (model: string) =>
      (
        await s.post('/v1/responses', {
          ...turn,
          model,
          tools: [{ type: 'web_search' }],
        })
      ).status;
    expect([await status('llama-3'), await status('gpt-5.5')]).toEqual([
      200, 400,
    ]);
  });
});
