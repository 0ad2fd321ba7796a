import { runChat } from '../../support/chat/chats';
import type { Client } from '../../support/client';
import { openAi } from '../../support/openai/openai-client';
import { LlamaStand } from './llama-stand';

const QUESTIONS = [
  'My name is Ada. Say hello to me.',
  'What is my name?',
  'Name a colour.',
  'Name another one.',
  'Say goodbye.',
];
const said = (role: string, text: string) => ({
  role,
  contents: [{ type: 'text', text }],
});

// The first of a machine has to be installed.
const START_MS = 10 * 60_000;
/** A machine may be busy with others. */
const CHAT_MS = 15 * 60_000;

jest.setTimeout(CHAT_MS);

describe('a chat with a real model of llama.cpp', () => {
  let real: LlamaStand;
  let client: Client;

  beforeAll(async () => {
    real = await LlamaStand.start();
    client = real.stand.client();
  }, START_MS);
  beforeEach(() => real.recorder.forget());
  afterAll(() => real?.stop());

  it.each(['plain', 'streamed', 'background'] as const)(
    'goes on for five turns, %s',
    async (mode) => {
      const messages: object[] = [];
      for (const question of QUESTIONS) {
        messages.push(said('user', question));
        const body = { messages, auto_tool_call: false };
        const { reply } = await runChat(mode, client, body);
        expect(reply).toMatchObject({ status: 'completed', error: null });
        expect(reply.content).toMatch(/\S/);
        messages.push(reply.message);
      }
      expect(real.recorder.refused).toEqual([]);
    },
  );

  it.each([false, true])(
    'goes on for five turns with the items of its responses (stream: %s)',
    async (stream) => {
      const sdk = openAi(client.url);
      const input: object[] = [];
      for (const content of QUESTIONS) {
        input.push({ role: 'user', content });
        const body = { model: 'smollm2', input: input as never };
        const response = stream
          ? await sdk.responses.stream(body).finalResponse()
          : await sdk.responses.create(body);
        expect(response.status).toMatch(/^(completed|incomplete)$/);
        input.push(...response.output);
      }
      expect(real.recorder.refused).toEqual([]);
    },
  );

  it('takes the calls and results of earlier turns', async () => {
    const { body } = await client.post('/api/v1/chat', {
      messages: [
        said('user', 'What is the weather in Seoul?'),
        {
          role: 'assistant',
          contents: [],
          tool_calls: [
            {
              type: 'function',
              id: 'call_1',
              function: { name: 'get_weather', arguments: { city: 'Seoul' } },
            },
          ],
        },
        {
          role: 'tool',
          tool_call_id: 'call_1',
          contents: [{ type: 'text', text: 'Sunny, 3 degrees' }],
        },
      ],
      auto_tool_call: false,
    });
    expect(body).toMatchObject({ status: 'completed', error: null });
    expect(real.recorder.refused).toEqual([]);
  });
});

describe('tools in the prompt of a real model', () => {
  let real: LlamaStand;

  beforeAll(async () => {
    real = await LlamaStand.start({}, { RELAY_CHAT_ENGINES: 'prompt' });
  }, START_MS);
  afterAll(() => real?.stop());

  it.each(['plain', 'streamed'] as const)(
    'are called, or not, without a refusal, %s',
    async (mode) => {
      real.recorder.forget();
      const { reply } = await runChat(mode, real.stand.client(), {
        messages: [
          said('user', 'Say hello.'),
          said('assistant', 'Hello.'),
          said('user', 'Which time is it? Use the tool get_current_datetime.'),
        ],
        tools: ['get_current_datetime'],
      });
      expect(reply).toMatchObject({ status: 'completed', error: null });
      expect(real.recorder.refused).toEqual([]);
    },
  );
});

describe('a context of 512 tokens', () => {
  let real: LlamaStand;

  beforeAll(async () => {
    real = await LlamaStand.start({ contextTokens: 512 });
  }, START_MS);
  afterAll(() => real?.stop());

  it.each(['plain', 'streamed'] as const)(
    'that a chat exceeds is named, %s',
    async (mode) => {
      const { reply } = await runChat(mode, real.stand.client(), {
        message: 'one two three four '.repeat(400),
        auto_tool_call: false,
      });
      expect(reply.error).toMatchObject({ code: 'context_length_exceeded' });
      expect(reply.content).toContain('512');
    },
  );
});

describe('an endless answer', () => {
  let real: LlamaStand;

  beforeAll(async () => {
    real = await LlamaStand.start(
      { endless: true },
      { RELAY_MAX_OUTPUT_TOKENS: '256' },
    );
  }, START_MS);
  afterAll(() => real?.stop());

  it.each(['plain', 'streamed'] as const)(
    'ends before the context does, and says that it was cut, %s',
    async (mode) => {
      const { reply } = await runChat(mode, real.stand.client(), {
        message: 'Say hello.',
        auto_tool_call: false,
      });
      expect(reply).toMatchObject({ status: 'completed', truncated: true });
      expect(reply.usage.output_tokens).toBeLessThanOrEqual(256);
    },
  );
});
