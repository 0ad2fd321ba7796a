import { createHash } from 'node:crypto';
import { openAi } from '../support/openai/openai-client';
import { Stand } from '../support/processes/stand';
import { LiteLlm, type LiteLlmVersion } from './litellm';

const MODEL = 'gpt-4o';
const PROXY_KEY = 'sk-of-the-proxy';
/** The proxy shows it to its upstream. */
const KEY = 'key-of-the-upstream';
const hash = createHash('sha256').update(KEY).digest('hex');
const START_MS = 10 * 60_000;

export function describeSondeUpstream(version: LiteLlmVersion): void {
  describe(`LiteLLM ${version} with Sonde as its upstream`, () => {
    let stand: Stand;
    let proxy: LiteLlm;

    beforeAll(async () => {
      stand = await Stand.start({
        researchMs: 100,
        env: { RELAY_API_KEYS: `litellm:${hash}`, RELAY_CHAT_MODELS: MODEL },
      });
      proxy = await LiteLlm.start(stand.apis[0].url, PROXY_KEY, version);
    }, START_MS);
    afterAll(async () => {
      await stand?.stop();
      await proxy?.close();
    });
    afterEach(async () => {
      await stand.reset();
      await stand.configure({ research_ms: 100 });
    });

    const client = () => openAi(proxy.url, PROXY_KEY);
    const creates = async () => (await stand.stats()).creates;
    const ask = { model: 'o3-deep-research', input: 'The history of kimchi' };
    const chat = {
      model: MODEL,
      messages: [{ role: 'user' as const, content: 'Hello' }],
    };

    it('researches in the foreground', async () => {
      const whole = await client().responses.create(ask);
      expect(whole.status).toBe('completed');
      expect(whole.output_text).toMatch(/\S/);
      const read = await client().responses.retrieve(whole.id);
      expect(read.output_text).toBe(whole.output_text);
      expect(await creates()).toBe(1);
    });

    it('researches as a stream', async () => {
      const stream = await client().responses.create({ ...ask, stream: true });
      let text = '';
      let last = '';
      for await (const event of stream) {
        last = event.type;
        if (event.type === 'response.output_text.delta') text += event.delta;
      }
      expect(last).toBe('response.completed');
      expect(text).toMatch(/\S/);
      expect(await creates()).toBe(1);
    });

    it('cancels and deletes a run in the background', async () => {
      await stand.configure({ research_ms: 3_600_000 });
      const { id } = await client().responses.create({
        ...ask,
        background: true,
      });
      const cancelled = await client().responses.cancel(id);
      expect(cancelled.status).toBe('cancelled');
      await client().responses.delete(id);
      await expect(client().responses.retrieve(id)).rejects.toThrow(
        'response_not_found',
      );
    });

    it('chats, streamed too', async () => {
      const whole = await client().chat.completions.create(chat);
      const text = whole.choices[0].message.content;
      expect(text).toMatch(/\S/);
      const stream = await client().chat.completions.create({
        ...chat,
        stream: true,
      });
      let streamed = '';
      for await (const { choices } of stream)
        streamed += choices[0]?.delta.content ?? '';
      expect(streamed).toBe(text);
      expect((await stand.requests()).length).toBe(2);
    });

    it('shows what Sonde refuses', async () => {
      const refused = client().responses.create({
        ...ask,
        max_output_tokens: 'many' as never,
      });
      await expect(refused).rejects.toThrow('max_output_tokens');
      expect(await creates()).toBe(0);
    });
  });
}
