import { join } from 'node:path';
import { createParser } from 'eventsource-parser';
import type { Client } from '../../support/client';
import { Stand } from '../../support/processes/stand';

const ROOT = join(__dirname, '../../..');

/** The agent that has to answer, and the tool it uses. */
const QUESTIONS: [message: string, agent: string, tool: string | null][] = [
  ['오늘 최신 뉴스 검색해 줘', 'web_search', null],
  ['Any news on the web today?', 'web_search', null],
  ['소파를 버리려면 수수료가 얼마예요?', 'bulk_waste', 'search_disposal_info'],
  [
    'How is a mattress picked up, and for what fee?',
    'bulk_waste',
    'search_disposal_info',
  ],
  ['서울 날씨 어때?', 'weather', 'get_weather_info'],
  ['Will the weather in Busan bring rain?', 'weather', 'get_weather_info'],
  ['고철 시세 추이 알려줘', 'recyclable_price', 'get_price_trend'],
  [
    'What are recyclables worth today, a kilogram of paper?',
    'recyclable_price',
    'get_latest_prices',
  ],
  ['제로웨이스트 가게 찾아 줘', 'place', 'search_places'],
  ['Find a repair shop by name: Euljiro', 'place', 'search_places'],
  ['마포구 건전지 수거함 검색', 'collection_point', 'search_collection_points'],
  [
    'What are the nearest collection points around me?',
    'collection_point',
    'get_nearby_collection_points',
  ],
];

describe.each(['agents', 'responses', 'prompt'])(
  'the agents of examples/city with the engine "%s"',
  (engine) => {
    let stand: Stand;
    let client: Client;

    beforeAll(async () => {
      stand = await Stand.start({
        env: {
          RELAY_CHAT_ENGINES: engine,
          RELAY_AGENTS_CONFIG: join(ROOT, 'examples/city/agents.json'),
          RELAY_TOOLS_DIR: join(ROOT, 'dist/examples/city'),
        },
      });
      client = stand.client();
    });
    afterEach(() => stand.reset());
    afterAll(() => stand.stop());

    interface ReportedCall {
      tool_name: string;
      status: string | null;
    }
    /** The tools that were called, without the handoff. */
    const toolsOf = (calls: ReportedCall[]) =>
      calls.filter(({ tool_name }) => !tool_name.startsWith('transfer_to_'));
    const completed = (tool: string | null) =>
      tool === null
        ? []
        : [expect.objectContaining({ tool_name: tool, status: 'completed' })];
    const turns = async () =>
      (await stand.requests()).map(({ body }) => JSON.stringify(body));

    it.each(QUESTIONS)(
      'the right agent answers "%s": %s',
      async (message, agent, tool) => {
        const { status, body } = await client.post('/api/v1/chat', { message });
        expect(status).toBe(200);
        expect(body).toMatchObject({
          agent,
          content: expect.stringMatching(/\S/),
        });
        expect(toolsOf(body.tool_calls)).toEqual(completed(tool));
        const [first, second] = await turns();
        // One agent routes and another answers, each with its own instructions and tools.
        expect(first).toContain('You receive the questions');
        expect(first).toContain(`transfer_to_${agent}`);
        expect(second).not.toContain('You receive the questions');
        if (tool !== null) {
          expect(first).not.toContain(tool);
          expect(second).toContain(tool);
          expect(body.content).toMatch(/Example data/);
        }
      },
    );

    it.each(QUESTIONS)(
      'the right agent answers "%s" in a stream: %s',
      async (message, agent, tool) => {
        const events = await reported(client, message);
        const last = events.at(-1)!;
        expect(last).toMatchObject({ event: 'completed', data: { agent } });
        expect(toolsOf(last.data.tool_calls)).toEqual(completed(tool));
        const results = events
          .filter(({ event }) => event === 'tool_result')
          .map(({ data }) => data as ReportedCall);
        expect(toolsOf(results)).toEqual(completed(tool));
      },
    );

    it('a greeting is answered without a handoff', async () => {
      const { body } = await client.post('/api/v1/chat', {
        message: '안녕하세요',
      });
      expect(body).toMatchObject({ agent: 'triage', tool_calls: [] });
      expect(await turns()).toHaveLength(1);
    });

    it('a web search uses the hosted tool and the model of the agent that searches', async () => {
      const message = 'Any news on the web today?';
      await client.post('/api/v1/chat', { message });
      const bodies = (await stand.requests()).map(({ body }) => body);
      expect(bodies[0].model).toBe('gpt-4o');
      expect(bodies.at(-1).model).toBe('gpt-5.5');
      if (engine === 'prompt') return;
      expect(bodies.at(-1).tools).toContainEqual(
        expect.objectContaining({ type: 'web_search' }),
      );
    });
  },
);

interface ChatFrame {
  event: string;
  // A test reads what it expects.
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any;
}

async function reported(
  { url }: Client,
  message: string,
): Promise<ChatFrame[]> {
  const reply = await fetch(`${url}/api/v1/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message, stream: true }),
  });
  const frames: ChatFrame[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) =>
      void frames.push({ event: event!, data: JSON.parse(data) }),
  });
  parser.feed(await reply.text());
  return frames;
}
