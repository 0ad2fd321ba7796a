import { createHash } from 'node:crypto';
import { all, Client, Invocation, type Reply } from '../../support/client';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';
import { waitForEnd } from '../../support/event-log';

const CREATE = { method: 'POST', path: '/responses' };
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UNKNOWN_TO_A_QUEUED_RUN = [
  'upstream_response_id',
  'output_text',
  'citations',
  'sources',
  'usage',
  'progress',
  'response',
  'error_message',
  'error',
  'webhook',
  'started_at',
  'completed_at',
  'expires_at',
];

const opened = (client: Client, { body }: Reply): Invocation =>
  new Invocation(client, body.invocation_id, body.invocation_token);

const isGone = async (client: Client, { path, headers }: Invocation) =>
  (await client.get(path, headers)).status === 404;

/** Follows until the upstream has begun to search. */
async function begun(invocation: Invocation): Promise<void> {
  for await (const { event } of invocation.events())
    if (event === 'progress') return;
}

describe('explicit research', () => {
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({ researchMs: 200 });
    client = stand.client();
  });
  afterEach(() => stand.reset());
  afterAll(() => stand.stop());

  describe('in the foreground', () => {
    it('returns the finished record with every field present', async () => {
      const { status, body } = await client.research();
      expect(status).toBe(200);
      expect(body).toEqual({
        invocation_id: expect.stringMatching(/^inv_/),
        tool_name: 'deep_research',
        question: '짜장면의 역사를 자세히 알려줘',
        title: expect.stringMatching(/./),
        mode: 'foreground',
        priority: 'normal',
        queue_position: null,
        waiting_for: null,
        contents: null,
        due_at: null,
        status: 'completed',
        deliverable_format: 'markdown_brief',
        metadata: null,
        invocation_token: expect.stringMatching(/^.{22,}$/),
        upstream_response_id: expect.stringMatching(/^resp_/),
        output_text: expect.stringContaining('짜장면'),
        citations: expect.any(Array),
        sources: expect.any(Array),
        usage: {
          input_tokens: expect.any(Number),
          output_tokens: expect.any(Number),
          total_tokens: expect.any(Number),
          tool_calls: expect.any(Number),
        },
        cost: null,
        engine: 'hosted',
        model: 'o3-deep-research',
        searched: true,
        asks: false,
        steps: null,
        limits: null,
        limits_reached: null,
        continued_from: null,
        parent: null,
        follow_ups: [],
        inherited: null,
        plan: null,
        required_action: null,
        progress: {
          searches: expect.any(Number),
          pages_opened: expect.any(Number),
          last_step: expect.any(String),
        },
        response: expect.objectContaining({
          id: body.upstream_response_id,
          status: 'completed',
        }),
        error_message: null,
        error: null,
        cancel_reason: null,
        webhook: null,
        created_at: expect.stringMatching(RFC_3339),
        started_at: expect.stringMatching(RFC_3339),
        completed_at: expect.stringMatching(RFC_3339),
        expires_at: expect.stringMatching(RFC_3339),
        kept: false,
      });
      const { created_at, started_at, completed_at, expires_at } = body;
      expect(Date.parse(started_at)).toBeGreaterThanOrEqual(
        Date.parse(created_at),
      );
      expect(Date.parse(completed_at)).toBeGreaterThan(Date.parse(started_at));
      expect(Date.parse(expires_at) - Date.parse(completed_at)).toBe(
        7 * 86_400_000,
      );
    });

    it('reports usage and progress counts', async () => {
      const { usage, progress } = (await client.research()).body;
      expect(usage.total_tokens).toBe(usage.input_tokens + usage.output_tokens);
      expect(usage.output_tokens).toBeGreaterThan(0);
      expect(progress.searches).toBeGreaterThan(0);
      expect(usage.tool_calls).toBeGreaterThanOrEqual(progress.searches);
    });

    it('cites by code points, and lists every consulted page', async () => {
      const { output_text, citations, sources } = (
        await client.research({
          research_question: '짜장면의 역사를 자세히 알려줘 🍜',
          documents: [
            { title: '🍜🥢', text: '짜장면은 1905년에 시작되었다. 😋' },
          ],
        })
      ).body;
      const points = [...output_text];
      expect(citations.length).toBeGreaterThan(0);
      for (const { url, title, start_index, end_index } of citations)
        expect(points.slice(start_index, end_index).join('')).toBe(
          `([${title}](${url}))`,
        );
      const cited = citations.map(({ url }: { url: string }) => url);
      const listed = sources.map(({ url }: { url: string }) => url);
      expect(listed).toEqual(expect.arrayContaining(cited));
      expect(new Set(listed).size).toBe(listed.length);
    });

    it('returns the unfinished record when the caller prefers a shorter wait, and continues', async () => {
      await stand.fault({ kind: 'hang', match: CREATE });
      const reply = await client.research({}, { prefer: 'wait=1' });
      expect(reply.status).toBe(202);
      expect(reply.body).toMatchObject({
        mode: 'foreground',
        output_text: null,
      });
      expect(['queued', 'running']).toContain(reply.body.status);
      const invocation = opened(client, reply);
      expect(reply.headers.get('location')).toBe(invocation.path);
      await stand.clearFaults();
      expect((await waitForEnd(invocation)).status).toBe('completed');
      expect((await stand.stats()).creates).toBe(1);
    });
  });

  it.each([
    ['background: true', { background: true }, {}, 'background'],
    ['Prefer: respond-async', {}, { prefer: 'respond-async' }, 'background'],
    ['stream: true', { stream: true }, {}, 'stream'],
  ])('is accepted immediately by %s', async (_, args, headers, mode) => {
    await stand.fault({ kind: 'hang', match: CREATE });
    const reply = await client.research(args, headers);
    expect(reply.status).toBe(202);
    expect(reply.body.mode).toBe(mode);
    const invocation = opened(client, reply);
    expect(reply.headers.get('location')).toBe(invocation.path);
    await stand.clearFaults();
    const record = await waitForEnd(invocation);
    expect(record).toMatchObject({ mode, status: 'completed' });
  });

  it('returns its token once, in the reply to the submission', async () => {
    const invocation = await client.submit();
    expect((await invocation.wait()).invocation_token).toBeNull();
    expect((await invocation.read()).invocation_token).toBeNull();
    expect((await invocation.cancel()).body.invocation_token).toBeNull();
  });

  it('supports waiting: to the end, or for a given time', async () => {
    await stand.fault({ kind: 'hang', match: CREATE });
    const invocation = await client.submit();
    const { path, headers } = invocation;
    const early = await client.get(`${path}/wait?timeout=0.1`, headers);
    expect(early.status).toBe(200);
    expect(['queued', 'running']).toContain(early.body.status);
    const end = client.settled(path, headers);
    await stand.clearFaults();
    expect((await end).body.status).toBe('completed');
    expect((await end).body).toEqual(await invocation.read());
  });

  it('is cancelled while it runs, at the upstream as well', async () => {
    await stand.fault({ kind: 'stay', status: 'in_progress' });
    const invocation = await client.submit();
    await begun(invocation);
    expect((await invocation.cancel()).status).toBe(202);
    expect(await waitForEnd(invocation)).toMatchObject({
      status: 'cancelled',
      error: { code: 'cancelled', retryable: false },
    });
    expect(await stand.stats()).toMatchObject({ cancels: 1, in_flight: 0 });
  });

  it('is unchanged by a cancellation after its end', async () => {
    const invocation = await client.submit();
    const record = await invocation.wait();
    const { status, body } = await invocation.cancel();
    expect(status).toBe(200);
    expect(body).toEqual(record);
    expect((await stand.stats()).cancels).toBe(0);
  });

  it('is cancelled upstream and forgotten when it is deleted while it runs', async () => {
    await stand.fault({ kind: 'stay', status: 'in_progress' });
    const invocation = await client.submit();
    await begun(invocation);
    expect((await invocation.remove()).status).toBe(204);
    expect(await isGone(client, invocation)).toBe(true);
    await until(
      'no run to be in flight',
      async (saw) => saw(await stand.stats()).in_flight === 0,
    );
    expect((await stand.stats()).cancels).toBe(1);
    await until('the run to be forgotten', () =>
      stand.redis.hasForgotten(invocation.id),
    );
  });

  it('is forgotten when it is deleted after its end', async () => {
    const invocation = await client.submit();
    await invocation.wait();
    expect((await invocation.remove()).status).toBe(204);
    expect(await isGone(client, invocation)).toBe(true);
    expect(await stand.redis.hasForgotten(invocation.id)).toBe(true);
    expect((await invocation.remove()).status).toBe(404);
  });

  describe('at the upstream', () => {
    const asked = async (args: Record<string, unknown>) => {
      const { body } = await client.research(args);
      expect(body).toMatchObject({ status: 'completed' });
      const [request, ...others] = await stand.requests();
      expect(others).toEqual([]);
      return request.body;
    };

    it('is one stored background run that streams, and carries the id of its invocation', async () => {
      const { body } = await client.research();
      const [request] = await stand.requests();
      expect(request.body).toMatchObject({
        model: 'o3-deep-research',
        background: true,
        store: true,
        stream: true,
        tools: [{ type: 'web_search_preview' }],
        metadata: { invocation_id: body.invocation_id },
      });
      expect(request.body).not.toHaveProperty('instructions');
      expect(request.body).not.toHaveProperty('text');
    });

    it('receives the system prompt as its instructions', async () => {
      const system_prompt = '두 문장으로 답하라.';
      expect((await asked({ system_prompt })).instructions).toBe(system_prompt);
    });

    it('receives the text format unchanged', async () => {
      const text_format = { type: 'json_object' };
      expect((await asked({ text_format })).text).toEqual({
        format: text_format,
      });
    });

    it('receives the whole request of the caller in its input', async () => {
      const { input } = await asked({
        research_question: 'The history of kimchi',
        context: ['It is for a talk.', 'The audience is young.'],
        constraints: ['Only before 1950.'],
        documents: [{ title: 'Notes', text: 'Kimchi was winter food.' }],
        deliverable_format: 'markdown_report',
        require_citations: false,
      });
      const text = JSON.stringify(input);
      for (const part of [
        'The history of kimchi',
        'It is for a talk.',
        'The audience is young.',
        'Only before 1950.',
        'Notes',
        'Kimchi was winter food.',
        'Deliverable format: markdown_report',
        'Citations: not wanted',
      ])
        expect(text).toContain(part);
    });
  });

  it('rejects a JSON schema, which a research model cannot follow', async () => {
    const { status, body } = await client.research({
      text_format: { type: 'json_schema', name: 'outline', schema: {} },
    });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      code: 'validation_failed',
      errors: [
        { path: 'arguments.text_format.type', message: expect.any(String) },
      ],
    });
    expect((await stand.stats()).creates).toBe(0);
  });

  it('is listed among the tools, with the schema of its arguments', async () => {
    const { status, body } = await client.get('/api/v1/tools');
    expect(status).toBe(200);
    expect(body.tools).toContainEqual({
      name: 'deep_research',
      description: expect.any(String),
      source: 'builtin',
      returns: null,
      annotations: { idempotentHint: true, openWorldHint: true },
      parameters: expect.objectContaining({
        type: 'object',
        required: ['research_question'],
        properties: expect.objectContaining({
          research_question: expect.objectContaining({ type: 'string' }),
          documents: expect.objectContaining({ type: 'array' }),
        }),
      }),
    });
  });
});

describe('research before any worker takes it', () => {
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({ workers: 0 });
    client = stand.client();
  });
  afterAll(() => stand.stop());

  it('is queued, and every unknown field is null', async () => {
    const record = await (await client.submit()).read();
    expect(record.status).toBe('queued');
    for (const field of UNKNOWN_TO_A_QUEUED_RUN)
      expect(record).toHaveProperty(field, null);
  });

  it('is cancelled or forgotten at once, and no worker purchases it later', async () => {
    const cancelled = await client.submit();
    const { status, body } = await cancelled.cancel();
    expect(status).toBe(202);
    expect(body).toMatchObject({
      status: 'cancelled',
      error: { code: 'cancelled' },
    });
    expect((await all(cancelled.events())).at(-1)).toMatchObject({
      event: 'error',
      data: { status: 'cancelled', data: { code: 'cancelled' } },
    });

    const deleted = await client.submit();
    expect((await deleted.remove()).status).toBe(204);
    expect(await isGone(client, deleted)).toBe(true);

    const wanted = await client.submit();
    await stand.addWorker();
    expect((await waitForEnd(wanted)).status).toBe('completed');
    const { creates_by_invocation } = await stand.stats();
    expect(creates_by_invocation).toHaveProperty(wanted.id, 1);
    expect(creates_by_invocation).not.toHaveProperty(cancelled.id);
    expect(creates_by_invocation).not.toHaveProperty(deleted.id);
  });
});

describe('research with a reasoning model', () => {
  const schema = {
    type: 'object',
    properties: { summary: { type: 'string' } },
    required: ['summary'],
    additionalProperties: false,
  };
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({ env: { LITELLM_MODEL: 'gpt-5.5' } });
  });
  afterAll(() => stand.stop());

  it('searches the web with high effort, and follows a JSON schema', async () => {
    const text_format = { type: 'json_schema', name: 'outline', schema };
    const { status, body } = await stand.client().research({ text_format });
    expect(status).toBe(200);
    expect(JSON.parse(body.output_text)).toEqual({
      summary: expect.any(String),
    });
    const [request] = await stand.requests();
    expect(request.body).toMatchObject({
      model: 'gpt-5.5',
      tools: [{ type: 'web_search' }],
      reasoning: { effort: 'high' },
      text: { format: { ...text_format, strict: true } },
    });
  });
});

describe('research with a plain model and a time limit of ten seconds', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({
      env: { LITELLM_MODEL: 'gpt-4o', RELAY_RESEARCH_TIMEOUT_SECONDS: '10' },
    });
  });
  afterEach(() => stand.reset());
  afterAll(() => stand.stop());

  it('sends no hosted tools', async () => {
    const { status } = await waitForEnd(await stand.client().submit());
    expect(status).toBe('completed');
    const [request] = await stand.requests();
    expect(request.body).not.toHaveProperty('tools');
    expect(request.body).not.toHaveProperty('include');
    expect(request.body).not.toHaveProperty('reasoning');
  });

  it('retains the partial text at the time limit, and stops the upstream', async () => {
    await stand.fault({ kind: 'stay', status: 'in_progress' });
    const record = await waitForEnd(await stand.client().submit());
    expect(record).toMatchObject({
      status: 'incomplete',
      output_text: expect.stringMatching(/\S/),
      error: { code: 'research_timeout', retryable: true },
      error_message: expect.any(String),
    });
    expect(await stand.stats()).toMatchObject({ cancels: 1, in_flight: 0 });
  });

  it('fails at the time limit without text, and stops the upstream', async () => {
    await stand.fault({ kind: 'stay', status: 'queued' });
    const record = await waitForEnd(await stand.client().submit());
    expect(record).toMatchObject({
      status: 'failed',
      output_text: null,
      error: { code: 'research_timeout' },
    });
    expect(await stand.stats()).toMatchObject({ cancels: 1, in_flight: 0 });
  });

  it('does not claim an outcome for a purchase that was not answered within the time limit', async () => {
    await stand.fault({ kind: 'hang', match: CREATE });
    const record = await waitForEnd(await stand.client().submit());
    expect(record).toMatchObject({
      status: 'failed',
      upstream_response_id: null,
      error: { code: 'ambiguous_submit', retryable: true },
    });
    expect(await stand.requests()).toHaveLength(1);
  });
});

describe('research whose first model is being retired', () => {
  const models = ['o3-deep-research', 'o4-mini-deep-research'];
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({
      workers: 0,
      env: { RELAY_RESEARCH_MODELS: models.join(',') },
    });
  });
  // A worker caches what it has learnt about models.
  beforeEach(() => stand.addWorker());
  afterEach(async () => {
    await stand.workers.pop()!.stop('SIGKILL');
    await stand.reset();
  });
  afterAll(() => stand.stop());

  const triedModels = async () =>
    (await stand.requests()).map(({ body }) => body.model);

  it('never uses a model past its shutdown date', async () => {
    await stand.configure({
      models: { [models[0]]: { shutdown_date: '2026-01-01' } },
    });
    // A worker reads the list of models when it starts.
    await stand.workers.pop()!.stop('SIGKILL');
    await stand.addWorker();
    expect((await stand.client().research()).body.status).toBe('completed');
    expect(await triedModels()).toEqual([models[1]]);
  });

  it('uses the second model when the upstream does not know the first', async () => {
    await stand.configure({ models: { [models[0]]: { gone: true } } });
    expect((await stand.client().research()).body.status).toBe('completed');
    expect(await triedModels()).toEqual(models);
    expect((await stand.stats()).creates).toBe(1);
    await stand.client().research();
    expect(await triedModels()).toEqual([...models, models[1]]);
  });

  it('fails with a specific code when no model is left', async () => {
    await stand.configure({
      models: { [models[0]]: { gone: true }, [models[1]]: { gone: true } },
    });
    expect((await stand.client().research()).body).toMatchObject({
      status: 'failed',
      error: { code: 'model_not_found' },
    });
    expect((await stand.stats()).creates).toBe(0);
  });

  it("responds to a failed run with 200, and with the run's status to a caller that prefers it", async () => {
    await stand.configure({
      models: { [models[0]]: { gone: true }, [models[1]]: { gone: true } },
    });
    const client = stand.client();
    expect((await client.research()).status).toBe(200);
    const strict = await client.research({}, { prefer: 'handling=strict' });
    expect(strict.status).toBe(502);
    expect(strict.headers.get('preference-applied')).toBe('handling=strict');
    expect(strict.headers.get('content-type')).toMatch('problem+json');
    expect(strict.body).toMatchObject({
      code: 'model_not_found',
      invocation: { status: 'failed', error: { code: 'model_not_found' } },
    });
    const { invocation } = strict.body;
    expect(
      await client
        .invocation(invocation.invocation_id, invocation.invocation_token)
        .read(),
    ).toMatchObject({ status: 'failed' });
  });
});

describe('with narrow limits', () => {
  const WEEK = 7 * 86_400_000;
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({
      researchMs: 200,
      env: {
        RELAY_MAX_STREAM_BYTES: '20000',
        RELAY_MAX_INVOCATIONS: '1',
      },
    });
    client = stand.client();
  });
  afterEach(() => stand.reset());
  afterAll(() => stand.stop());

  /** Submits as soon as the previous run has freed its place. */
  const submitted = () =>
    until('a submission to be accepted', async (saw) => {
      const reply = saw(await client.research({ background: true }));
      return reply.status === 202 && opened(client, reply);
    });

  it('research with too large an output fails, and stops the upstream', async () => {
    await stand.fault({ kind: 'text_bytes', bytes: 400_000 });
    await stand.fault({ kind: 'pause', fraction: 0.9 });
    const invocation = await submitted();
    const frames = await all(invocation.events());
    expect(frames.at(-1)).toMatchObject({
      event: 'error',
      data: { status: 'failed', data: { code: 'output_too_large' } },
    });
    expect(await stand.stats()).toMatchObject({ cancels: 1, in_flight: 0 });
  });

  it('a submission over capacity is rejected without side effects, and accepted once there is room', async () => {
    await stand.fault({ kind: 'stay', status: 'in_progress' });
    const first = await submitted();
    await until(
      'the run to have an upstream response',
      async (saw) => saw(await first.read()).upstream_response_id,
    );
    /** Without the reconciler's lease, which comes and goes by itself. */
    const keys = async () => {
      const all = (await stand.redis.call('KEYS', 'sonde:*')) as string[];
      return new Set(all.filter((key) => key !== 'sonde:reconciling'));
    };
    const before = await keys();
    const reply = await client.research({ background: true });
    expect(reply.status).toBe(503);
    expect(reply.body.code).toBe('capacity_exceeded');
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await keys()).toEqual(before);
    await first.cancel();
    const second = await submitted();
    expect((await waitForEnd(second)).status).toBe('completed');
    expect(Object.keys((await stand.stats()).creates_by_invocation)).toEqual([
      first.id,
      second.id,
    ]);
  });

  it('finished research is forgotten when its retention time has passed', async () => {
    const invocation = await submitted();
    const { completed_at, expires_at } = await invocation.wait();
    expect(Date.parse(expires_at) - Date.parse(completed_at)).toBe(WEEK);
    for (const key of await keysOf(stand, invocation)) {
      const leftMs = Number(await stand.redis.call('PTTL', key));
      expect([key, leftMs > 0 && leftMs <= WEEK]).toEqual([key, true]);
      await stand.redis.call('PEXPIRE', key, '1');
    }
    await until(
      'the run to be gone',
      async (saw) =>
        saw(await client.get(invocation.path, invocation.headers)).status ===
        404,
    );
    expect(await keysOf(stand, invocation)).toEqual([]);
  });
});

describe('the list of invocations', () => {
  const hash = (key: string) => createHash('sha256').update(key).digest('hex');
  const alice = { authorization: 'Bearer key-of-alice' };
  const bob = { authorization: 'Bearer key-of-bob' };
  const list = '/api/v1/tool-invocations';
  let stand: Stand;
  let client: Client;
  const ids: string[] = [];

  beforeAll(async () => {
    stand = await Stand.start({
      env: {
        RELAY_API_KEYS: `alice:${hash('key-of-alice')},bob:${hash('key-of-bob')}`,
      },
    });
    client = stand.client();
    for (let i = 0; i < 5; i += 1) {
      const { body } = await client.research({ background: true }, alice);
      ids.unshift(body.invocation_id);
      await client.settled(`${list}/${body.invocation_id}`, alice);
    }
    await client.research({}, bob);
  });
  afterAll(() => stand.stop());

  const idsOf = ({ body }: Reply): string[] =>
    body.data.map((record: { invocation_id: string }) => record.invocation_id);

  it('requires a valid API key', async () => {
    const none = await client.get(list);
    expect([none.status, none.body.code]).toEqual([401, 'missing_api_key']);
    const wrong = await client.get(list, { authorization: 'Bearer wrong' });
    expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_api_key']);
  });

  it("shows the caller's own, newest first, without their tokens", async () => {
    const reply = await client.get(list, alice);
    expect(idsOf(reply)).toEqual(ids);
    expect(reply.body).toMatchObject({ has_more: false, next_cursor: null });
    expect(reply.body.data[0]).toMatchObject({
      status: 'completed',
      invocation_token: null,
    });
    expect(idsOf(await client.get(list, bob))).toHaveLength(1);
  });

  it('opens each to the key that submitted it, and to no other', async () => {
    expect((await client.get(`${list}/${ids[0]}`, alice)).status).toBe(200);
    expect((await client.get(`${list}/${ids[0]}`, bob)).status).toBe(404);
    expect((await client.get(`${list}/${ids[0]}`)).status).toBe(403);
  });

  it('is paginated', async () => {
    const seen: string[][] = [];
    let cursor = '';
    do {
      const page = await client.get(`${list}?limit=2${cursor}`, alice);
      seen.push(idsOf(page));
      expect(page.body.has_more).toBe(page.body.next_cursor !== null);
      cursor = page.body.has_more ? `&cursor=${page.body.next_cursor}` : '';
    } while (cursor);
    expect(seen).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  });

  it('can be filtered by status', async () => {
    await stand.fault({ kind: 'stay', status: 'in_progress' });
    const { body } = await client.research({ background: true }, alice);
    await client.post(`${list}/${body.invocation_id}/cancel`, undefined, alice);
    await client.settled(`${list}/${body.invocation_id}`, alice);
    const only = async (status: string) =>
      idsOf(await client.get(`${list}?status=${status}`, alice));
    expect(await only('cancelled')).toEqual([body.invocation_id]);
    expect(await only('completed')).toEqual(ids);
    expect(await only('failed')).toEqual([]);
    const unknown = await client.get(`${list}?status=lost`, alice);
    expect(unknown.status).toBe(422);
    expect(unknown.body.errors).toMatchObject([{ path: 'status' }]);
  });

  it('can be searched', async () => {
    const research_question = 'The history of Kimchi';
    const args = { research_question, background: true };
    const { body } = await client.research(args, alice);
    const found = await client.get(`${list}?search=OF%20kim`, alice);
    expect(idsOf(found)).toEqual([body.invocation_id]);
    expect(idsOf(await client.get(`${list}?search=nothing`, alice))).toEqual(
      [],
    );
    const long = await client.get(`${list}?search=${'a'.repeat(201)}`, alice);
    expect(long.status).toBe(422);
    expect(long.body.errors).toMatchObject([{ path: 'search' }]);
  });

  it('omits deleted ones', async () => {
    const reply = await client.request('DELETE', `${list}/${ids[4]}`, {
      headers: alice,
    });
    expect(reply.status).toBe(204);
    expect(idsOf(await client.get(list, alice))).not.toContain(ids[4]);
  });
});

/** The names of all that is stored of it. */
const keysOf = ({ redis }: Stand, { id }: Invocation) =>
  redis.call('KEYS', `sonde:{${id}}:*`) as Promise<string[]>;
