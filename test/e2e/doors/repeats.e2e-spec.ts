import { createHash } from 'node:crypto';
import { KEYS } from '../../../src/runs/record/run-keys';
import type { Client } from '../../support/client';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const KEY = 'key-of-alice';
const API_KEYS = `alice:${createHash('sha256').update(KEY).digest('hex')}`;
const CREATE = { method: 'POST', path: '/responses' };
const RESEARCH = 'o3-deep-research';
const MODEL = 'gpt-4o';
const RUNS = '/api/v1/tool-invocations';
const call =
  '[sandbox: call deep_research {"research_question": "The history of kimchi"}]';
const RETRY = { 'x-stainless-retry-count': '1' };

/** The doors whose clients wait, with a request of research. */
const DOORS: [string, string, object][] = [
  ['chat', '/api/v1/chat', { message: call }],
  ['streamed chat', '/api/v1/chat', { message: call, stream: true }],
  [
    'foreground run',
    RUNS,
    {
      tool_name: 'deep_research',
      arguments: { research_question: 'The history of kimchi' },
    },
  ],
  [
    'chat completion',
    '/v1/chat/completions',
    { model: MODEL, messages: [{ role: 'user', content: call }] },
  ],
  ['response', '/v1/responses', { model: MODEL, input: call }],
  ...[false, true].flatMap((stream): [string, string, object][] => [
    [
      `research at /v1/responses (stream: ${stream})`,
      '/v1/responses',
      { model: RESEARCH, input: 'The history of kimchi', stream },
    ],
    [
      `research at /v1/chat/completions (stream: ${stream})`,
      '/v1/chat/completions',
      {
        model: RESEARCH,
        messages: [{ role: 'user', content: 'The history of kimchi' }],
        stream,
      },
    ],
  ]),
];

describe('a request that its client repeats', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({
      apis: 2,
      env: { RELAY_API_KEYS: API_KEYS, RELAY_API_KEYS_REQUIRED: 'false' },
    });
  });
  beforeEach(() =>
    stand.fault({
      kind: 'hang',
      after_create: true,
      match: { ...CREATE, model: RESEARCH },
    }),
  );
  afterEach(() => stand.reset());
  afterAll(() => stand.stop());

  const alice = (api = 0): Client => stand.client(api).as(KEY);
  const creates = async (count: number) =>
    until(
      `${count} creates`,
      async (saw) => saw((await stand.stats()).creates) >= count,
    );
  /** Sends a request, and gives up once its research was bought. */
  const giveUp = async (path: string, body: object, client = alice()) => {
    const patience = new AbortController();
    const before = (await stand.stats()).creates;
    const reply = client.request('POST', path, {
      body,
      signal: patience.signal,
    });
    reply.catch(() => undefined);
    await creates(before + 1);
    patience.abort();
    await expect(reply).rejects.toThrow('abort');
  };

  it.each(DOORS)(
    'gets the research of the first, once that one has gone: %s',
    async (_, path, body) => {
      await giveUp(path, body);
      const repeat = alice(1).post(path, body);
      await stand.clearFaults();
      expect((await repeat).status).toBe(200);
      expect((await stand.stats()).creates).toBe(1);
    },
  );

  it.each(DOORS)(
    'gets it although its result came when nobody was there: %s',
    async (_, path, body) => {
      await giveUp(path, body);
      await stand.clearFaults();
      const { body: list } = await alice().get(RUNS);
      await alice().settled(`${RUNS}/${list.data[0].invocation_id}`);
      const { status, body: reply } = await alice(1).post(path, body);
      expect(status).toBe(200);
      expect(JSON.stringify(reply)).toMatch(/completed|stop/);
      expect((await stand.stats()).creates).toBe(1);
    },
  );

  it.each(DOORS.filter(([name]) => name.startsWith('research at')))(
    'is a new one once the result was read by its id: %s',
    async (_, path, body) => {
      await giveUp(path, body);
      await stand.clearFaults();
      const { body: list } = await alice().get(RUNS);
      const [{ invocation_id: id }] = list.data;
      await until('the response to be completed', async (saw) => {
        const response = id.replace('inv_', 'resp_');
        const reply = await alice().get(`/v1/responses/${response}`);
        return saw(reply.body).status === 'completed';
      });
      // Once the whole reply has gone.
      await until('the reading to be noted', () =>
        stand.redis.call('GET', KEYS.answered(id)),
      );
      expect((await alice(1).post(path, body)).status).toBe(200);
      expect((await stand.stats()).creates).toBe(2);
    },
  );

  it.each(DOORS)(
    'gets it while the first seems to wait, if it says that it is a retry: %s',
    async (_, path, body) => {
      const first = alice().post(path, body);
      await creates(1);
      const retry = alice(1).post(path, body, RETRY);
      await stand.clearFaults();
      expect([(await first).status, (await retry).status]).toEqual([200, 200]);
      expect((await stand.stats()).creates).toBe(1);
    },
  );

  it('has research of its own while the first waits', async () => {
    const [, path, body] = DOORS[0];
    const first = alice().post(path, body);
    await creates(1);
    const second = alice(1).post(path, body);
    await creates(2);
    await stand.clearFaults();
    const ids = (await Promise.all([first, second])).map(
      ({ body: { tool_calls } }) => tool_calls[0].invocation_id,
    );
    expect(new Set(ids).size).toBe(2);
  });

  it('has research of its own once the first was answered', async () => {
    const [, path, body] = DOORS[0];
    await stand.clearFaults();
    await alice().post(path, body);
    await alice(1).post(path, body);
    expect((await stand.stats()).creates).toBe(2);
  });
});

describe('a request that is repeated after its process was killed', () => {
  it('gets the research that it had bought', async () => {
    const stand = await Stand.start({
      apis: 2,
      env: { RELAY_API_KEYS: API_KEYS },
    });
    try {
      await stand.fault({
        kind: 'hang',
        after_create: true,
        match: { ...CREATE, model: RESEARCH },
      });
      const [, path, body] = DOORS[0];
      const first = stand.client().as(KEY).post(path, body);
      first.catch(() => undefined);
      await until(
        'the create',
        async () => (await stand.stats()).creates === 1,
      );
      await stand.apis[0].stop('SIGKILL');
      await expect(first).rejects.toThrow();
      const repeat = stand.client(1).as(KEY).post(path, body);
      await stand.clearFaults();
      expect((await repeat).body.tool_calls[0].status).toBe('completed');
      expect((await stand.stats()).creates).toBe(1);
    } finally {
      await stand.stop();
    }
  });
});
