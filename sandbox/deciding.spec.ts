import type { Response } from 'openai/resources/responses/responses';
import type { SandboxUnderTest } from './testing/sandbox-under-test';
import { researchTool, sandboxUnderTest } from './testing/sandbox-under-test';

const clock = {
  type: 'function' as const,
  name: 'current_time',
  strict: true,
  parameters: {
    type: 'object',
    properties: { time_zone: { type: ['string', 'null'] } },
    required: ['time_zone'],
    additionalProperties: false,
  },
};

const calls = (response: Response) =>
  response.output.flatMap((item) =>
    item.type === 'function_call'
      ? [{ name: item.name, arguments: item.arguments, call_id: item.call_id }]
      : [],
  );

const named = (response: Response) => calls(response).map((c) => c.name);

describe('a turn with the tool deep_research', () => {
  let s: SandboxUnderTest;
  beforeAll(async () => (s = await sandboxUnderTest({ strictItems: false })));
  afterAll(() => s.close());

  const ask = (input: unknown, more: Record<string, unknown> = {}) =>
    s.client.responses.create({
      model: 'gpt-4o',
      input: input as string,
      tools: [researchTool, clock],
      ...more,
      stream: false,
    }) as Promise<Response>;

  it.each([
    '짜장면의 역사를 자세히 알려줘',
    '짜장면의 역사와 기원에 대해 상세하게 조사해서 알려줘',
    'BTS의 역사와 성공 요인에 대해 조사해줘',
    'Please investigate solar energy',
    'Explain sourdough in detail',
  ])('calls it for "%s"', async (message) => {
    const [call] = calls(await ask(message));
    expect(call.name).toBe('deep_research');
    expect(JSON.parse(call.arguments)).toEqual({
      research_question: message,
      context: null,
      constraints: [],
      deliverable_format: null,
    });
  });

  it.each(['안녕하세요!', '안녕하세요, 오늘 날씨 어때요?', 'hello', '2+2?'])(
    'answers "%s" directly',
    async (message) => {
      const response = await ask(message);
      expect(calls(response)).toEqual([]);
      expect(response.output_text).toMatch(/sandbox|샌드박스/i);
    },
  );

  it('greets in the language of the greeting', async () => {
    expect((await ask('안녕하세요!')).output_text).toContain(
      '안녕하세요! 무엇을 도와드릴까요?',
    );
    expect((await ask('hello')).output_text).toContain('Hello!');
  });

  it('can add numbers', async () => {
    expect((await ask('2+2?')).output_text).toContain('2+2 = 4');
  });

  it('calls it once for each question of a list', async () => {
    const response = await ask('Research these:\n- kimchi\n- solar energy');
    expect(
      calls(response).map(
        (c) =>
          (JSON.parse(c.arguments) as { research_question: string })
            .research_question,
      ),
    ).toEqual(['kimchi', 'solar energy']);
  });

  it('treats a list before the question as its context', async () => {
    const message =
      'Context:\n- 춘장\n- 중화면\n\n이 재료들을 이용한 음식의 역사를 알려줘';
    expect(named(await ask(message))).toEqual(['deep_research']);
  });

  it('makes at most one call when parallel calls are off', async () => {
    const response = await ask('Research these:\n- kimchi\n- solar energy', {
      parallel_tool_calls: false,
    });
    expect(calls(response)).toHaveLength(1);
  });

  it.each([
    ['none', 'Research kimchi', []],
    ['required', 'hello', ['deep_research']],
    [
      { type: 'function', name: 'current_time' },
      'Research kimchi',
      ['current_time'],
    ],
  ])('follows the tool choice %j', async (tool_choice, message, expected) => {
    expect(named(await ask(message, { tool_choice }))).toEqual(expected);
  });

  it('calls another tool when the message names it', async () => {
    expect(named(await ask('What does current_time say?'))).toEqual([
      'current_time',
    ]);
  });

  it('follows steering phrases exactly, broken JSON and unknown tools included', async () => {
    const response = await ask(
      '[sandbox: call nope {"a": [1, 2]}] [sandbox: call deep_research {"broken": [1]\n and go',
    );
    expect(calls(response)).toMatchObject([
      { name: 'nope', arguments: '{"a": [1, 2]}' },
      { name: 'deep_research', arguments: '{"broken": [1' },
    ]);
  });

  it('replies with the steered text when it calls nothing', async () => {
    const input =
      '[sandbox: call nope {}] [sandbox: answer "A \\"b\\" at \\u0041"] Kimchi';
    const [call] = calls(await ask(input));
    const output = { call_id: call.call_id, output: 'Something else.' };
    const question = { role: 'user', content: input };
    const asked = { ...call, type: 'function_call' };
    const outputItem = { ...output, type: 'function_call_output' };
    const { output_text } = await ask([question, asked, outputItem]);
    expect(output_text).toBe('A "b" at A');
  });

  it('answers from the tool output through previous_response_id, in the language of the question', async () => {
    const first = await ask('짜장면의 역사를 자세히 알려줘');
    const second = await ask(
      [
        {
          type: 'function_call_output',
          call_id: calls(first)[0].call_id,
          output: '# 짜장면\n\n짜장면은 인천에서 시작됐다. ([x](https://x.y))',
        },
      ],
      { previous_response_id: first.id },
    );
    expect(calls(second)).toEqual([]);
    expect(second.output_text).toMatch(/^짜장면은 인천에서 시작됐다\.\n/);
    expect(second.output_text).toContain('샌드박스');
  });

  it('answers from the text field of a JSON tool output', async () => {
    const first = await ask('Research kimchi');
    const second = await ask([
      { role: 'user', content: 'Research kimchi' },
      ...first.output,
      {
        type: 'function_call_output',
        call_id: calls(first)[0].call_id,
        output: JSON.stringify({ status: 'completed', output_text: 'Kimchi.' }),
      },
    ]);
    expect(second.output_text).toMatch(/^Kimchi\.\n/);
  });

  it('keeps calling when steered to loop', async () => {
    const message = 'go [sandbox: loop]';
    const first = await ask(message);
    const second = await ask(
      [
        {
          type: 'function_call_output',
          call_id: calls(first)[0].call_id,
          output: 'done',
        },
      ],
      { previous_response_id: first.id },
    );
    expect(named(second)).toEqual(['deep_research']);
  });

  it('starts over with the next question of a conversation', async () => {
    const first = await ask('hello');
    const second = await ask('Research kimchi', {
      previous_response_id: first.id,
    });
    expect(named(second)).toEqual(['deep_research']);
  });
});

describe('a turn with tools in the prompt', () => {
  let s: SandboxUnderTest;
  beforeAll(async () => (s = await sandboxUnderTest({ strictItems: false })));
  afterAll(() => s.close());

  const system = `Available Tools:

deep_research:
  Parameters:
    - research_question (string): The question

When you need a tool, respond with ONLY this JSON:
{"tool_name": "deep_research", "arguments": {"research_question": "..."}}`;

  const ask = (...rest: { role: 'user' | 'assistant'; content: string }[]) =>
    s.client.chat.completions.create({
      model: 'local-model',
      messages: [{ role: 'system', content: system }, ...rest],
    });

  it('calls research in that JSON and nothing else', async () => {
    const reply = await ask({ role: 'user', content: 'Research kimchi' });
    expect(JSON.parse(reply.choices[0].message.content ?? '')).toEqual({
      tool_name: 'deep_research',
      arguments: { research_question: 'Research kimchi' },
    });
  });

  it('answers once it has the result', async () => {
    const reply = await ask(
      { role: 'user', content: 'Research kimchi' },
      { role: 'assistant', content: '{"tool_name": "deep_research"}' },
      { role: 'user', content: 'Tool result: Kimchi is fermented.' },
    );
    expect(reply.choices[0].message.content).toMatch(/^Kimchi is fermented\./);
  });

  it('writes one such JSON for each of several calls', async () => {
    const reply = await ask({
      role: 'user',
      content: '[sandbox: call a {"n": 1}] [sandbox: call b {"n": 2}]',
    });
    expect(reply.choices[0].message.content).toBe(
      '{"tool_name": "a", "arguments": {"n": 1}}\n{"tool_name": "b", "arguments": {"n": 2}}',
    );
  });

  it('answers from all results of one message', async () => {
    const reply = await ask(
      { role: 'user', content: 'Research kimchi' },
      {
        role: 'user',
        content:
          'Tool result of a:\nOne.\n\nTwo.\n\nThree.\n\nTool result of b:\nFour.',
      },
    );
    expect(reply.choices[0].message.content).toMatch(
      /^One\.\n\nTwo\.\n\nFour\.\n/,
    );
  });

  it('answers a greeting directly', async () => {
    const reply = await ask({ role: 'user', content: 'hello' });
    expect(reply.choices[0].message.content).toContain('Hello!');
  });
});
