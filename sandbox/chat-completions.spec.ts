import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { SandboxUnderTest } from './testing/sandbox-under-test';
import { researchTool, sandboxUnderTest } from './testing/sandbox-under-test';

const { type, ...definition } = researchTool;
const tools = [{ type, function: definition }];
const research = {
  model: 'gpt-4o',
  messages: [{ role: 'user' as const, content: '김치의 역사를 조사해줘' }],
  tools,
};

describe('POST /v1/chat/completions', () => {
  let s: SandboxUnderTest;
  beforeAll(async () => (s = await sandboxUnderTest()));
  afterAll(() => s.close());

  it('answers a greeting with text', async () => {
    const reply = await s.client.chat.completions.create({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: '안녕하세요!' }],
      tools,
    });
    expect(reply.choices[0]).toMatchObject({ finish_reason: 'stop' });
    expect(reply.choices[0].message.content).toContain('무엇을 도와드릴까요?');
    expect(reply.usage?.total_tokens).toBeGreaterThan(0);
  });

  it('calls the tool, and answers from its output', async () => {
    const first = await s.client.chat.completions.create(research);
    const [choice] = first.choices;
    const [call] = choice.message.tool_calls ?? [];
    expect(choice).toMatchObject({
      finish_reason: 'tool_calls',
      message: { content: null },
    });
    const second = await s.client.chat.completions.create({
      ...research,
      messages: [
        ...research.messages,
        choice.message,
        {
          role: 'tool',
          tool_call_id: call.id,
          content: '김치는 발효 음식이다.',
        },
      ],
    });
    expect(second.choices[0].message.content).toMatch(
      /^김치는 발효 음식이다\.\n/,
    );
  });

  it('streams a call in fragments that merge by index, then usage, then [DONE]', async () => {
    const chunks: ChatCompletionChunk[] = [];
    const stream = await s.client.chat.completions.create({
      ...research,
      stream: true,
      stream_options: { include_usage: true },
    });
    for await (const chunk of stream) chunks.push(chunk);
    const fragments = chunks.flatMap(
      (chunk) => chunk.choices[0]?.delta.tool_calls ?? [],
    );
    const joined = fragments.map((f) => f.function?.arguments ?? '').join('');
    expect(fragments.filter((f) => f.id !== undefined)).toHaveLength(1);
    expect(JSON.parse(joined)).toMatchObject({
      research_question: '김치의 역사를 조사해줘',
    });
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { total_tokens: expect.any(Number) },
    });
    const raw = await s.post('/v1/chat/completions', {
      ...research,
      stream: true,
    });
    expect((await raw.text()).endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('satisfies the streaming helper of the SDK', async () => {
    const final = await s.client.chat.completions
      .stream({
        model: 'gpt-4o',
        messages: [{ role: 'user', content: 'hello' }],
      })
      .finalContent();
    expect(final).toContain('Hello!');
  });

  it.each([
    [
      { messages: [{ role: 'tool', tool_call_id: 'x', content: 'y' }] },
      /must be a response to a preceeding message with 'tool_calls'/,
    ],
    [
      {
        messages: [{ role: 'user', content: 'hi' }],
        tools: [{ type: 'web_search' }],
      },
      /Invalid value: 'web_search'. Supported values are: 'function' and 'custom'./,
    ],
    [
      {
        messages: [{ role: 'user', content: 'hi' }],
        response_format: { type: 'json_object' },
      },
      /must contain the word 'json'/,
    ],
    [{}, /Missing required parameter: 'messages'./],
  ])('refuses %j', async (body, message) => {
    const reply = await s.post('/v1/chat/completions', {
      model: 'gpt-4o',
      ...body,
    });
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({
      error: { message: expect.stringMatching(message) },
    });
  });
});
