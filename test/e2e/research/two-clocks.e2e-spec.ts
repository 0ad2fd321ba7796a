import { createHash } from 'node:crypto';
import { Client } from '../../support/client';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const API_KEYS = `alice:${createHash('sha256').update('key-of-alice').digest('hex')}`;
const RESEARCH = 'o3-deep-research';
const PLAIN = 'gpt-4.1';
const message =
  '[sandbox: call deep_research {"research_question": "The history of kimchi"}]';

describe.each([
  [
    'with the settings of the original documents',
    { RELAY_RESEARCH_TIMEOUT_SECONDS: '10' },
  ],
  [
    'with two settings of the same length',
    { RELAY_RESEARCH_TIMEOUT_SECONDS: '10', RELAY_CHAT_WAIT_SECONDS: '10' },
  ],
])(
  'a caller whose wait is as long as the time limit of a run, %s',
  (_, env) => {
    let stand: Stand;
    let client: Client;

    beforeAll(async () => {
      // A plain model produces text before it has ended.
      const LITELLM_MODEL = PLAIN;
      stand = await Stand.start({
        env: { RELAY_API_KEYS: API_KEYS, LITELLM_MODEL, ...env },
      });
      client = stand.client().as('key-of-alice');
    });
    afterEach(() => stand.reset());
    afterAll(() => stand.stop());

    const neverEnds = () =>
      stand.fault({
        kind: 'stay',
        status: 'in_progress',
        match: { model: PLAIN },
      });

    it('receives the paid partial result, in a chat', async () => {
      await neverEnds();
      const { body } = await client.post('/api/v1/chat', { message });
      expect(body).toMatchObject({
        status: 'completed',
        tool_calls: [{ status: 'incomplete' }],
        research_summary: expect.stringMatching(/\S/),
      });
      expect(body.content).not.toMatch('not finished yet');
      expect(await stand.stats()).toMatchObject({ cancels: 1, in_flight: 0 });
    });

    it('receives the paid partial result, in a stream', async () => {
      await neverEnds();
      const { body } = await client.post('/api/v1/chat', {
        message,
        stream: true,
      });
      expect(body).toMatch(/"status":"incomplete"/);
      expect(body).not.toMatch('not finished yet');
    });

    it('receives the final record, in the foreground', async () => {
      await neverEnds();
      const { status, body } = await client.research();
      expect([status, body.status]).toEqual([200, 'incomplete']);
      expect(body).toMatchObject({
        output_text: expect.stringMatching(/\S/),
        error: { code: 'research_timeout' },
      });
    });
  },
);

describe('a caller that waits at most a second, for runs that may take an hour', () => {
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({
      env: { RELAY_API_KEYS: API_KEYS, RELAY_CHAT_WAIT_SECONDS: '1' },
    });
    client = stand.client().as('key-of-alice');
  });
  afterEach(() => stand.reset());
  afterAll(() => stand.stop());

  const slow = (ms: number, count = 1) =>
    stand.fault({ kind: 'slow', ms, count, match: { model: RESEARCH } });

  it('learns in a chat that the run continues, which it does', async () => {
    const match = { model: RESEARCH };
    await stand.fault({ kind: 'pause', fraction: 0.5, match });
    const { body } = await client.post('/api/v1/chat', { message });
    const [call] = body.tool_calls;
    expect(body).toMatchObject({
      content: expect.stringContaining(`continues. Read it later at`),
      tool_name: 'deep_research',
      research_summary: null,
    });
    const run = client.invocation(call.invocation_id, call.invocation_token);
    expect((await run.read()).status).toMatch(/queued|running/);
    await stand.clearFaults();
    expect((await run.wait()).status).toBe('completed');
    const { cancels } = await stand.stats();
    expect(cancels).toBe(0);
  });

  it('waits a second in total, however many runs the chat starts', async () => {
    await slow(700, 2);
    const then =
      '[sandbox: then deep_research {"research_question": "Joseon"}]';
    const { body } = await client.post('/api/v1/chat', {
      message: message + then,
    });
    expect(body.tool_calls.at(-1).status).toMatch(/queued|running/);
    expect(body.content).toMatch('not finished yet');
  });

  it('receives 202 in the foreground, and sooner where it prefers so', async () => {
    await slow(60_000);
    const { status, body } = await client.research({}, { prefer: 'wait=0' });
    expect(status).toBe(202);
    expect(body.status).toMatch(/queued|running/);
    const record = `/api/v1/tool-invocations/${body.invocation_id}`;
    await until('the run to be running', async (saw) =>
      saw(await running(client)).includes(body.invocation_id),
    );
    const { body: later } = await client.get(`${record}/wait`);
    expect(later.status).toBe('running');
    await client.post(`${record}/cancel`);
  });

  it('waits in a chat no longer than it prefers', async () => {
    await slow(60_000);
    const { body } = await client.post(
      '/api/v1/chat',
      { message },
      { prefer: 'wait=0' },
    );
    const [{ invocation_id }] = body.tool_calls;
    expect(body.content).toContain(invocation_id);
    await client.post(`/api/v1/tool-invocations/${invocation_id}/cancel`);
  });

  it('is not promised a continuation of a run that is being cancelled', async () => {
    // The endpoint acknowledges the cancellation later than the chat waits, which waits long enough to see it.
    const { url } = await stand.addApi({ RELAY_CHAT_WAIT_SECONDS: '9' });
    await slow(60_000);
    await stand.fault({ kind: 'hang', ms: 9_500, match: { path: '/cancel' } });
    const before = await running(client);
    const asking = new Client(url, client.headers).post('/api/v1/chat', {
      message,
    });
    const invocation_id = await until(
      'another run to be running',
      async (saw) =>
        saw(await running(client)).find((id) => !before.includes(id)),
    );
    await client.post(`/api/v1/tool-invocations/${invocation_id}/cancel`);
    const { body } = await asking;
    expect(body.content).not.toMatch('continues');
    expect(body.tool_calls[0].status).toBe('cancelled');
  });
});

async function running(client: Client): Promise<string[]> {
  const { body } = await client.get(
    '/api/v1/tool-invocations?status=running&limit=100',
  );
  const data = body.data as { invocation_id: string }[];
  return data.map(({ invocation_id }) => invocation_id);
}
