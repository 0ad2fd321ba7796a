import { preload } from '../support/processes/preload';
import { Client } from '../support/client';
import { Stand } from '../support/processes/stand';
import { until } from '../support/until';

const QUESTION = 'Research the history of jajangmyeon in detail';
const WARNING = 'The Agents SDK failed';
const SDK_FIRST = { RELAY_CHAT_ENGINES: 'agents,responses,prompt' };

describe('a failing Agents SDK', () => {
  let stand: Stand;
  let client: Client;

  const start = async (fault: string, env: Record<string, string> = {}) => {
    const faulty = { ...SDK_FIRST, AGENTS_FAULT: fault, ...env };
    await stand.addApi(preload('broken-agents', faulty));
    client = stand.client();
  };
  const chat = async (message: string) => {
    const { status, body } = await client.post('/api/v1/chat', { message });
    expect(status).toBe(200);
    return body;
  };
  const streamed = async (message: string) => {
    const reply = await fetch(`${client.url}/api/v1/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message, stream: true }),
    });
    const [, last] = (await reply.text()).split('event: completed\ndata: ');
    return JSON.parse(last) as Record<string, unknown>;
  };
  const turns = async () =>
    (await stand.requests()).filter(({ body }) => body.model === 'gpt-4o');

  beforeAll(async () => {
    stand = await Stand.start({ apis: 0, researchMs: 100 });
  });
  afterEach(async () => {
    await Promise.all(stand.apis.splice(0).map((api) => api.stop('SIGKILL')));
    await stand.reset();
  });
  afterAll(() => stand.stop());

  it.each(['import', 'first-request'])(
    'in its %s is replaced by the next engine, and not tried again',
    async (fault) => {
      await start(fault);
      for (const creates of [1, 2]) {
        const body = await chat(`${QUESTION} (${creates})`);
        expect(body).toMatchObject({
          content: expect.stringMatching(/\S/),
          tool_name: 'deep_research',
          tool_calls: [{ status: 'completed' }],
        });
        expect((await stand.stats()).creates).toBe(creates);
        expect(await turns()).toHaveLength(2 * creates);
      }
      // The SDK would have sent the whole conversation again.
      const [, second] = await turns();
      expect(second.body.previous_response_id).toMatch(/^resp_/);
      const { output } = stand.apis[0];
      expect(output.split(WARNING)).toHaveLength(2);
      expect(output).not.toContain('on purpose');
    },
  );

  it('is one of the failures that operators can inspect', async () => {
    await start('first-request', { RELAY_LOG_LEVEL: 'debug' });
    await chat('Hello!');
    await stand.apis[0].waitForOutput(/on purpose/);
  });

  it.each([false, true])(
    "after a tool is replaced by the next engine, which continues from the tool's result; the tool ran once (streamed: %s)",
    async (stream) => {
      await start('after-tool');
      const data = stream ? await streamed(QUESTION) : await chat(QUESTION);
      expect(data).toMatchObject({
        content: expect.stringMatching(/\S/),
        research_summary: expect.stringMatching(/\S/),
        tool_calls: [{ status: 'completed' }],
        error: null,
      });
      expect(data.content).not.toBe(data.research_summary);
      expect((await stand.stats()).creates).toBe(1);
      expect(await turns()).toHaveLength(2);
    },
  );

  it('in the middle of an answer is not replaced, and the stream ends with an error', async () => {
    await start('mid-stream');
    await stand.fault({ kind: 'silence', after_events: 6 });
    const reply = await fetch(`${client.url}/api/v1/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Hello!', stream: true }),
    });
    const decoder = new TextDecoder();
    let reported = '';
    for await (const chunk of reply.body!) {
      const begins = !reported.includes('event: delta');
      reported += decoder.decode(chunk, { stream: true });
      if (begins && reported.includes('event: delta'))
        stand.apis[0].signal('SIGUSR2');
    }
    expect(reported).toMatch(
      /event: error\ndata: \{"code":"internal_error".*\n\n$/,
    );
    expect(reported.match(/event: (error|completed)/g)).toHaveLength(1);
    expect(await turns()).toHaveLength(1);
    await until(
      'nothing to be in flight at the endpoint',
      async (saw) => saw(await stand.stats()).in_flight === 0,
    );
  });

  it('fails the turn where it is the only engine', async () => {
    await start('import', { RELAY_CHAT_ENGINES: 'agents' });
    expect(await chat('Hello!')).toMatchObject({
      content: 'The chat request failed. Please retry later.',
      tool_called: false,
    });
    expect(await turns()).toEqual([]);
  });
});

describe('a working Agents SDK', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({ apis: 0, researchMs: 100 });
  });
  afterAll(() => stand.stop());

  it('connects only to the endpoint, whatever the environment contains', async () => {
    const api = await stand.addApi(
      preload('connections', {
        ...SDK_FIRST,
        NODE_ENV: 'production',
        OPENAI_API_KEY: 'sk-of-somebody',
        OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
      }),
    );
    const client = stand.client();
    const { body } = await client.post('/api/v1/chat', { message: QUESTION });
    expect(body.tool_calls).toMatchObject([{ status: 'completed' }]);
    expect(await api.stop()).toBe(0);
    const places = api.output.matchAll(/connects to (\S+)/g);
    expect(new Set([...places].map(([, place]) => place))).toEqual(
      new Set([
        new URL(stand.redis.url).pathname,
        new URL(stand.sandbox.url).host,
      ]),
    );
  });
});
