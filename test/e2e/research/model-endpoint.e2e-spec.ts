import { doctor } from '../../support/processes/doctor';
import {
  type FixedReply,
  fixedEndpoint,
  PAGE,
} from '../../support/upstream/fixed-endpoint';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const GONE = ['o3-deep-research', 'o4-mini-deep-research'];
const NOT_OFFERED = [
  ...GONE,
  'o3-deep-research-2025-06-26',
  'o4-mini-deep-research-2025-06-26',
  'gpt-4o',
  'gpt-4.1',
];
const gone = (names: string[]) => ({
  models: Object.fromEntries(names.map((name) => [name, { gone: true }])),
});

describe('a service on a current endpoint, without a configured model', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({ apis: 0, workers: 0, researchMs: 50 });
    await stand.configure(gone(NOT_OFFERED));
    await Promise.all([stand.addApi(), stand.addWorker()]);
  });
  afterAll(() => stand.stop());

  it('logs at the start which upstream and which models it uses, and why', async () => {
    for (const service of [...stand.apis, ...stand.workers]) {
      const line = await service.waitForOutput(/^.*"msg":"Upstream .*$/m);
      const { level, msg } = JSON.parse(line) as Record<string, string>;
      expect(level).toBe('info');
      expect(msg).toBe(
        `Upstream ${stand.sandbox.url}/v1; models: research: gpt-6.1-sol (o3-deep-research is not listed), chat: gpt-5.6-luna (gpt-4o is not listed)`,
      );
      expect(service.output).not.toContain('sk-upstream-secret');
    }
  });

  it('researches and chats with the first default that the endpoint lists', async () => {
    const client = stand.client();
    expect((await client.research()).body.status).toBe('completed');
    const chat = await client.post('/api/v1/chat', { message: 'Hello' });
    expect(chat.body.status).toBe('completed');
    const models = (await stand.requests()).map(({ body }) => body.model);
    expect(models).toEqual(['gpt-6.1-sol', 'gpt-5.6-luna']);
  });

  it("reports the choice in health and in the doctor's output", async () => {
    const { body } = await stand.client().get('/health/ready');
    const detail = expect.stringMatching(
      /^research: gpt-6\.1-sol .+, chat: gpt-5\.6-luna /,
    );
    expect(body).toMatchObject({
      status: 'ok',
      checks: { models: { status: 'ok', detail } },
    });
    const { lines } = await doctor(stand.env);
    expect(lines).toContainEqual(
      expect.stringMatching(/^Models \(research: gpt-6\.1-sol .+\): ok$/),
    );
  });

  it('never reports a model as usable that the endpoint does not have, and names it to the caller', async () => {
    const model = 'no-such-model';
    await stand.configure(gone([...NOT_OFFERED, model]));
    const env = { LITELLM_MODEL: model };
    const client = (await stand.addApi(env)).url;
    const { body } = await stand.client(1).get('/health/ready');
    const problem = /^model "no-such-model" not found; the endpoint lists gpt-/;
    expect(client).toBe(stand.client(1).url);
    expect(body).toMatchObject({
      status: 'degraded',
      checks: {
        models: { status: 'failed', detail: expect.stringMatching(problem) },
      },
    });
    await stand.apis[1].waitForOutput(
      /"level":"warn".*model \\"no-such-model\\" not found/,
    );
    const { code, lines } = await doctor({ ...stand.env, ...env });
    expect(code).toBe(1);
    expect(lines).toContainEqual(
      expect.stringContaining('model "no-such-model" not found'),
    );

    await stand.workers.pop()!.stop('SIGKILL');
    await stand.addWorker(env);
    const research = await stand.client().research();
    expect(research.body).toMatchObject({
      status: 'failed',
      error_message:
        'The model "no-such-model" is not available at the model endpoint.',
      error: { code: 'model_not_found', retryable: false },
    });
  });
});

describe('a service with a wrong base URL', () => {
  let reply: FixedReply;
  let endpoint: Awaited<ReturnType<typeof fixedEndpoint>>;
  let stand: Stand;

  beforeAll(async () => {
    reply = { status: 200, type: 'text/html', body: PAGE };
    endpoint = await fixedEndpoint(() => reply);
    stand = await Stand.start({ env: { LITELLM_BASE_URL: endpoint.url } });
  });
  beforeEach(() => endpoint.asked.splice(0));
  afterAll(async () => {
    await stand.stop();
    await endpoint.close();
  });

  const posts = () => endpoint.asked.filter((line) => line.startsWith('POST'));

  it('reports it at the start and in health', async () => {
    await stand.apis[0].waitForOutput(
      /"level":"warn".*could not be read: The model endpoint answered with a web page/,
    );
    const { body } = await stand.client().get('/health/ready');
    expect(body.checks.upstream).toMatchObject({
      status: 'failed',
      detail: 'upstream_wrong_url',
    });
  });

  it.each([200, 404, 405, 301])(
    'fails a run with a cause if the response is a page with a %i',
    async (status) => {
      reply = { status, type: 'text/html', body: PAGE };
      const { body } = await stand.client().research();
      expect(body).toMatchObject({
        status: 'failed',
        upstream_response_id: null,
        error: { code: 'upstream_wrong_url', retryable: false },
      });
      // Chat Completions may exist where this path does not.
      const both = ['POST /v1/responses', 'POST /v1/chat/completions'];
      const asked = [404, 405].includes(status) ? both : both.slice(0, 1);
      expect(posts()).toEqual(asked);
    },
  );

  it('does not mistake a page with a 502 for a wrong URL: the proxy may have lost the response', async () => {
    reply = { status: 502, type: 'text/html', body: PAGE };
    const { body } = await stand.client().research();
    expect(body.error.code).toBe('ambiguous_submit');
    expect(posts()).toHaveLength(1);
  });

  it.each<[string, FixedReply]>([
    ['upstream_wrong_url', { status: 200, type: 'text/html', body: PAGE }],
    [
      'upstream_quota_exceeded',
      {
        status: 429,
        body: JSON.stringify({
          error: { message: 'vault.corp.internal', code: 'insufficient_quota' },
        }),
      },
    ],
    [
      'upstream_unauthorized',
      {
        status: 401,
        body: JSON.stringify({ error: { code: 'invalid_api_key' } }),
      },
    ],
  ])(
    'reports %s in a chat beside the original message, and sends no second request',
    async (code, receivedText) => {
      reply = receivedText;
      const { status, body } = await stand.client().post('/api/v1/chat', {
        message: 'Hello',
      });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        content: `The chat request failed. ${body.error.message}`,
        tool_called: false,
        status: 'failed',
        error: { code, retryable: false },
      });
      expect(JSON.stringify(body)).not.toContain('vault');
      expect(posts()).toHaveLength(1);
    },
  );
});

describe('a service whose endpoint never responds', () => {
  it('starts, and uses the defaults', async () => {
    const stand = await Stand.start({ apis: 0, workers: 0 });
    const fault = { kind: 'hang', match: { path: '/models' }, count: 0 };
    await stand.fault(fault);
    await stand.addApi();
    expect(stand.apis[0].output).not.toContain('"Upstream ');
    const live = await stand.client().get('/health/live');
    expect(live.status).toBe(200);
    await until('the models to be requested', async (saw) =>
      saw(await stand.stats()).requests.some(({ path }) => path === '/models'),
    );
    await stand.clearFaults();
    await stand.apis[0].waitForOutput(/Upstream .* research: o3-deep-research/);
    await stand.stop();
  });
});
