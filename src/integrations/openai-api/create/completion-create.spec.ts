import { loadConfig } from '../../../config/load-config';
import { OpenAiRefusal } from '../../../platform/http/openai/openai-error';
import { inTermsOfCompletion, readCompletionCreate } from './completion-create';
import { readCreate } from './create-request';

const { hosted } = loadConfig({});
const user = (content: unknown) => ({ role: 'user', content });
const read = (fields: object = {}) =>
  readCompletionCreate(
    { model: 'o3-deep-research', messages: [user('Why?')], ...fields },
    hosted,
  );
const refusalOf = (fields: object) => {
  try {
    read(fields);
  } catch (error) {
    return inTermsOfCompletion(error);
  }
  throw new Error('It was not refused.');
};

describe(readCompletionCreate.name, () => {
  it('asks for what the same conversation asks for as a response', () => {
    const call = { name: 'get_weather', arguments: '{"city":"Seoul"}' };
    const { arguments: args, mode } = read({
      stream: true,
      messages: [
        { role: 'system', content: 'Be brief.' },
        user('Who?'),
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: call }],
        },
        { role: 'tool', tool_call_id: 'c1', content: '3 degrees' },
        { role: 'assistant', content: [{ type: 'text', text: 'They.' }] },
        user([{ type: 'text', text: 'Why?' }]),
      ],
    });
    const response = readCreate(
      {
        model: 'o3-deep-research',
        stream: true,
        input: [
          { role: 'system', content: 'Be brief.' },
          user('Who?'),
          { type: 'function_call', call_id: 'c1', ...call },
          {
            type: 'function_call_output',
            call_id: 'c1',
            output: '3 degrees',
          },
          { role: 'assistant', content: 'They.' },
          user('Why?'),
        ],
      },
      hosted,
    );
    expect(args).toEqual(response.arguments);
    expect(args).toMatchObject({
      research_question: 'Why?',
      system_prompt: 'Be brief.',
      context: [
        expect.stringContaining('Who?'),
        expect.stringContaining('3 degrees'),
        expect.stringContaining('They.'),
      ],
    });
    expect(mode).toBe('stream');
  });

  it('takes effort, format, metadata and storage as a response does', () => {
    const { arguments: args, request } = read({
      reasoning_effort: 'high',
      metadata: { topic: 'food' },
      store: false,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'facts', schema: { type: 'object' } },
      },
    });
    expect(args).toMatchObject({
      depth: 'deep',
      text_format: {
        type: 'json_schema',
        name: 'facts',
        schema: { type: 'object' },
      },
    });
    expect(request).toMatchObject({
      store: false,
      metadata: { topic: 'food' },
    });
  });

  it('has no use for what chat programs always send', () => {
    const plain = read();
    const { arguments: args, includeUsage } = read({
      temperature: 0.3,
      top_p: 0.9,
      stop: ['END'],
      user: 'u1',
      parallel_tool_calls: true,
      seed: 1,
      stream_options: { include_usage: true },
    });
    expect(args).toEqual(plain.arguments);
    expect(includeUsage).toBe(true);
    expect(plain.includeUsage).toBe(false);
  });

  it('names what a report does without by the names of a completion', () => {
    const { request } = read({
      max_tokens: 1_000,
      tools: [{ type: 'function', function: { name: 'get_weather' } }],
    });
    expect(request.notices).toEqual([
      { param: 'tools', message: expect.stringContaining("'function'") },
      {
        param: 'max_completion_tokens',
        message: expect.stringMatching(/^max_completion_tokens does not/),
      },
    ]);
  });

  it.each([
    [{ n: 2 }, 'n'],
    [{ audio: {} }, 'audio'],
    [{ messages: [{ role: 'system', content: 'Hi' }] }, 'messages'],
    [{ reasoning_effort: 'enormous' }, 'reasoning_effort'],
    [{ metadata: { a: 1 } }, 'metadata.a'],
    [{ tool_choice: 'none' }, 'tool_choice'],
    [
      {
        tools: [{ type: 'function', function: { name: 'f' } }],
        tool_choice: { type: 'function', function: { name: 'f' } },
      },
      'tool_choice',
    ],
    [
      {
        messages: [
          user([
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: 'https://a.example/b' } },
          ]),
        ],
      },
      'messages[0].content[1]',
    ],
  ])('refuses %j by the name %s', (fields, param) => {
    const error = refusalOf(fields);
    expect(error).toBeInstanceOf(OpenAiRefusal);
    expect(error).toMatchObject({ status: 400, param });
    expect((error as OpenAiRefusal).message).toContain(`'${param}'`);
  });
});
