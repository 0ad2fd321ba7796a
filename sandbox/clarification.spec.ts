import type { Response } from 'openai/resources/responses/responses';
import { researchTool, sandboxUnderTest } from './testing/sandbox-under-test';
import type { SandboxUnderTest } from './testing/sandbox-under-test';

const askUser = {
  type: 'function' as const,
  name: 'ask_user',
  description: 'Asks the user one clarifying question.',
  strict: true,
  parameters: {
    type: 'object',
    properties: { question: { type: 'string' } },
    required: ['question'],
    additionalProperties: false,
  },
};
const note = { ...askUser, name: 'note', description: 'Takes a note.' };
const KOREAN = '무엇에 대해 조사할까요?';
const ENGLISH = 'What is the research to be about?';

describe('a model that may ask the user', () => {
  let s: SandboxUnderTest;
  beforeAll(async () => (s = await sandboxUnderTest({ strictItems: false })));
  afterAll(() => s.close());

  const ask = (input: unknown, tools: object[] = [researchTool, askUser]) =>
    s.client.responses.create({
      model: 'gpt-4o',
      input: input as string,
      tools: tools as never,
      stream: false,
    }) as Promise<Response>;
  const callsOf = ({ output }: Response) =>
    output.flatMap((item) => (item.type === 'function_call' ? [item] : []));
  const named = async (...asked: Parameters<typeof ask>) =>
    callsOf(await ask(...asked)).map(({ name }) => name);
  const output = (call_id: string, text: string) => ({
    type: 'function_call_output',
    call_id,
    output: text,
  });

  it.each([
    ['Research it', ENGLISH],
    ['Can you please investigate this in detail?', ENGLISH],
    ['이거 조사해줘', KOREAN],
    ['자세히 조사해 줘!', KOREAN],
    ['그것에 대해 보고서를 써 줘', KOREAN],
    ['Research kimchi', undefined],
    ['짜장면의 역사를 자세히 알려줘', undefined],
    ['가을 조사해줘', undefined],
    ['hello', undefined],
    ['Do it', undefined],
  ])('that is told "%s" asks: %s', async (message, question) => {
    const asked = callsOf(await ask(message)).filter(
      ({ name }) => name === 'ask_user',
    );
    expect(asked.map((call) => JSON.parse(call.arguments) as unknown)).toEqual(
      question === undefined ? [] : [{ question }],
    );
  });

  it('researches at once where it cannot ask', async () => {
    expect(await named('Research it', [researchTool])).toEqual([
      'deep_research',
    ]);
  });

  it('researches the answer of the user without asking again, and replies from the report', async () => {
    const input = [{ role: 'user', content: 'Research it' }];
    const first = await ask(input);
    const shown = [
      ...input,
      ...first.output,
      output(callsOf(first)[0].call_id, 'It'),
    ];
    const second = await ask(shown);
    const [call, ...more] = callsOf(second);
    expect(more).toEqual([]);
    expect(call.name).toBe('deep_research');
    expect(JSON.parse(call.arguments)).toMatchObject({
      research_question: 'It',
    });
    const third = await ask([
      ...shown,
      ...second.output,
      output(call.call_id, 'It is it.'),
    ]);
    expect(third.output_text).toMatch(/^It is it\.\n/);
  });

  it('makes the steered call of a later turn once', async () => {
    const content =
      '[sandbox: call note {"question": "1"}] [sandbox: then note {"question": "2"}] [sandbox: then note {"question": "3"}]';
    const input: object[] = [{ role: 'user', content }];
    const made: unknown[] = [];
    for (;;) {
      const turn = await ask(input, [note]);
      const calls = callsOf(turn);
      made.push(calls.map((call) => JSON.parse(call.arguments) as unknown));
      if (calls.length === 0) break;
      input.push(...turn.output);
      input.push(...calls.map(({ call_id }) => output(call_id, 'Done.')));
    }
    expect(made).toEqual([
      [{ question: '1' }],
      [{ question: '2' }],
      [{ question: '3' }],
      [],
    ]);
  });

  describe('with tools in the prompt', () => {
    const described = [researchTool, askUser].map(
      ({ name, description, parameters }) =>
        `${name}: ${description}\nIts arguments as JSON Schema: ${JSON.stringify(parameters)}`,
    );
    const content = `You can call these tools:\n\n${described.join('\n\n')}\n\nAnswer like this:\n{"tool_name": "…", "arguments": {}}`;
    const shown = async (
      ...messages: { role: 'user' | 'assistant'; content: string }[]
    ) => {
      const reply = await s.client.chat.completions.create({
        model: 'local-model',
        messages: [{ role: 'system', content }, ...messages],
      });
      return reply.choices[0].message.content ?? '';
    };

    it('asks in that JSON, and researches the answer', async () => {
      const asked = { role: 'user' as const, content: '이거 조사해줘' };
      const call = await shown(asked);
      expect(JSON.parse(call)).toEqual({
        tool_name: 'ask_user',
        arguments: { question: KOREAN },
      });
      const next = await shown(
        asked,
        { role: 'assistant', content: call },
        { role: 'user', content: 'Tool result of ask_user:\n김치' },
      );
      expect(JSON.parse(next)).toEqual({
        tool_name: 'deep_research',
        arguments: { research_question: '김치' },
      });
    });
  });
});
