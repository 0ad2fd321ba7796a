import { createHash } from 'node:crypto';
import { all, type Client, type Frame, Invocation } from '../../support/client';
import { callsByRole } from '../../support/agent/agent-journal';
import { expectCitations } from '../../support/agent/agent-report';
import { waitForEnd } from '../../support/event-log';
import { Stand } from '../../support/processes/stand';
import { expectProblem } from '../../support/problem';

const KIMCHI = 'What is the history of kimchi, and how is it made?';
const ALICE = 'sk-alice';
const BOB = 'sk-bob';
const keyOf = (name: string, key: string) =>
  `${name}:${createHash('sha256').update(key).digest('hex')}`;
const REVIEW = { research_question: KIMCHI, plan: 'review', depth: 'quick' };
const EDITED = [
  { title: 'Haenyeo', queries: ['haenyeo diving women', 'haenyeo number'] },
];

describe('a plan that is reviewed', () => {
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({
      searchesSandbox: true,
      env: {
        LITELLM_MODEL: 'sandbox-plain',
        RELAY_API_KEYS: `${keyOf('alice', ALICE)},${keyOf('bob', BOB)}`,
      },
    });
    client = stand.client().as(ALICE);
  });
  beforeEach(() => stand.reset());
  afterAll(() => stand.stop());

  const waiting = async (args: object = {}) => {
    const invocation = await client.submit({ ...REVIEW, ...args });
    const record = await invocation.wait();
    expect(record).toMatchObject({ status: 'requires_action' });
    return { invocation, record };
  };
  const decide = (
    { path, headers }: Invocation,
    body: unknown,
    by: Client = client,
  ) => by.post(`${path}/plan`, body, headers);
  const outside = async () => {
    const { requests } = await stand.stats();
    const paths = requests.map(({ path }) => decodeURIComponent(path));
    return paths.filter((path) => /^\/(search|pages|robots)/.test(path));
  };
  const eventsOf = (frames: Frame[], type: string) =>
    frames.filter(({ event }) => event === type);

  /** The queries that an ended run has sent. */
  const sent = async (invocation: Invocation) =>
    eventsOf(await all(invocation.follow()), 'progress')
      .map(({ data }) => data.data)
      .filter(({ kind }) => kind === 'web_search')
      .map(({ detail }) => detail);

  it('is listed by its status while it waits', async () => {
    const { invocation } = await waiting();
    const list = '/api/v1/tool-invocations?status=requires_action';
    const idsNow = async () =>
      (await client.get(list)).body.data.map(
        (one: { invocation_id: string }) => one.invocation_id,
      );
    expect(await idsNow()).toEqual([invocation.id]);
    await decide(invocation, { approve: false });
    await waitForEnd(invocation);
    expect(await idsNow()).toEqual([]);
  });

  it('is on record with an estimate before anything is searched, and its approval leads to the report of a run without review', async () => {
    const { invocation, record } = await waiting();
    const { plan } = record;
    expect(record).toMatchObject({
      engine: 'agent',
      required_action: { plan },
      output_text: null,
      completed_at: null,
      expires_at: expect.any(String),
      progress: { searches: 0, pages_opened: 0 },
    });
    expect(plan).toEqual({
      directions: expect.arrayContaining([
        { title: expect.any(String), queries: expect.any(Array) },
      ]),
      estimate: {
        searches: expect.any(Number),
        pages: 4,
        model_calls: 13,
        tokens: expect.any(Number),
        cost_usd: null,
        minutes: 1,
      },
      review: null,
      reason: null,
    });
    expect(await outside()).toEqual([]);
    const { worker, fence } = await stored(invocation);
    expect({ worker, fence }).toEqual({ worker: '', fence: '1' });

    const { status, body } = await decide(invocation, { approve: true });
    expect(status).toBe(202);
    expect(body).toMatchObject({
      invocation_id: invocation.id,
      required_action: null,
      plan: { ...plan, review: 'approved' },
    });
    const frames = await all(invocation.follow());
    const [asked, ...more] = eventsOf(frames, 'requires_action');
    expect(asked.data.data).toEqual({ plan });
    expect(more).toEqual([]);
    const end = await waitForEnd(invocation);
    expect(end).toMatchObject({
      status: 'completed',
      limits_reached: [],
      expires_at: expect.any(String),
      plan: { ...plan, review: 'approved' },
      steps: { repeated: 0, ambiguous: [] },
    });
    expectCitations(end);
    const planned = (plan.directions as { queries: string[] }[]).flatMap(
      ({ queries }) => queries,
    );
    expect(new Set(await sent(invocation))).toEqual(new Set(planned));
    expect((await outside()).length).toBeGreaterThan(0);

    const { body: other } = await client.research({ ...REVIEW, plan: 'auto' });
    expect(other).toMatchObject({
      output_text: end.output_text,
      required_action: null,
      plan: {
        directions: plan.directions,
        estimate: null,
        review: null,
        reason: null,
      },
    });
  });

  it('ends the wait of a caller in the foreground with 202', async () => {
    const { status, headers, body } = await client.research(REVIEW);
    expect({ status, body }).toMatchObject({
      status: 202,
      body: { status: 'requires_action', mode: 'foreground' },
    });
    expect(headers.get('location')).toMatch(body.invocation_id);
    const invocation = client.invocation(
      body.invocation_id,
      body.invocation_token,
    );
    expect((await invocation.cancel()).status).toBe(202);
  });

  it('is searched as it was edited, with more queries than its depth has, but not more than its budget', async () => {
    const decision = {
      approve: true,
      plan: { directions: [...EDITED, ...kinds(2)] },
      reason: 'Divers instead',
    };
    const { invocation } = await waiting({ budget: { max_searches: 3 } });
    const { body } = await decide(invocation, decision);
    expect(body.plan).toMatchObject({
      ...decision.plan,
      review: 'edited',
      reason: 'Divers instead',
    });
    const end = await waitForEnd(invocation);
    expect(end).toMatchObject({
      status: 'completed',
      limits_reached: ['max_searches'],
      plan: body.plan,
      progress: { searches: 3 },
    });
    const queries = await sent(invocation);
    expect(queries).toHaveLength(3);
    expect(queries).toEqual(expect.arrayContaining(['haenyeo diving women']));
    const { body: evidence } = await client.get(`${invocation.path}/evidence`);
    expect(evidence.plan).toEqual(decision.plan);
  });

  it('ends the run when it is refused, with the reason on record and nothing searched', async () => {
    const { invocation } = await waiting();
    await decide(invocation, { approve: false, reason: 'Too broad 🥬' });
    expect(await waitForEnd(invocation)).toMatchObject({
      status: 'cancelled',
      error: { code: 'plan_refused', retryable: false },
      plan: { review: 'refused', reason: 'Too broad 🥬' },
      output_text: null,
    });
    expect(await outside()).toEqual([]);
  });

  it('takes one decision: the same again changes nothing, another is a conflict', async () => {
    const { invocation } = await waiting();
    const edited = { approve: true, plan: { directions: EDITED } };
    const replies = await Promise.all(
      [edited, edited, edited].map((one) => decide(invocation, one)),
    );
    expect(replies.map(({ status }) => status)).toEqual([202, 202, 202]);
    const end = await waitForEnd(invocation);
    const again = await decide(invocation, edited);
    expect(again.status).toBe(202);
    expect(again.body).toMatchObject({ status: 'completed', plan: end.plan });
    for (const other of [{ approve: true }, { approve: false }])
      expectProblem(await decide(invocation, other), {
        status: 409,
        code: 'decision_conflict',
      });
    expect(eventsOf(await all(invocation.follow()), 'completed')).toHaveLength(
      1,
    );
  });

  it('lets the first of two decisions that differ hold', async () => {
    const { invocation } = await waiting();
    const replies = await Promise.all(
      [{ approve: true }, { approve: false }].map((one) =>
        decide(invocation, one),
      ),
    );
    const won = replies.findIndex(({ status }) => status === 202);
    const lost = replies[1 - won];
    expect(lost.status).toBe(409);
    expect(['not_waiting', 'decision_conflict']).toContain(lost.body.code);
    expect((await waitForEnd(invocation)).status).toBe(
      won === 0 ? 'completed' : 'cancelled',
    );
  });

  describe('of a run that waits', () => {
    let invocation: Invocation;
    beforeAll(async () => {
      ({ invocation } = await waiting());
    });
    afterAll(async () => {
      expect(await invocation.read()).toMatchObject({
        status: 'requires_action',
        plan: { review: null },
      });
      await invocation.remove();
    });

    const plan = (...directions: object[]) => ({
      approve: true,
      plan: { directions },
    });
    const titled = (...queries: unknown[]) => ({ title: 'T', queries });

    it.each<[string, unknown, string[]]>([
      ['no decision', {}, ['approve']],
      ['no flag', { approve: 'yes' }, ['approve']],
      ['an unknown field', { approve: true, depth: 'deep' }, ['depth']],
      [
        'a refusal with a plan',
        { approve: false, plan: { directions: EDITED } },
        ['plan'],
      ],
      ['a plan of nothing', plan(), ['plan.directions']],
      ['seven directions', plan(...kinds(7)), ['plan.directions']],
      [
        'no queries and no title',
        plan({ title: '', queries: [] }),
        ['plan.directions.0.title', 'plan.directions.0.queries'],
      ],
      [
        'five queries',
        plan(titled('a', 'b', 'c', 'd', 'e')),
        ['plan.directions.0.queries'],
      ],
      [
        'a query that is none',
        plan(titled({ q: 1 })),
        ['plan.directions.0.queries'],
      ],
      [
        'a long query',
        plan(titled('a'.repeat(301))),
        ['plan.directions.0.queries'],
      ],
      [
        'a long reason',
        { approve: true, reason: 'r'.repeat(2_001) },
        ['reason'],
      ],
      [
        'a query of an address alone',
        plan(titled('kimchi', 'https://evil.example/?q=kimchi')),
        ['plan.directions.0.queries.1'],
      ],
      [
        'a query with personal data',
        plan(titled('kimchi'), titled('kimchi of kim@example.org')),
        ['plan.directions.1.queries.0'],
      ],
    ])('refuses %s and names its fields', async (_, body, paths) => {
      expectProblem(await decide(invocation, body), {
        status: 422,
        code: 'validation_failed',
        paths,
      });
    });

    it('shows nothing of itself to another tenant, and takes no decision of one', async () => {
      const bob = stand.client().as(BOB);
      const mine = await bob.submit({ research_question: KIMCHI });
      for (const headers of [{}, mine.headers])
        expectProblem(
          await bob.post(`${invocation.path}/plan`, { approve: true }, headers),
          { status: 404, code: 'invocation_not_found' },
        );
      expectProblem(
        await stand.client().post(`${invocation.path}/plan`, { approve: true }),
        { status: 403, code: 'invalid_invocation_token' },
      );
    });
  });

  it('refuses queries that repeat a passage of the documents', async () => {
    const text = 'The vault of Zanzibar opens with seven silver keys at dawn.';
    const { invocation } = await waiting({
      documents: [{ title: 'Vault', text }],
    });
    const queries = ['vault of Zanzibar opens with seven silver keys'];
    const directions = [{ title: 'Vault', queries }];
    expectProblem(
      await decide(invocation, { approve: true, plan: { directions } }),
      {
        status: 422,
        code: 'validation_failed',
        paths: ['plan.directions.0.queries.0'],
      },
    );
    await invocation.remove();
  });

  it('is decided after API and worker were lost, and what was made before is not bought again', async () => {
    const { invocation, record } = await waiting();
    const [api] = stand.apis.splice(0);
    await Promise.all([
      api.stop('SIGKILL'),
      ...stand.workers.splice(0).map((worker) => worker.stop('SIGKILL')),
    ]);
    await stand.addApi();
    client = stand.client().as(ALICE);
    const same = invocation.through(stand.client());
    expect(await same.read()).toMatchObject({
      status: 'requires_action',
      plan: record.plan,
    });
    expect((await decide(same, { approve: true }, stand.client())).status).toBe(
      202,
    );
    await stand.addWorker();
    const end = await waitForEnd(invocation.through(client));
    expect(end).toMatchObject({
      status: 'completed',
      plan: { ...record.plan, review: 'approved' },
      steps: { repeated: 0, ambiguous: [] },
    });
    const paid = callsByRole(await stand.requests());
    expect(paid).toMatchObject({ research_scope: 1, research_plan: 1 });
  });

  it('can be cancelled while it waits, and takes no decision then', async () => {
    const { invocation } = await waiting();
    expect((await invocation.cancel()).status).toBe(202);
    expect(await waitForEnd(invocation)).toMatchObject({
      status: 'cancelled',
      error: { code: 'cancelled' },
      required_action: null,
    });
    expectProblem(await decide(invocation, { approve: true }), {
      status: 409,
      code: 'not_waiting',
    });
    expect(await outside()).toEqual([]);
  });

  it('can be deleted while it waits, with everything that is kept of it', async () => {
    const { invocation } = await waiting();
    expect((await invocation.remove()).status).toBe(204);
    expectProblem(await decide(invocation, { approve: true }), {
      status: 404,
      code: 'invocation_not_found',
    });
    const left = (await stand.redis.call(
      'KEYS',
      `sonde:{${invocation.id}}:*`,
    )) as string[];
    expect(left).toEqual([`sonde:{${invocation.id}}:record`]);
    expect(await stored(invocation)).toEqual({ deleted: '1' });
  });

  it('is for the agent alone', async () => {
    for (const engine of ['plain', 'hosted'])
      expectProblem(await client.research({ ...REVIEW, engine }), {
        status: 422,
        code: 'validation_failed',
        paths: ['arguments.plan'],
      });
    expectProblem(await client.research({ ...REVIEW, plan: 'later' }), {
      status: 422,
      code: 'validation_failed',
      paths: ['arguments.plan'],
    });
    const invocation = await client.submit({ research_question: KIMCHI });
    await waitForEnd(invocation);
    expectProblem(await decide(invocation, { approve: true }), {
      status: 409,
      code: 'not_waiting',
    });
  });

  it('that a model invents is ignored', async () => {
    const args = JSON.stringify(REVIEW);
    const { body } = await client.post('/api/v1/chat', {
      message: `[sandbox: call deep_research ${args}]`,
    });
    expect(body).toMatchObject({ status: 'completed', required_action: null });
    const [{ invocation_id }] = body.tool_calls;
    const { body: record } = await client.get(
      `/api/v1/tool-invocations/${invocation_id}`,
    );
    expect(record).toMatchObject({
      status: 'completed',
      engine: 'agent',
      plan: { review: null },
    });
  });

  const stored = async ({ id }: Invocation) => {
    const flat = (await stand.redis.call(
      'HGETALL',
      `sonde:{${id}}:record`,
    )) as string[];
    return Object.fromEntries(
      flat.flatMap((field, at) => (at % 2 ? [] : [[field, flat[at + 1]]])),
    ) as Record<string, string>;
  };
});

/** So many directions about kimchi. */
function kinds(count: number) {
  return Array.from({ length: count }, (_, n) => ({
    title: `Kind ${n}`,
    queries: [`kimchi kind ${n}`],
  }));
}
