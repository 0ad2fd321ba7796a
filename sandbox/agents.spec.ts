import type { Response } from 'openai/resources/responses/responses';
import { researchTool, sandboxUnderTest } from './testing/sandbox-under-test';
import type { SandboxUnderTest } from './testing/sandbox-under-test';

const none = {
  type: 'object',
  properties: {},
  required: [],
  additionalProperties: false,
};
const place = {
  ...none,
  properties: { place: { type: 'string' } },
  required: ['place'],
};
const tool = (
  name: string,
  description: string,
  parameters: object = none,
) => ({
  type: 'function' as const,
  name,
  description,
  strict: true,
  parameters,
});

const toWeather = tool('transfer_to_weather', 'Rain and temperature, 날씨.');
const toPrices = tool('transfer_to_prices', 'What a kilogram is worth, 시세.');
const toGuide = tool('transfer_to_guide', 'Knows the other assistants.');
const forecast = tool('forecast', 'The weather of tomorrow.', place);
const climate = tool('climate', 'The rain of a whole year.', place);

const USE = {
  role: 'system',
  content: 'You know the weather.\nUse your tools.',
};
const user = (content: string) => ({ role: 'user', content });
const RAIN = user('How much rain falls in Busan?');
/** The question was handed over to the agent that is asked now. */
const handedOver = (from: string) => [
  { type: 'function_call', call_id: 'c1', name: from, arguments: '{}' },
  {
    type: 'function_call_output',
    call_id: 'c1',
    output: '{"assistant":"weather"}',
  },
];

describe('one of several agents', () => {
  let s: SandboxUnderTest;
  beforeAll(async () => (s = await sandboxUnderTest({ strictItems: false })));
  afterAll(() => s.close());

  const ask = (input: object[], tools: object[]) =>
    s.client.responses.create({
      model: 'gpt-4o',
      input: input as never,
      tools: tools as never,
      stream: false,
    }) as Promise<Response>;
  const called = async (input: object[], tools: object[]) =>
    (await ask(input, tools)).output.flatMap((item) =>
      item.type === 'function_call' ? [item.name] : [],
    );

  it.each([
    ['Will the temperature fall?', ['transfer_to_weather']],
    ['부산 날씨 어때?', ['transfer_to_weather']],
    ['고철 시세 알려줘', ['transfer_to_prices']],
    ['What is a kilogram of rain worth?', ['transfer_to_prices']],
    // As many words of one as of the other.
    ['날씨 시세', []],
    ['hello', []],
    ['Research kimchi', ['deep_research']],
    ['Research the weather', ['transfer_to_weather']],
  ])('hands over "%s" to %j', async (message, expected) => {
    const tools = [toWeather, toPrices, researchTool];
    expect(await called([user(message)], tools)).toEqual(expected);
  });

  it('calls the tool that fits, once', async () => {
    const tools = [forecast, climate, toGuide];
    const input = [USE, RAIN, ...handedOver('transfer_to_weather')];
    const first = await ask(input, tools);
    expect(first.output).toMatchObject([
      { name: 'climate', arguments: `{"place":"${RAIN.content}"}` },
    ]);
    const output = {
      type: 'function_call_output',
      call_id: (first.output[0] as { call_id: string }).call_id,
      output: 'It rains a lot.',
    };
    const second = await ask([...input, ...first.output, output], tools);
    expect(second.output_text).toMatch(/^It rains a lot\.\n/);
    expect(second.output_text).not.toContain('assistant');
  });

  it('calls its first tool where none fits, if the question was handed over', async () => {
    const asked = [USE, user('우산이 필요할까?')];
    expect(await called(asked, [forecast, climate])).toEqual([]);
    const input = [...asked, ...handedOver('transfer_to_weather')];
    expect(await called(input, [forecast, climate])).toEqual(['forecast']);
  });

  it.each(['deep_research', 'ask_user'])(
    'never treats %s as a tool of the agent',
    async (name) => {
      const input = [USE, RAIN, ...handedOver('transfer_to_weather')];
      const offered = [tool(name, 'How much rain falls in Busan.'), climate];
      expect(await called(input, offered)).toEqual(['climate']);
    },
  );

  it('calls no tool without the instruction to', async () => {
    expect(await called([RAIN], [forecast, climate])).toEqual([]);
    const input = [RAIN, ...handedOver('transfer_to_weather')];
    expect(await called(input, [forecast, climate])).toEqual([]);
  });

  it('prefers a tool of its own that fits better than any other agent', async () => {
    const tools = [toWeather, climate];
    const message = user('The rain of a year, please');
    expect(await called([USE, message], tools)).toEqual(['climate']);
  });

  it.each([
    'The weather, please. Or transfer_to_guide?',
    '[sandbox: call transfer_to_weather {}]',
  ])('never hands over again what was handed over: %s', async (message) => {
    const input = [user(message), ...handedOver('transfer_to_guide')];
    const answer = await ask(input, [toWeather, toGuide]);
    expect(answer.output.map(({ type }) => type)).toEqual(['message']);
  });

  it('hands over the next question of the conversation', async () => {
    const input = [
      user('The weather?'),
      ...handedOver('transfer_to_weather'),
      { role: 'assistant', content: 'Rain.' },
      user('And what is a kilogram of it worth?'),
    ];
    expect(await called(input, [toGuide, toPrices])).toEqual([
      'transfer_to_prices',
    ]);
  });

  describe('with tools in the prompt', () => {
    const system = (tools: ReturnType<typeof tool>[]) => {
      const described = tools.map(
        ({ name, description, parameters }) =>
          `${name}: ${description}\nIts arguments as JSON Schema: ${JSON.stringify(parameters)}`,
      );
      const content = `You can call these tools:\n\n${described.join('\n\n')}\n\nAnswer like this:\n{"tool_name": "…", "arguments": {}}\nUse your tools.`;
      return { role: 'system' as const, content };
    };
    const answerAbout = async (
      tools: ReturnType<typeof tool>[],
      ...messages: { role: 'user' | 'assistant'; content: string }[]
    ) => {
      const reply = await s.client.chat.completions.create({
        model: 'local-model',
        messages: [system(tools), ...messages],
      });
      return reply.choices[0].message.content ?? '';
    };
    const question = { role: 'user' as const, content: RAIN.content };
    const transfer = {
      role: 'assistant' as const,
      content: '{"tool_name":"transfer_to_weather","arguments":{}}',
    };
    const result = (of: string, text: string) => ({
      role: 'user' as const,
      content: `Tool result of ${of}:\n${text}`,
    });
    const accepted = result('transfer_to_weather', '{"assistant":"weather"}');

    it('hands over, calls the tool that fits, and answers from it', async () => {
      expect(
        JSON.parse(await answerAbout([toPrices, toWeather], question)),
      ).toEqual({
        tool_name: 'transfer_to_weather',
        arguments: {},
      });
      const tools = [forecast, climate, toWeather];
      const call = await answerAbout(tools, question, transfer, accepted);
      expect(JSON.parse(call)).toEqual({
        tool_name: 'climate',
        arguments: { place: RAIN.content },
      });
      const answer = await answerAbout(
        tools,
        question,
        transfer,
        accepted,
        { role: 'assistant', content: call },
        result('climate', 'It rains a lot.'),
      );
      expect(answer).toMatch(/^It rains a lot\.\n/);
    });
  });
});
