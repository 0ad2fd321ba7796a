import { createOpenAI } from '@ai-sdk/openai';
import { createOpenResponses } from '@ai-sdk/open-responses';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { Stand } from '../../support/processes/stand';

const RESEARCH = 'o3-deep-research';
const CHAT = 'gpt-4.1';
const WEATHER = '[sandbox: call get_weather {"city":"Seoul"}]';

/** Programs as their users write them: what is set besides the address keeps the tests short. */
describe('programs that were written for OpenAI', () => {
  let stand: Stand;
  let baseURL: string;

  beforeAll(async () => {
    stand = await Stand.start({
      researchMs: 100,
      env: { RELAY_CHAT_MODELS: CHAT },
    });
    baseURL = `${stand.apis[0].url}/v1`;
  });
  afterEach(async () => {
    await stand.clearFaults();
    await stand.reset();
  });
  afterAll(() => stand.stop());

  const creates = async () => (await stand.stats()).creates;
  const bought = async () =>
    (await stand.requests()).filter(({ body }) => body.model === RESEARCH)
      .length;
  const weather = (cities: string[]) =>
    tool({
      description: 'Reports the weather of a city.',
      inputSchema: jsonSchema<{ city: string }>({
        type: 'object',
        properties: { city: { type: 'string' } },
        required: ['city'],
        additionalProperties: false,
      }),
      execute: ({ city }) => {
        cities.push(city);
        return `It is 3 degrees in ${city}.`;
      },
    });

  describe.each(['@ai-sdk/openai', '@ai-sdk/open-responses'])(
    'of the AI SDK by %s',
    (provider) => {
      const modelOf = (name: string) =>
        provider === '@ai-sdk/openai'
          ? createOpenAI({ baseURL, apiKey: 'any' }).responses(name)
          : createOpenResponses({
              url: `${baseURL}/responses`,
              apiKey: 'any',
              name: 'sonde',
            })(name);

      it('research, in one reply and as a stream', async () => {
        const model = modelOf(RESEARCH);
        const whole = await generateText({ model, prompt: 'Kimchi' });
        expect(whole.text).toMatch('sandbox');
        expect(whole.finishReason).toBe('stop');
        const streamed = streamText({ model, prompt: 'Tea' });
        expect(await streamed.text).toMatch('sandbox');
        expect(await streamed.finishReason).toBe('stop');
        expect(await creates()).toBe(2);
      });

      it('chat, and run functions', async () => {
        const cities: string[] = [];
        const { text } = await generateText({
          model: modelOf(CHAT),
          prompt: WEATHER,
          tools: { get_weather: weather(cities) },
          stopWhen: stepCountIs(3),
        });
        expect(text).toMatch('3 degrees in Seoul');
        const streamed = streamText({
          model: modelOf(CHAT),
          prompt: WEATHER,
          tools: { get_weather: weather(cities) },
          stopWhen: stepCountIs(3),
        });
        expect(await streamed.text).toMatch('3 degrees in Seoul');
        expect(cities).toEqual(['Seoul', 'Seoul']);
      });

      it('show why a request was refused', async () => {
        const refused = generateText({
          model: modelOf('unknown'),
          prompt: 'Kimchi',
          maxRetries: 0,
        });
        await expect(refused).rejects.toThrow(
          "The model 'unknown' does not exist",
        );
      });
    },
  );

  it('of the AI SDK ask again about a report that they know by its id', async () => {
    const model = createOpenAI({ baseURL, apiKey: 'any' }).responses(RESEARCH);
    const first = await generateText({ model, prompt: 'Kimchi' });
    const user = (content: string) => ({ role: 'user' as const, content });
    const messages = [
      user('Kimchi'),
      ...first.response.messages,
      user('And tea?'),
    ];
    const { text, request } = await generateText({ model, messages });
    expect(JSON.stringify(request.body)).toMatch('item_reference');
    expect(text).toMatch('sandbox');
    const sent = JSON.stringify((await stand.requests()).at(-1)!.body);
    expect(sent).toMatch('And tea?');
    expect(sent).toMatch(JSON.stringify(first.text).slice(1, 60));
    expect(await creates()).toBe(2);
  });

  it('of the AI SDK show the sources of research, and chat by completions', async () => {
    const openai = createOpenAI({ baseURL, apiKey: 'any' });
    const { sources } = await generateText({
      model: openai.responses(RESEARCH),
      prompt: 'Kimchi',
      // Its type is of another minor version of the SDK.
      tools: { web_search_preview: openai.tools.webSearchPreview({}) as never },
    });
    expect(sources.length).toBeGreaterThan(0);
    const cities: string[] = [];
    const { text } = await generateText({
      model: openai.chat(CHAT),
      prompt: WEATHER,
      tools: { get_weather: weather(cities) },
      stopWhen: stepCountIs(3),
    });
    expect(text).toMatch('3 degrees in Seoul');
  });

  // What they would repeat by themselves would be bought again, several times.
  it.each([
    ['a research model', RESEARCH, 'Kimchi'],
    [
      'a chat model',
      CHAT,
      '[sandbox: call deep_research {"research_question": "Kimchi"}]',
    ],
  ])(
    'of LangChain and the AI SDK buy research once that fails, of %s',
    async (_, name, prompt) => {
      await stand.fault({
        kind: 'failed',
        count: 0,
        match: { model: RESEARCH },
      });
      const chain = new ChatOpenAI({
        model: name,
        apiKey: 'any',
        configuration: { baseURL },
      });
      await expect(chain.invoke(prompt)).rejects.toThrow('could not finish');
      expect(await bought()).toBe(1);
      const model = createOpenAI({ baseURL, apiKey: 'any' }).chat(name);
      const refused = generateText({ model, prompt });
      await expect(refused).rejects.toThrow('could not finish');
      expect(await bought()).toBe(2);
    },
  );

  it('of another machine may chat without a key, and research with one alone', async () => {
    const ask = (model: string) =>
      stand
        .client()
        .post(
          '/v1/chat/completions',
          { model, messages: [{ role: 'user', content: 'Hello' }] },
          { 'x-forwarded-for': '203.0.113.7' },
        );
    expect((await ask(CHAT)).status).toBe(200);
    expect(await ask(RESEARCH)).toMatchObject({
      status: 401,
      body: { error: { code: 'missing_api_key' } },
    });
    expect(await creates()).toBe(0);
  });

  it('of LangChain research, and chat', async () => {
    const of = (model: string, useResponsesApi: boolean) =>
      new ChatOpenAI({
        model,
        apiKey: 'any',
        useResponsesApi,
        configuration: { baseURL },
      });
    for (const useResponsesApi of [true, false]) {
      const research = of(RESEARCH, useResponsesApi);
      expect((await research.invoke('Kimchi')).text).toMatch('sandbox');
      let streamed = '';
      for await (const { text } of await research.stream('Tea'))
        streamed += text;
      expect(streamed).toMatch('sandbox');
      const chat = of(CHAT, useResponsesApi);
      expect((await chat.invoke('Hello')).text).toBeTruthy();
    }
    expect(await creates()).toBe(4);
  });
});
