import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SandboxUnderTest } from './testing/sandbox-under-test';
import { sandboxUnderTest, webSearch } from './testing/sandbox-under-test';

const turn = { model: 'gpt-4o', input: 'hello' };
const user = { role: 'user', content: 'hello' };
const chat = (...messages: object[]) => ({ model: 'gpt-4o', messages });
const call = {
  id: 'call_1',
  type: 'function',
  function: { name: 'weather', arguments: '{}' },
};
const result = { role: 'tool', tool_call_id: 'call_1', content: 'sunny' };
const weather = {
  type: 'function',
  name: 'weather',
  parameters: { type: 'object', properties: {} },
};
const chatWeather = {
  type: 'function',
  function: { name: 'weather', parameters: { type: 'object' } },
};
const items = (...input: object[]) => ({ ...turn, input });

describe('a request that the published types do not allow', () => {
  let s: SandboxUnderTest;
  beforeAll(async () => (s = await sandboxUnderTest({ strictItems: false })));
  afterAll(() => s.close());

  const refusal = async (path: string, body: object) => {
    const reply = await s.post(path, body);
    const { error } = (await reply.json()) as { error: object };
    return { status: reply.status, ...error };
  };

  it.each<[string, object, string, string, string | null]>([
    [
      'keys of a message inside a part',
      chat(
        user,
        {
          role: 'assistant',
          content: [{ type: 'text', text: 'Looking.', role: 'assistant' }],
          tool_calls: [call],
        },
        result,
      ),
      "Unknown parameter: 'messages[1].content[0].role'.",
      'messages[1].content[0].role',
      'unknown_parameter',
    ],
    [
      'a field that no message has',
      chat({ ...user, thinking: 'hm' }),
      "Unknown parameter: 'messages[0].thinking'.",
      'messages[0].thinking',
      'unknown_parameter',
    ],
    [
      'a field that only messages of another role have',
      chat({ ...user, tool_calls: [call] }),
      "Unknown parameter: 'messages[0].tool_calls'.",
      'messages[0].tool_calls',
      'unknown_parameter',
    ],
    [
      'a role that nobody has',
      chat({ role: 'robot', content: 'x' }),
      "Invalid value: 'robot'. Supported values are: 'developer', 'system', 'user', 'assistant', 'tool' and 'function'.",
      'messages[0].role',
      'invalid_value',
    ],
    [
      'a content that is an object',
      chat({ role: 'user', content: { text: 'x' } }),
      "Invalid type for 'messages[0].content': expected one of a string or an array.",
      'messages[0].content',
      'invalid_type',
    ],
    [
      'a part without its text',
      chat({ role: 'user', content: [{ type: 'text' }] }),
      "Missing required parameter: 'messages[0].content[0].text'.",
      'messages[0].content[0].text',
      'missing_required_parameter',
    ],
    [
      'a part of the other protocol',
      chat({ role: 'user', content: [{ type: 'input_text', text: 'x' }] }),
      "Invalid value: 'input_text'. Supported values are: 'text', 'image_url', 'input_audio' and 'file'.",
      'messages[0].content[0].type',
      'invalid_value',
    ],
    [
      'arguments that are no string',
      chat(
        user,
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { ...call, function: { name: 'weather', arguments: {} } },
          ],
        },
        result,
      ),
      "Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string.",
      'messages[1].tool_calls[0].function.arguments',
      'invalid_type',
    ],
    [
      'an empty list of calls',
      chat(user, { role: 'assistant', content: 'x', tool_calls: [] }, user),
      "Invalid 'messages[1].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      'messages[1].tool_calls',
      'empty_array',
    ],
    [
      'an assistant message that says nothing',
      chat(user, { role: 'assistant', content: null }, user),
      "Invalid value for 'content': expected a string, got null.",
      'messages[1].content',
      null,
    ],
    [
      'the id of a call that is too long',
      chat(
        user,
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ ...call, id: 'c'.repeat(41) }],
        },
        { ...result, tool_call_id: 'c'.repeat(41) },
      ),
      "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 41 instead.",
      'messages[1].tool_calls[0].id',
      'string_above_max_length',
    ],
    [
      'a call of a name that no function can have',
      chat(
        user,
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { ...call, function: { name: 'the weather', arguments: '{}' } },
          ],
        },
        result,
      ),
      "Invalid 'messages[1].tool_calls[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]{1,64}$'.",
      'messages[1].tool_calls[0].function.name',
      'invalid_value',
    ],
    [
      'a function in the form of the other protocol',
      { ...chat(user), tools: [weather] },
      "Unknown parameter: 'tools[0].name'.",
      'tools[0].name',
      'unknown_parameter',
    ],
    [
      'a choice among no tools',
      { ...chat(user), tool_choice: 'none' },
      "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
      'tool_choice',
      null,
    ],
    [
      'no tools at all in a list of tools',
      { ...chat(user), tools: [] },
      "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      'tools',
      'empty_array',
    ],
    [
      'options of a stream without one',
      { ...chat(user), stream_options: { include_usage: true } },
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      'stream_options',
      null,
    ],
  ])(
    'refuses %s in a chat completion',
    async (_, body, message, param, code) => {
      expect(await refusal('/v1/chat/completions', body)).toEqual({
        status: 400,
        message,
        param,
        code,
        type: 'invalid_request_error',
      });
    },
  );

  it.each<[string, object, string, string]>([
    [
      'a field that no item has',
      items({ ...user, thinking: 'hm' }),
      "Unknown parameter: 'input[0].thinking'.",
      'unknown_parameter',
    ],
    ['an unknown item', items({ type: 'novelty' }, user), '', 'invalid_value'],
    [
      'a part of the other protocol',
      items({ role: 'user', content: [{ type: 'text', text: 'x' }] }),
      '',
      'invalid_value',
    ],
    [
      'a function in the form of the other protocol',
      { ...turn, tools: [chatWeather] },
      "Unknown parameter: 'tools[0].function'.",
      'unknown_parameter',
    ],
    [
      'a setting that no web search has',
      { ...turn, tools: [{ type: 'web_search', depth: 3 }] },
      "Unknown parameter: 'tools[0].depth'.",
      'unknown_parameter',
    ],
    [
      'a setting of another web search',
      { ...turn, tools: [{ ...webSearch[0], filters: {} }] },
      "Unknown parameter: 'tools[0].filters'.",
      'unknown_parameter',
    ],
    [
      'an unknown includable',
      { ...turn, include: ['everything'] },
      '',
      'invalid_value',
    ],
    [
      'an effort that nobody knows',
      { ...turn, reasoning: { effort: 'much' } },
      '',
      'invalid_value',
    ],
    [
      'metadata that is no text',
      { ...turn, metadata: { attempt: 1 } },
      "Invalid type for 'metadata.attempt': expected a string.",
      'invalid_type',
    ],
    [
      'a call without its arguments',
      items({ type: 'function_call', call_id: 'call_1', name: 'weather' }),
      "Missing required parameter: 'input[0].arguments'.",
      'missing_required_parameter',
    ],
    [
      'more tools than 128',
      {
        ...turn,
        tools: Array.from({ length: 129 }, (_, n) => ({
          ...weather,
          name: `tool_${n}`,
        })),
      },
      "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 129 instead.",
      'array_above_max_length',
    ],
  ])('refuses %s in a response', async (_, body, message, code) => {
    expect(await refusal('/v1/responses', body)).toMatchObject({
      status: 400,
      message: message || (expect.stringMatching(/^Invalid value: /) as string),
      code,
    });
  });

  it.each([
    ['stream=maybe', 400],
    ['starting_after=-1', 400],
    ['starting_after=x', 400],
    ['include[]=everything', 400],
    ['after=3', 400],
    ['stream=false&include[]=reasoning.encrypted_content', 404],
  ])('answers a retrieve with ?%s with %i', async (query, status) => {
    const reply = await fetch(`${s.url}/v1/responses/resp_1?${query}`);
    expect(reply.status).toBe(status);
  });

  it('accepts every form that the endpoint accepts in addition to its types', async () => {
    const replies = await Promise.all([
      s.post('/v1/responses', {
        ...turn,
        tools: [{ type: 'function', name: 'weather' }],
      }),
      s.post(
        '/v1/responses',
        items(
          user,
          {
            role: 'assistant',
            content: [{ type: 'output_text', text: 'Hello.' }],
          },
          { type: 'message', ...user },
        ),
      ),
      s.post(
        '/v1/chat/completions',
        chat(
          { role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] },
          user,
          {
            role: 'assistant',
            content: [{ type: 'text', text: 'Looking.' }],
            tool_calls: [call],
          },
          result,
        ),
      ),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});

it('validates requests by the types of the installed openai package', async () => {
  const script = join(__dirname, '../script/request-shapes.mjs');
  await promisify(execFile)(process.execPath, [script, '--check']);
}, 300_000);
