import { OpenAiRefusal } from '../../platform/http/openai/openai-error';
import { chatInput } from '../loop/chat-input';
import { AppError } from '../../platform/errors';
import { chatRequestOf, inTermsOfCompletion } from './completion-input';
import { readCompletionRequest } from '../../platform/http/openai/completion-request';

const hello = {
  model: 'm',
  messages: [{ role: 'user', content: 'Hello' }] as object[],
};
const mapped = (more: object) =>
  chatRequestOf(readCompletionRequest({ ...hello, ...more }));
const refusal = (body: unknown): Partial<OpenAiRefusal> => {
  try {
    chatRequestOf(readCompletionRequest(body));
  } catch (error) {
    if (error instanceof OpenAiRefusal) return error;
    throw error;
  }
  throw new Error('It was not refused.');
};

describe(chatRequestOf.name, () => {
  it('has every kind of message as the chat takes it', () => {
    const call = {
      id: 'c1',
      type: 'function',
      function: { name: 'f', arguments: '{"a":1}' },
    };
    const request = mapped({
      messages: [
        { role: 'developer', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            {
              type: 'image_url',
              image_url: { url: 'https://a.example/b.png', detail: 'low' },
            },
          ],
        },
        // With members of the reply that came before.
        {
          role: 'assistant',
          content: null,
          refusal: null,
          annotations: [],
          tool_calls: [call],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'done' },
      ],
    });
    expect(chatInput(request)).toEqual([
      { role: 'system', contents: [{ type: 'text', text: 'Be brief.' }] },
      {
        role: 'user',
        contents: [
          { type: 'text', text: 'What is this?' },
          { type: 'image', image: { url: 'https://a.example/b.png' } },
        ],
      },
      {
        role: 'assistant',
        contents: [],
        tool_calls: [{ ...call, function: { name: 'f', arguments: { a: 1 } } }],
      },
      {
        role: 'tool',
        tool_call_id: 'c1',
        contents: [{ type: 'text', text: 'done' }],
      },
    ]);
  });

  it('has functions, the choice and the sampling', () => {
    const fn = { name: 'f', parameters: { type: 'object' }, strict: true };
    expect(
      mapped({
        tools: [{ type: 'function', function: fn }],
        tool_choice: { type: 'function', function: { name: 'f' } },
        parallel_tool_calls: false,
        max_tokens: 5,
        stop: 'END',
        response_format: {
          type: 'json_schema',
          json_schema: { name: 's', schema: { type: 'object' } },
        },
      }),
    ).toMatchObject({
      functions: [fn],
      tool_choice: { name: 'f' },
      parallel_tool_calls: false,
      sampling: {
        maxTokens: 5,
        stop: ['END'],
        format: { type: 'json_schema', name: 's', schema: { type: 'object' } },
      },
    });
  });

  it('leaves marks of a cache out, which programs for other models send', () => {
    const cache_control = { type: 'ephemeral' };
    const text = { type: 'text', text: 'Hello' };
    const image_url = { url: 'https://a.example/b.png' };
    const content = [
      { ...text, cache_control },
      { type: 'image_url', image_url, cache_control },
    ];
    const { messages } = mapped({ messages: [{ role: 'user', content }] });
    expect(messages).toEqual([
      { role: 'user', contents: [text, { type: 'image', image: image_url }] },
    ]);
  });

  it('names parameters of a completion where no user has spoken', () => {
    const request = mapped({
      messages: [{ role: 'system', content: 'Be brief.' }],
    });
    let thrown: unknown;
    try {
      chatInput(request);
    } catch (error) {
      thrown = inTermsOfCompletion(error);
    }
    expect((thrown as AppError).errors).toEqual([
      { path: 'messages', message: 'must hold a user message' },
    ]);
  });

  it('takes what asks for nothing, and what clients always send', () => {
    expect(() =>
      mapped({
        n: 1,
        stop: null,
        logprobs: true,
        top_logprobs: 2,
        logit_bias: {},
        modalities: ['text'],
        store: true,
        user: 'u',
        seed: 1,
        frequency_penalty: 0.1,
        service_tier: 'auto',
      }),
    ).not.toThrow();
  });

  it.each<[object, string, string]>([
    [{ n: 2 }, 'unsupported_parameter', 'n'],
    [{ stop: ['a', 'b', 'c', 'd', 'e'] }, 'invalid_value', 'stop'],
    [{ functions: [{}] }, 'unsupported_parameter', 'functions'],
    [{ other: 1 }, 'unknown_parameter', 'other'],
    [{ model: undefined }, 'missing_required_parameter', 'model'],
    [{ temperature: 3 }, 'invalid_value', 'temperature'],
    [{ max_tokens: '5' }, 'invalid_type', 'max_tokens'],
    [
      { tools: [{ type: 'custom', custom: { name: 'a' } }] },
      'unsupported_parameter',
      'tools[0].type',
    ],
    [
      { messages: [{ role: 'tool', content: 'x' }] },
      'missing_required_parameter',
      'messages[0].tool_call_id',
    ],
    [
      {
        messages: [
          {
            role: 'assistant',
            tool_calls: [
              {
                id: 'c',
                type: 'function',
                function: { name: 'f', arguments: '[]' },
              },
            ],
          },
        ],
      },
      'invalid_value',
      'messages[0].tool_calls[0].function.arguments',
    ],
  ])('refuses %j by its name', (more, openAiCode, param) => {
    expect(refusal({ ...hello, ...more })).toMatchObject({ openAiCode, param });
  });

  it.each([undefined, null, [], 'text'])('refuses the body %j', (body) => {
    expect(refusal(body)).toMatchObject({ status: 400 });
  });
});
