import type { Response } from 'openai/resources/responses/responses';
import type { SandboxUnderTest } from './testing/sandbox-under-test';
import { sandboxUnderTest } from './testing/sandbox-under-test';

const nullable = { type: ['string', 'null'] };
const tool = (name: string, properties: Record<string, object>) => ({
  type: 'function' as const,
  name,
  description: 'Does.',
  strict: true,
  parameters: {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  },
});
const clock = tool('get_current_datetime', { time_zone: nullable });
const alarm = tool('set_alarm', {
  time: { type: 'string' },
  message: { type: 'string' },
  follow_up: nullable,
});
const NOW = JSON.stringify({
  datetime: '2025-10-07T18:10:57+09:00',
  time_zone: 'Asia/Seoul',
  day_of_week: 'Tuesday',
  utc: '2025-10-07T09:10:57Z',
});
const PROMPT = `You can call these tools:

${[clock, alarm]
  .map(
    ({ name, description, parameters }) =>
      `${name}: ${description}\nIts arguments as JSON Schema: ${JSON.stringify(parameters)}`,
  )
  .join('\n\n')}

To call a tool, answer with {"tool_name": "<name>", "arguments": {}}`;

type Step = { name: string; args: Record<string, unknown> } | { text: string };

describe('a question about the time', () => {
  let s: SandboxUnderTest;
  beforeAll(async () => (s = await sandboxUnderTest({ strictItems: false })));
  afterAll(() => s.close());

  const send = (body: object) =>
    s.client.responses.create({
      model: 'gpt-4o',
      stream: false,
      ...body,
    }) as Promise<Response>;

  /** What the model does with its tools, with the outputs of those before. */
  const byFunctions = async (
    message: string,
    outputs: [string, string][],
  ): Promise<Step> => {
    const { output, output_text: text } = await send({
      tools: [clock, alarm],
      input: [
        { role: 'user', content: message },
        ...outputs.flatMap(([name, out], at) => [
          { type: 'function_call', call_id: `c${at}`, name, arguments: '{}' },
          { type: 'function_call_output', call_id: `c${at}`, output: out },
        ]),
      ],
    });
    const [call] = output.filter((item) => item.type === 'function_call');
    return call
      ? {
          name: call.name,
          args: JSON.parse(call.arguments) as Record<string, unknown>,
        }
      : { text };
  };

  const byPrompt = async (
    message: string,
    outputs: [string, string][],
  ): Promise<Step> => {
    const { output_text: text } = await send({
      input: [
        { role: 'system', content: PROMPT },
        { role: 'user', content: message },
        ...outputs.flatMap(([name, out]) => [
          {
            role: 'assistant',
            content: `{"tool_name": "${name}", "arguments": {}}`,
          },
          { role: 'user', content: `Tool result of ${name}:\n${out}` },
        ]),
      ],
    });
    if (!text.startsWith('{')) return { text };
    const call = JSON.parse(text) as {
      tool_name: string;
      arguments: Record<string, unknown>;
    };
    return { name: call.tool_name, args: call.arguments };
  };

  describe.each([
    ['function calling', byFunctions],
    ['the prompt', byPrompt],
  ])('with tools by %s', (_, step) => {
    it.each([
      ['What day is tomorrow?', 'Tomorrow is Wednesday, October 8, 2025.'],
      ['What time is it now?', '18:10'],
      ["What's the date today?", 'Today is Tuesday, October 7, 2025.'],
      ['지금 몇 시야?', '18:10'],
      ['내일은 무슨 요일이야?', '내일은 2025년 10월 8일 수요일입니다.'],
      ['오늘이 며칠이지?', '오늘은 2025년 10월 7일 화요일입니다.'],
    ])('%j is answered by the clock', async (message, answer) => {
      expect(await step(message, [])).toEqual({
        name: 'get_current_datetime',
        args: { time_zone: null },
      });
      const told = await step(message, [['get_current_datetime', NOW]]);
      expect(told).toEqual({ text: expect.stringContaining(answer) });
    });

    it.each([
      [
        'Can you set an alarm 10 minutes from now?',
        '2025-10-07T18:20:57+09:00',
      ],
      ['Set an alarm in an hour, please', '2025-10-07T19:10:57+09:00'],
      ['10분 뒤에 알람을 맞춰 줘', '2025-10-07T18:20:57+09:00'],
      ['두 시간 후에 깨워 줘', '2025-10-07T20:10:57+09:00'],
      ['Set an alarm at 7:30 pm', '2025-10-07T19:30:00+09:00'],
      ['내일 오전 7시 30분에 알람 맞춰 줘', '2025-10-08T07:30:00+09:00'],
      ['Wake me at 6:00', '2025-10-08T06:00:00+09:00'],
    ])('%j sets the alarm', async (message, time) => {
      expect(await step(message, [])).toMatchObject({
        name: 'get_current_datetime',
      });
      const known: [string, string] = ['get_current_datetime', NOW];
      expect(await step(message, [known])).toEqual({
        name: 'set_alarm',
        args: { time, message, follow_up: null },
      });
      const set = JSON.stringify({ alarm_id: 'inv_1', time, message });
      const told = await step(message, [known, ['set_alarm', set]]);
      expect(told).toEqual({ text: expect.stringContaining(time) });
    });

    it.each(['안녕하세요, 오늘 날씨 어때요?', 'hello', 'What is sourdough?'])(
      '%j asks no clock',
      async (message) => {
        expect(await step(message, [])).toHaveProperty('text');
      },
    );
  });
});
