import { startAgentStand } from '../../support/agent/agent-stand';
import type { Client } from '../../support/client';
import { priceFile } from '../../support/price-table';
import { expectProblem } from '../../support/problem';
import { keysCommand } from '../../support/processes/keys-command';
import { Stand } from '../../support/processes/stand';

const LIST = '/api/v1/tool-invocations';
const ESTIMATE = `${LIST}/estimate`;
const QUESTION = 'The history of kimchi';
const PRICE = { inputPerMillion: 10, outputPerMillion: 100 };
const NO_LIMITS = {
  max_searches: null,
  max_pages: null,
  max_tokens: null,
  max_cost_usd: null,
};

const estimate = (client: Client, args: object = {}, more: object = {}) =>
  client.post(ESTIMATE, {
    tool_name: 'deep_research',
    arguments: { research_question: QUESTION, ...args },
    ...more,
  });

describe('the estimate of research by the agent', () => {
  const prices = priceFile({ '*': PRICE });
  let stand: Stand;
  let admin: Client;
  let client: Client;

  beforeAll(async () => {
    stand = await startAgentStand({
      env: {
        RELAY_REQUIRE_KEYS: 'true',
        RELAY_PRICES_CONFIG: prices.path,
      },
    });
    const { body } = await keysCommand(
      { REDIS_URL: stand.redis.url, RELAY_REQUIRE_KEYS: 'true' },
      'create',
      'root',
      '--scopes',
      'admin',
    );
    admin = stand.client().as(body.key);
    client = await user('alice', ['research', 'read']);
  });
  afterAll(async () => {
    await stand.stop();
    prices.remove();
  });

  const user = async (name: string, scopes: string[], more: object = {}) => {
    const { body } = await admin.post('/admin/api/keys', {
      name,
      scopes,
      ...more,
    });
    return stand.client().as(body.key);
  };

  it('has its limits, its models with their prices, and what a plan of that depth uses', async () => {
    const { status, body } = await estimate(client, { depth: 'quick' });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        tool_name: 'deep_research',
        engine: 'agent',
        depth: 'quick',
        limits: {
          max_searches: 2,
          max_pages: 4,
          max_tokens: 150_000,
          max_seconds: expect.any(Number),
          max_cost_usd: null,
        },
        models: [
          {
            model: expect.any(String),
            roles: ['writer', 'reader', 'critic', 'verifier'],
            input_usd_per_million: 10,
            output_usd_per_million: 100,
          },
        ],
        typical: null,
        estimated_depth: 'quick',
        estimate: {
          searches: 2,
          pages: 4,
          model_calls: 13,
          tokens: 38_500,
          cost_usd: expect.closeTo(1.1725, 4),
          minutes: 2,
        },
        budget_left: null,
      },
    });
  });

  it('has what past runs of the depth took: of the key, or of all where it has too few', async () => {
    const past = async (whose: string, name: string, usd: number) => {
      for (let n = 0; n < 10; n += 1)
        await stand.redis.call(
          'ZADD',
          `sonde:past:{${whose}}:agent:quick`,
          String(n),
          `inv_${name}${n} ${60 + n} ${usd}`,
        );
    };
    const { body: key } = await admin.post('/admin/api/keys', {
      name: 'carol',
      scopes: ['research', 'read'],
    });
    const carol = stand.client().as(key.key);
    await past('all', 'other', 2);
    const quick = { depth: 'quick' };
    expect((await estimate(carol, quick)).body.typical).toEqual({
      of: 'installation',
      runs: 10,
      seconds: { low: 60, high: 68 },
      cost_usd: { low: 2, high: 2 },
    });
    await past(`of:${key.id}`, 'own', 1);
    expect((await estimate(carol, quick)).body.typical).toMatchObject({
      of: 'key',
      cost_usd: { low: 1, high: 1 },
    });
    const { status, body } = await carol.get(ESTIMATE);
    expect(status).toBe(200);
    expect(
      body.data.map(({ depth }: { depth: string | null }) => depth),
    ).toEqual(['auto', 'quick', 'standard', 'deep']);
    expect(body.data[1].typical).toMatchObject({ of: 'key', runs: 10 });
    expect(body.data[3].typical).toBeNull();
  });

  it('keeps to a narrower budget of the request', async () => {
    const budget = {
      max_pages: 2,
      max_searches: 1,
      max_tokens: 20_000,
      max_seconds: 60,
      max_cost_usd: 0.1,
    };
    const { body } = await estimate(client, { depth: 'deep', budget });
    expect(body.limits).toEqual(budget);
    expect(body.estimate).toMatchObject({
      searches: 1,
      pages: 2,
      tokens: 20_000,
      cost_usd: 0.1,
    });
  });

  it('is of the standard depth, within the limits of the deepest, where the agent decides', async () => {
    const { body } = await estimate(client);
    const { body: standard } = await estimate(client, { depth: 'standard' });
    const { body: deep } = await estimate(client, { depth: 'deep' });
    expect(body).toEqual({
      ...standard,
      depth: 'auto',
      limits: deep.limits,
    });
  });

  it('has what is left of the budget of the key', async () => {
    const bob = await user('bob', ['research'], { budget: { day_usd: 5 } });
    expect((await estimate(bob)).body.budget_left).toEqual({
      day_usd: 5,
      month_usd: null,
    });
  });

  it('stores nothing and asks nothing of the model', async () => {
    const carol = await user('carol', ['research', 'read']);
    const before = await stand.stats();
    expect((await estimate(carol, { background: true })).status).toBe(200);
    const { creates, turns } = await stand.stats();
    expect({ creates, turns }).toEqual({
      creates: before.creates,
      turns: before.turns,
    });
    expect((await carol.get(LIST)).body.data).toEqual([]);
    expect(await stand.redis.dump()).not.toContain(QUESTION);
  });

  it('has the limits that the record of such a run has', async () => {
    await stand.addWorker();
    const args = { depth: 'quick', budget: { max_pages: 2, max_seconds: 60 } };
    const { body } = await estimate(client, args);
    const { body: record } = await client.research({
      research_question: QUESTION,
      ...args,
    });
    expect(record.limits).toEqual(body.limits);
    expect(record.plan.directions.length).toBeLessThanOrEqual(2);
  });

  it('is refused in the same way as the run would be', async () => {
    const refused: [object, Record<string, unknown>, string[]][] = [
      [{ depth: 'deeper' }, {}, ['arguments.depth']],
      [{ budget: { max_pages: 0 } }, {}, ['arguments.budget.max_pages']],
      [{ background: 1 }, {}, ['arguments.background']],
      [{ engine: 'plain' }, {}, ['arguments.engine']],
      [{}, { webhook: { url: 'https://example.com' } }, ['webhook']],
      [{}, { priority: 'first' }, ['priority']],
    ];
    for (const [args, more, paths] of refused) {
      const problem = { status: 422, code: 'validation_failed', paths };
      expectProblem(await estimate(client, args, more), problem);
      const body = { research_question: QUESTION, ...args };
      expectProblem(await client.research(body, {}, more), problem);
    }
    const unknown = { previous_invocation_id: `inv_${'0'.repeat(32)}` };
    const { status, body } = await client.research(unknown);
    const reply = await estimate(client, unknown);
    expect([reply.status, reply.body.code]).toEqual([status, body.code]);
    expect(status).toBeGreaterThanOrEqual(400);
  });

  it('is of deep_research alone, and needs its scope', async () => {
    const others = ['get_current_datetime', 'chat', 'no_such_tool'];
    for (const tool_name of others)
      expectProblem(await estimate(client, {}, { tool_name }), {
        status: 422,
        code: 'validation_failed',
        paths: ['tool_name'],
      });
    const dave = await user('dave', ['tools:*']);
    expectProblem(await estimate(dave), {
      status: 403,
      code: 'insufficient_scope',
    });
    expectProblem(await estimate(stand.client()), {
      status: 401,
      code: 'missing_api_key',
    });
  });
});

describe('the estimate of research by an endpoint', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start();
  });
  afterAll(() => stand.stop());

  it('has its model and its time, and null for what is not known', async () => {
    const { status, body } = await estimate(stand.client());
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        tool_name: 'deep_research',
        engine: 'hosted',
        depth: null,
        limits: { ...NO_LIMITS, max_seconds: expect.any(Number) },
        models: [
          {
            model: 'o3-deep-research',
            roles: [],
            input_usd_per_million: null,
            output_usd_per_million: null,
          },
        ],
        typical: null,
        estimated_depth: null,
        estimate: null,
        budget_left: null,
      },
    });
    expect((await stand.stats()).creates).toBe(0);
  });
});
