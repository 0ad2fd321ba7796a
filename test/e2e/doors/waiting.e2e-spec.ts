import { createHash } from 'node:crypto';
import { Client, type Reply } from '../../support/client';
import { openAi } from '../../support/openai/openai-client';
import { preload } from '../../support/processes/preload';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const KEY = 'key-of-alice';
const API_KEYS = `alice:${createHash('sha256').update(KEY).digest('hex')}`;
const CREATE = { method: 'POST', path: '/responses' };
const RUNS = '/api/v1/tool-invocations';
const MODEL = 'gpt-4o';
const RESEARCH = 'o3-deep-research';
const message =
  '[sandbox: call deep_research {"research_question": "The history of kimchi"}]';
const messages = [{ role: 'user', content: message }];
const research = {
  tool_name: 'deep_research',
  arguments: { research_question: 'The history of kimchi' },
};

/** The doors whose clients wait: path and body, and where the reply says how it ended. */
const DOORS: [string, object, (body: Reply['body']) => unknown][] = [
  ['/api/v1/chat', { message }, ({ status }) => status],
  [RUNS, research, ({ status }) => status],
  [
    '/v1/chat/completions',
    { model: MODEL, messages },
    ({ choices, error }) =>
      choices.length > 0 && !error ? 'completed' : error,
  ],
  [
    '/v1/chat/completions',
    { model: RESEARCH, messages: [{ role: 'user', content: 'Kimchi' }] },
    ({ choices, error }) =>
      choices.length > 0 && !error ? 'completed' : error,
  ],
  ['/v1/responses', { model: MODEL, input: message }, ({ status }) => status],
  [
    '/v1/responses',
    {
      model: RESEARCH,
      input: 'Kimchi',
      tools: [{ type: 'web_search' }],
    },
    ({ status }) => status,
  ],
];

describe('a reply that takes long', () => {
  let stand: Stand;
  let alice: Client;

  beforeAll(async () => {
    stand = await Stand.start({
      researchMs: 300,
      env: preload('impatient', { RELAY_API_KEYS: API_KEYS }),
    });
    alice = stand.client().as(KEY);
  });
  afterEach(() => stand.reset());
  afterAll(() => stand.stop());

  /** Sends a request; resolves with the reply at its first white space. */
  const begin = async (
    path: string,
    body: object,
    headers: Record<string, string> = {},
    client = alice,
  ) => {
    const response = await fetch(client.url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        ...client.headers,
        ...headers,
      },
    });
    const text = response.text();
    return {
      status: response.status,
      end: async () => JSON.parse(await text),
      text,
    };
  };
  /** No run of research ends by itself. */
  const stay = () =>
    stand.fault({
      kind: 'stay',
      status: 'in_progress',
      match: { model: RESEARCH },
    });
  const cancel = async (id: string): Promise<void> => {
    await alice.post(`${RUNS}/${id}/cancel`);
    await alice.settled(`${RUNS}/${id}`);
  };
  /** The only run that is under way. */
  const run = () =>
    until('the run', async (saw) => {
      const { body } = await alice.get(RUNS);
      return saw(body.data).find(
        ({ status }: { status: string }) => status === 'running',
      )?.invocation_id as string | undefined;
    });

  it.each(DOORS)(
    'of POST %s begins with white space and ends with the document',
    async (path, body, end) => {
      const { status, text } = await begin(path, body);
      expect(status).toBe(200);
      const whole = await text;
      expect(whole).toMatch(/^ +\{/);
      expect(end(JSON.parse(whole))).toBe('completed');
    },
  );

  it('of a foreground run that fails is the record with its failure, whatever the client prefers', async () => {
    await stand.fault({
      kind: 'failed',
      code: 'server_error',
      match: { model: RESEARCH },
    });
    const { status, end } = await begin(RUNS, research, {
      prefer: 'handling=strict',
    });
    expect(status).toBe(200);
    expect(await end()).toMatchObject({
      status: 'failed',
      error: { code: expect.any(String) },
    });
  });

  it.each(DOORS.filter(([path]) => path !== '/v1/chat/completions'))(
    'of POST %s for a run that is deleted meanwhile is a complete document',
    async (path, body) => {
      await stay();
      const { status, end } = await begin(path, body);
      const id = await run();
      await alice.request('DELETE', `${RUNS}/${id}`);
      expect(status).toBe(200);
      // A chat has its text, and says that its research has none.
      const isChat = path !== RUNS && !JSON.stringify(body).includes(RESEARCH);
      expect((await end()).status).toBe(isChat ? 'failed' : 'cancelled');
    },
  );

  it('of a foreground run that the client waits for no longer is the unfinished record', async () => {
    await stay();
    const { status, end } = await begin(RUNS, research, { prefer: 'wait=1' });
    expect(status).toBe(200);
    const body = await end();
    expect(body).toMatchObject({
      status: expect.stringMatching(/queued|running/),
      error: null,
      invocation_token: expect.any(String),
    });
    await cancel(body.invocation_id);
  });

  it('of a chat that fails late is a complete document with its error, in each form', async () => {
    // The model answers nothing, until the service gives up on it.
    const api = await stand.addApi({ RELAY_TIMEOUT_SECONDS: '0.1' });
    const other = new Client(api.url).as(KEY);
    await stand.fault({ kind: 'hang', count: 3, match: { model: MODEL } });
    const ask = async (path: string, body: object) => {
      const { status, end } = await begin(path, body, {}, other);
      return [status, await end()];
    };
    expect(await ask('/api/v1/chat', { message })).toEqual([
      200,
      expect.objectContaining({
        status: 'failed',
        error: expect.objectContaining({ code: 'upstream_timeout' }),
      }),
    ]);
    expect(
      await ask('/v1/chat/completions', { model: MODEL, messages }),
    ).toEqual([
      200,
      expect.objectContaining({
        object: 'chat.completion',
        choices: [],
        error: expect.objectContaining({ code: 'upstream_timeout' }),
      }),
    ]);
    expect(
      await ask('/v1/responses', { model: MODEL, input: message }),
    ).toEqual([
      200,
      expect.objectContaining({
        object: 'response',
        status: 'failed',
        error: expect.objectContaining({
          message: expect.stringMatching('upstream_timeout'),
        }),
      }),
    ]);
  });

  it('is taken by the SDK of OpenAI as any other', async () => {
    const client = openAi(stand.client().url, KEY);
    const completion = await client.chat.completions.create({
      model: MODEL,
      messages: [{ role: 'user', content: message }],
    });
    expect(completion.choices[0].message.content).toMatch(/\S/);
    const response = await client.responses.create({
      model: MODEL,
      input: message,
    });
    expect(response.output_text).toMatch(/\S/);
  });

  it('is complete at every door when the service shuts down', async () => {
    await stand.fault({
      kind: 'stay',
      status: 'in_progress',
      count: DOORS.length,
      match: { model: RESEARCH },
    });
    const api = await stand.addApi();
    const other = new Client(api.url).as(KEY);
    const replies = await Promise.all(
      DOORS.map(([path, body]) => begin(path, body, {}, other)),
    );
    const ids = await until('the runs of all doors', async (saw) => {
      const { body } = await alice.get(RUNS);
      const running = saw(body.data).filter(
        ({ status }: { status: string }) => status === 'running',
      );
      return (
        running.length === DOORS.length &&
        running.map(({ invocation_id: id }: { invocation_id: string }) => id)
      );
    });
    const stopped = api.stop('SIGTERM');
    for (const { status, end } of replies) {
      expect(status).toBe(200);
      const document = await end();
      expect(document.status ?? document.choices).toBeDefined();
    }
    expect(await stopped).toBe(0);
    stand.apis.splice(stand.apis.indexOf(api), 1);
    await Promise.all(ids.map(cancel));
  });
});

describe('/wait', () => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await Stand.start();
  });
  afterAll(() => stand.stop());

  it('answers with the record as it is after the time that is asked for', async () => {
    await stand.fault({ kind: 'hang', match: CREATE });
    const { path, headers } = await stand.client().submit();
    const { status, body } = await stand
      .client()
      .get(`${path}/wait?timeout=0.1`, headers);
    expect([status, body.error]).toEqual([200, null]);
    expect(body.status).toMatch(/queued|running/);
  });
});
