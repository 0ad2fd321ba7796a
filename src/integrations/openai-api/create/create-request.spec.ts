import { loadConfig } from '../../../config/load-config';
import type { HostedTools } from '../../../config/files/hosted-tools';
import { OpenAiRefusal } from '../../../platform/http/openai/openai-error';
import { readCreate } from './create-request';

const { hosted } = loadConfig({});
const OWN: HostedTools = {
  ...hosted,
  tools: new Map([
    ...hosted.tools,
    ['file_search', { kind: 'file_search', vectorStoreIds: ['vs_1', 'vs_2'] }],
    [
      'mcp:wiki',
      {
        kind: 'mcp',
        label: 'wiki',
        url: 'https://wiki.example/mcp',
        trusted: true,
        headers: {},
      },
    ],
  ]),
  research: ['web_search', 'file_search', 'mcp:wiki', 'code_interpreter'],
};
const ASK = { model: 'o3-deep-research', input: 'Why?' };
const WIKI = {
  type: 'mcp',
  server_label: 'wiki',
  require_approval: 'never',
};
const read = (fields: object = {}, tools = hosted) =>
  readCreate({ ...ASK, ...fields }, tools);

describe(readCreate.name, () => {
  it('takes a plain question', () => {
    expect(read()).toMatchObject({
      mode: 'foreground',
      stream: false,
      arguments: {
        research_question: 'Why?',
        deliverable_format: 'markdown_report',
      },
      request: { background: false, store: true, metadata: {}, tools: [] },
    });
  });

  it('makes the last message of the user the question, and of the others its context', () => {
    const { arguments: args, messages } = read({
      instructions: 'Be brief.',
      input: [
        { role: 'developer', content: 'Cite.' },
        { role: 'user', content: [{ type: 'input_text', text: 'Who?' }] },
        { type: 'reasoning', id: 'rs_1', summary: [] },
        {
          type: 'message',
          id: 'msg_1',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'They.', annotations: [] }],
        },
        { role: 'user', content: 'And why?' },
      ],
    });
    expect(args).toMatchObject({
      research_question: 'And why?',
      system_prompt: 'Be brief.\n\nCite.',
      context: [
        'Earlier message of the user: Who?',
        'Earlier message of the assistant: They.',
      ],
    });
    expect(messages).toHaveLength(4);
  });

  it.each([
    [{ stream: true }, 'stream'],
    [{ background: true }, 'background'],
    [{ background: true, stream: true }, 'background'],
    [{ background: null, stream: null, store: null }, 'foreground'],
  ])('reads the mode of %j', (fields, mode) => {
    expect(read(fields).mode).toBe(mode);
  });

  it('maps what research has an argument for', () => {
    const schema = { type: 'object' };
    const { arguments: args } = read({
      reasoning: { effort: 'high', summary: 'auto' },
      max_tool_calls: 7,
      previous_response_id: `resp_${'0'.repeat(32)}`,
      text: { format: { type: 'json_schema', name: 'x', schema } },
    });
    expect(args).toMatchObject({
      depth: 'deep',
      budget: { max_searches: 7 },
      previous_invocation_id: `inv_${'0'.repeat(32)}`,
      text_format: { type: 'json_schema', name: 'x', schema, strict: true },
    });
  });

  it.each([
    [[{ type: 'web_search_preview' }], 'web'],
    [[{ type: 'web_search_2025_08_26' }, { type: 'code_interpreter' }], 'web'],
    [[{ type: 'file_search', vector_store_ids: ['vs_2'] }], 'private'],
    [[{ type: 'web_search' }, WIKI], 'web_then_private'],
    [[{ ...WIKI, server_url: 'https://wiki.example/mcp' }], 'private'],
    [[], undefined],
  ])('searches what the tools %j do', (tools, sources) => {
    expect(read({ tools }, OWN).arguments.data_sources).toBe(sources);
  });

  it('repeats nothing of a tool that may be secret', () => {
    const container = { type: 'auto', network_policy: { secret: 'x' } };
    const tools = [{ type: 'code_interpreter', container }];
    expect(read({ tools }, OWN).request.tools).toEqual([
      { type: 'code_interpreter', container: { type: 'auto' } },
    ]);
  });

  it('ignores hints, and what chat programs always send', () => {
    const sent = {
      temperature: 0.2,
      top_p: 1,
      frequency_penalty: 0,
      presence_penalty: 0,
      user: 'me',
      stream_options: { include_obfuscation: false },
      truncation: 'auto',
      service_tier: 'auto',
      prompt_cache_key: 'k',
      parallel_tool_calls: true,
      include: ['reasoning.encrypted_content'],
      conversation: null,
      max_output_tokens: null,
    };
    expect(() => read(sent)).not.toThrow();
  });

  it('leaves out what a report can do without, and says so once for each kind', () => {
    const { arguments: args, request } = read({
      tools: [
        { type: 'function', name: 'f', parameters: null, strict: null },
        { type: 'function', name: 'g' },
        { type: 'web_search' },
        { type: 'code_interpreter', container: { type: 'auto' } },
      ],
      tool_choice: 'required',
      max_output_tokens: 4_000,
    });
    expect(args.data_sources).toBe('web');
    expect(request.tools).toEqual([{ type: 'web_search' }]);
    expect(request.notices).toEqual([
      { param: 'tools', message: expect.stringContaining("'function'") },
      {
        param: 'tools',
        message: expect.stringMatching(
          /'code_interpreter'.*RELAY_HOSTED_TOOLS_CONFIG/,
        ),
      },
      {
        param: 'max_output_tokens',
        message: expect.stringContaining('does not limit a report'),
      },
    ]);
  });

  it('has a choice of a tool of its own for kept, and no notice of it', () => {
    const { request } = read({
      tools: [{ type: 'web_search_preview' }],
      tool_choice: { type: 'web_search_preview' },
    });
    expect(request).not.toHaveProperty('notices');
  });

  it.each<[unknown, string, string]>([
    [undefined, 'missing_required_parameter', 'model'],
    [{ model: 'sonde-research' }, 'missing_required_parameter', 'input'],
    [{ ...ASK, input: 7 }, 'invalid_type', 'input'],
    [{ ...ASK, input: [] }, 'invalid_value', 'input'],
    [{ ...ASK, temprature: 1 }, 'unknown_parameter', 'temprature'],
    [{ ...ASK, stream: 'yes' }, 'invalid_type', 'stream'],
    [{ ...ASK, conversation: 'c' }, 'unsupported_parameter', 'conversation'],
    [{ ...ASK, tool_choice: 'none' }, 'unsupported_parameter', 'tool_choice'],
    [
      { ...ASK, include: ['file_search_call.results'] },
      'unsupported_parameter',
      'include[0]',
    ],
    [{ ...ASK, background: true, store: false }, 'invalid_value', 'background'],
    [
      {
        ...ASK,
        tools: [{ type: 'function', name: 'f' }],
        tool_choice: { type: 'function', name: 'f' },
      },
      'unsupported_parameter',
      'tool_choice',
    ],
    [
      {
        ...ASK,
        tools: [{ type: 'web_search', filters: { allowed_domains: ['a.b'] } }],
      },
      'unsupported_parameter',
      'tools[0].filters',
    ],
    [
      { ...ASK, tools: [{ type: 'web_search', depth: 1 }] },
      'unknown_parameter',
      'tools[0].depth',
    ],
    [
      { ...ASK, tools: [{ ...WIKI, headers: { authorization: 'secret' } }] },
      'unsupported_parameter',
      'tools[0].headers',
    ],
    [{ ...ASK, tools: [WIKI] }, 'unsupported_value', 'tools[0].server_label'],
    [
      { ...ASK, tools: [{ type: 'file_search', vector_store_ids: ['vs_9'] }] },
      'unsupported_value',
      'tools[0].vector_store_ids',
    ],
    [
      {
        ...ASK,
        input: [
          { role: 'user', content: [{ type: 'input_image', image_url: 'x' }] },
        ],
      },
      'invalid_value',
      'input[0].content[0].type',
    ],
    [
      {
        ...ASK,
        input: [
          { role: 'user', content: [{ type: 'input_file', file_id: 'f' }] },
        ],
      },
      'unsupported_parameter',
      'input[0].content[0].file_id',
    ],
    [
      {
        ...ASK,
        input: [
          { role: 'user', content: [{ type: 'input_file', file_url: 'x' }] },
        ],
      },
      'unsupported_parameter',
      'input[0].content[0].file_url',
    ],
    [
      { ...ASK, input: [{ role: 'user', content: [{ type: 'input_file' }] }] },
      'missing_required_parameter',
      'input[0].content[0].file_data',
    ],
    [
      { ...ASK, previous_response_id: 'resp_7' },
      'previous_response_not_found',
      'previous_response_id',
    ],
    [{ ...ASK, metadata: { a: 1 } }, 'invalid_type', 'metadata.a'],
    [
      { ...ASK, tools: [{ type: 'constructor' }] },
      'unsupported_parameter',
      'tools[0].type',
    ],
    [[ASK], 'invalid_type', ''],
  ])('refuses %j as %s of %s', (body, code, param) => {
    let refused: unknown;
    try {
      readCreate(body, hosted);
    } catch (error) {
      refused = error;
    }
    expect(refused).toBeInstanceOf(OpenAiRefusal);
    const { openAiCode, param: at, status } = refused as OpenAiRefusal;
    expect([openAiCode, at, status]).toEqual([code, param, 400]);
    expect((refused as Error).message).not.toContain('secret');
  });
});
