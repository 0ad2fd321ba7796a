import type { SandboxUnderTest } from './testing/sandbox-under-test';
import {
  researchTool,
  sandboxUnderTest,
  webSearch,
} from './testing/sandbox-under-test';

const deepResearch = { model: 'o3-deep-research', input: 'kimchi' };
const turn = { model: 'gpt-4o', input: 'hello' };
const broken = (parameters: Record<string, unknown>) => ({
  ...turn,
  tools: [{ ...researchTool, parameters }],
});

describe('a request that the upstream would refuse', () => {
  let s: SandboxUnderTest;
  beforeAll(async () => (s = await sandboxUnderTest({ strictItems: false })));
  afterEach(() => s.reset());
  afterAll(() => s.close());

  it.each<[string, object, string, string | null, string | null]>([
    [
      'no model',
      { input: 'x' },
      "Missing required parameter: 'model'.",
      'model',
      'missing_required_parameter',
    ],
    [
      'no input',
      { model: 'gpt-4o' },
      "Missing required parameter: 'input'.",
      'input',
      'missing_required_parameter',
    ],
    [
      'an unknown field',
      { ...turn, temprature: 1 },
      "Unknown parameter: 'temprature'.",
      'temprature',
      'unknown_parameter',
    ],
    [
      'a deep-research model without a data source',
      deepResearch,
      "Deep research models require at least one of 'web_search_preview', 'mcp', or 'file_search' tools.",
      'tools',
      null,
    ],
    [
      'a deep-research model with a function tool',
      { ...deepResearch, tools: [...webSearch, researchTool] },
      "Deep research models only support the 'web_search_preview', 'code_interpreter', 'mcp', and 'file_search' tools.",
      'tools',
      null,
    ],
    [
      'a deep-research model with high effort',
      { ...deepResearch, tools: webSearch, reasoning: { effort: 'high' } },
      "Unsupported value: 'high' is not supported with the 'o3-deep-research' model. Supported values are: 'medium'.",
      'reasoning.effort',
      'unsupported_value',
    ],
    [
      'temperature on a reasoning model',
      { model: 'gpt-5.5', input: 'x', temperature: 0.2 },
      "Unsupported parameter: 'temperature' is not supported with this model.",
      'temperature',
      null,
    ],
    [
      'a forced tool that is not offered',
      { ...turn, tool_choice: { type: 'web_search' } },
      "Tool choice 'web_search' not found in 'tools' parameter.",
      'tool_choice',
      null,
    ],
    [
      'an output without its call',
      {
        ...turn,
        input: [
          { type: 'function_call_output', call_id: 'call_1', output: 'x' },
        ],
      },
      'No tool call found for function call output with call_id call_1.',
      'input',
      null,
    ],
    [
      'a call without its output',
      {
        ...turn,
        input: [
          {
            type: 'function_call',
            call_id: 'call_1',
            name: 'f',
            arguments: '{}',
          },
        ],
      },
      'No tool output found for function call call_1.',
      'input',
      null,
    ],
    [
      'an open strict schema',
      broken({ type: 'object', properties: {}, required: [] }),
      "Invalid schema for function 'deep_research': In context=(), 'additionalProperties' is required to be supplied and to be false.",
      'tools[0].parameters',
      'invalid_function_parameters',
    ],
    [
      'a strict schema with an optional property',
      broken({
        type: 'object',
        properties: { a: { type: 'string' } },
        required: [],
        additionalProperties: false,
      }),
      "Invalid schema for function 'deep_research': In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing 'a'.",
      'tools[0].parameters',
      'invalid_function_parameters',
    ],
    [
      'an open object inside a strict schema',
      {
        ...turn,
        text: {
          format: {
            type: 'json_schema',
            name: 'x',
            strict: true,
            schema: {
              type: 'object',
              properties: { inner: { type: 'object', properties: {} } },
              required: ['inner'],
              additionalProperties: false,
            },
          },
        },
      },
      "Invalid schema for response_format 'x': In context=('properties', 'inner'), 'additionalProperties' is required to be supplied and to be false.",
      'text.format.schema',
      'invalid_json_schema',
    ],
    [
      'json_object without a word of JSON',
      { ...turn, text: { format: { type: 'json_object' } } },
      "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
      'input',
      null,
    ],
    [
      'an unknown previous response',
      { ...turn, previous_response_id: 'resp_x' },
      "Previous response with id 'resp_x' not found.",
      'previous_response_id',
      'previous_response_not_found',
    ],
    [
      'background without storage',
      { ...turn, background: true, store: false },
      "Unsupported parameter: 'background' requires 'store' to be true.",
      'background',
      'unsupported_parameter',
    ],
    [
      'too few output tokens',
      { ...turn, max_output_tokens: 5 },
      "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 5 instead.",
      'max_output_tokens',
      'integer_below_min_value',
    ],
    [
      'metadata that is too long',
      { ...turn, metadata: { key: 'x'.repeat(513) } },
      "Invalid 'metadata': value too long. Expected a string with maximum length 512, but got a string with length 513 instead.",
      'metadata',
      'string_above_max_length',
    ],
  ])('is refused: %s', async (_, body, message, param, code) => {
    const reply = await s.post('/v1/responses', body);
    expect(reply.status).toBe(400);
    expect(await reply.json()).toEqual({
      error: { message, type: 'invalid_request_error', param, code },
    });
  });

  it('accepts a strict schema whose optional values are nullable', async () => {
    const reply = await s.post('/v1/responses', {
      ...turn,
      tools: [researchTool],
    });
    expect(reply.status).toBe(200);
  });

  it('refuses seventeen pairs of metadata', async () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 17 }, (_, i) => [`k${i}`, 'v']),
    );
    const reply = await s.post('/v1/responses', { ...turn, metadata });
    expect(reply.status).toBe(400);
  });

  it('counts no refused request as a run', async () => {
    await s.post('/v1/responses', { ...deepResearch, background: true });
    expect(await s.get('/sandbox/stats')).toMatchObject({
      creates: 0,
      turns: 0,
    });
  });

  it('answers invalid JSON, unknown routes and unknown ids in the error shape', async () => {
    const invalid = await fetch(`${s.url}/v1/responses`, {
      method: 'POST',
      body: '{"model":',
    });
    const route = await fetch(`${s.url}/v1/nowhere`);
    const unknown = await fetch(`${s.url}/v1/responses/resp_x`);
    expect([invalid.status, route.status, unknown.status]).toEqual([
      400, 404, 404,
    ]);
    for (const reply of [invalid, route, unknown])
      expect(await reply.json()).toMatchObject({
        error: {
          type: 'invalid_request_error',
          message: expect.stringMatching(/./),
        },
      });
  });
});
