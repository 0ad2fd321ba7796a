import { priceFile } from '../../support/price-table';
import type { Client, Invocation } from '../../support/client';
import { waitForEnd } from '../../support/event-log';
import { startAgentStand } from '../../support/agent/agent-stand';
import { expectProblem } from '../../support/problem';
import { keysCommand } from '../../support/processes/keys-command';
import { sameDay } from '../../support/processes/preload';
import type { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const USAGE = '/api/v1/usage';
const CHAT = '/api/v1/chat';
const PRICE = { inputPerMillion: 10, outputPerMillion: 100 };
const RESEARCH = { research_question: 'kimchi', depth: 'quick' };
const NANO = 1e9;

interface Key {
  id: string;
  client: Client;
}

describe('the money of API keys', () => {
  const prices = priceFile({ '*': PRICE });
  let stand: Stand;
  let admin: Client;

  beforeAll(async () => {
    stand = await startAgentStand({
      env: {
        ...sameDay(),
        RELAY_REQUIRE_KEYS: 'true',
        RELAY_PRICES_CONFIG: prices.path,
      },
    });
    await stand.addWorker();
    const { body } = await keysCommand(
      { REDIS_URL: stand.redis.url, RELAY_REQUIRE_KEYS: 'true' },
      'create',
      'root',
      '--scopes',
      'admin',
    );
    admin = stand.client().as(body.key);
  });
  afterAll(async () => {
    await stand.stop();
    prices.remove();
  });

  const user = async (name: string, more: object = {}): Promise<Key> => {
    const key = { name, scopes: ['chat', 'research', 'read'], ...more };
    const { body } = await admin.post('/admin/api/keys', key);
    return { id: body.id, client: stand.client().as(body.key) };
  };
  const usage = async ({ client }: Key) => (await client.get(USAGE)).body;
  /** As an administrator would; the API knows it before this resolves. */
  const setBudget = async (key: Key, budget: object): Promise<void> => {
    const { id } = key;
    const json = await stand.redis.call('HGET', 'sonde:keys', id);
    const stored = JSON.stringify({ ...JSON.parse(String(json)), budget });
    await stand.redis.call('HSET', 'sonde:keys', id, stored);
    await stand.redis.call('HINCRBY', 'sonde:keys', '#version', '1');
    const limits = { day_usd: null, month_usd: null, ...budget };
    await until('the API to know the budget', async (saw) => {
      const { budget: shown } = saw(await usage(key));
      return (
        shown.day.limit_usd === limits.day_usd &&
        shown.month.limit_usd === limits.month_usd
      );
    });
  };
  const chat = ({ client }: Key, more: object = {}) =>
    client.post(CHAT, { message: 'Hello!', ...more });
  const invoke = ({ client }: Key) =>
    client.research({ background: true, ...RESEARCH });
  const research = async ({ client }: Key, args: object = {}) => {
    const run: Invocation = await client.submit({ ...RESEARCH, ...args });
    return waitForEnd(run);
  };
  /** A worker that knows a later budget knows all earlier ones. */
  const workerKnows = () =>
    until('a worker to know the budgets', async (saw) => {
      const probe = await user('probe');
      await setBudget(probe, { day_usd: 1 / NANO });
      const { limits_reached } = saw(await research(probe));
      return limits_reached?.includes('key_budget');
    });
  const nano = (usd: number) => Math.round(usd * NANO);
  const settled = (key: Key, usd: number) =>
    until(
      `the usage of the key to be ${usd} USD`,
      async (saw) => nano(saw(await usage(key)).cost_usd) === nano(usd),
    );

  it('are counted by day, kind and model, and are the sum of what replies and records say', async () => {
    const key = await user('sums');
    const plain = await chat(key);
    const background = await chat(key, { background: true });
    expect([plain.status, background.status]).toEqual([200, 202]);
    const path = `${CHAT}/${background.body.chat_id}`;
    await until('the chat to be completed', async (saw) => {
      const { status } = saw((await key.client.get(path)).body);
      return status === 'completed';
    });
    const ended = (await key.client.get(path)).body;
    const { cost: ofRun, usage: tokens } = await research(key);
    const chats = plain.body.cost.spent + ended.cost.spent;
    await settled(key, chats + ofRun.spent);
    const { data, budget, from, to } = await usage(key);
    expect([data.length, data[0].date, from < to]).toEqual([1, to, true]);
    const [ofChats, ofResearch] = data[0].usage;
    expect(ofChats).toMatchObject({ kind: 'chat', count: 2, unknown_cost: 0 });
    expect(nano(ofChats.cost_usd)).toBe(nano(chats));
    expect(ofResearch).toMatchObject({
      kind: 'research',
      count: 1,
      unknown_cost: 0,
      input_tokens: tokens.input_tokens,
      output_tokens: tokens.output_tokens,
      cost_usd: ofRun.spent,
    });
    expect(budget.day).toMatchObject({
      limit_usd: null,
      spent_usd: data[0].cost_usd,
      reserved_usd: 0,
    });
  });

  it('of a run that is removed before its end count too', async () => {
    const key = await user('removed');
    await stand.fault({ kind: 'hang', match: { body: 'research_plan' } });
    const run: Invocation = await key.client.submit(RESEARCH);
    let spent = 0;
    await until(
      'the run to have spent something',
      async (saw) => (spent = saw(await run.read()).cost?.spent ?? 0) > 0,
    );
    await run.remove();
    await until(
      `the usage of the key to be at least ${spent} USD`,
      async (saw) => saw(await usage(key)).cost_usd >= spent,
    );
    expect(nano((await usage(key)).cost_usd)).toBeGreaterThanOrEqual(
      nano(spent),
    );
  });

  it.each([
    ['day', { day_usd: 1e-9 }],
    ['month', { month_usd: 1e-9 }],
  ])(
    'end with the budget of the %s: nothing new begins, until it is raised',
    async (period, budget) => {
      const key = await user(`${period}-budget`);
      const other = await user(`${period}-other`);
      await setBudget(other, budget);
      await setBudget(key, budget);
      const first = await chat(key);
      expect(first.status).toBe(200);
      await settled(key, first.body.cost.spent);
      const { resets_at } = (await usage(key)).budget[period];
      const refusals = [
        () => chat(key),
        () => chat(key, { stream: true }),
        () => chat(key, { background: true }),
        () => invoke(key),
      ];
      await until(
        'a chat to be refused for the budget',
        async (saw) => saw(await chat(key)).status === 402,
      );
      for (const refused of refusals) {
        const more = { limit: `budget.${period}_usd`, resets_at };
        const refusal = { status: 402, code: 'budget_exceeded', more };
        expectProblem(await refused(), refusal);
      }
      expect((await chat(other)).status).toBe(200);
      await setBudget(key, { [`${period}_usd`]: 5 });
      expect((await chat(key)).status).toBe(200);
      expect((await invoke(key)).status).toBe(202);
    },
  );

  it('are never passed by runs of the agent, which end with what they have, and continue once the budget is raised', async () => {
    const free = await user('free');
    const whole = await research(free);
    const key = await user('agents');
    // As limits are kept: in whole nano-dollars.
    const day_usd = nano(2.5 * whole.cost.spent) / NANO;
    await setBudget(key, { day_usd });
    await workerKnows();
    const submitted = await Promise.all(
      Array.from({ length: 6 }, () => key.client.submit(RESEARCH)),
    );
    const records = await Promise.all(submitted.map(waitForEnd));
    const spent = records.map(({ cost }) => nano(cost?.spent ?? 0));
    const sum = spent.reduce((total, one) => total + one, 0);
    await settled(key, sum / NANO);
    expect(sum).toBeLessThanOrEqual(nano(day_usd));
    expect((await usage(key)).budget.day.reserved_usd).toBe(0);
    const at = records.findIndex(
      ({ limits_reached }) => limits_reached?.[0] === 'key_budget',
    );
    expect(records[at]).toBeDefined();
    await setBudget(key, { day_usd: 100 });
    await workerKnows();
    const { path, headers } = submitted[at];
    const body = { budget: { max_pages: 5 } };
    const more = await key.client.post(`${path}/continue`, body, headers);
    expect(more.status).toBe(202);
    const { invocation_id, invocation_token } = more.body;
    const next = key.client.invocation(invocation_id, invocation_token);
    const { cost } = await waitForEnd(next);
    expect(cost.spent).toBeGreaterThan(0);
    await settled(key, (sum + nano(cost.spent)) / NANO);
  });

  it('have accepted runs of the endpoint wait without a place, which begin once the budget is raised', async () => {
    const limits = { concurrent_research: 1 };
    const key = await user('waiting', { limits });
    await setBudget(key, { day_usd: 1 / NANO });
    await workerKnows();
    const submit = () =>
      key.client.submit({ ...RESEARCH, depth: undefined, engine: 'hosted' });
    const [first, second] = [await submit(), await submit()];
    expect((await waitForEnd(first)).status).toBe('completed');
    await until('the second run to wait for the budget', async (saw) => {
      const { progress } = saw(await second.read());
      return progress?.last_step?.startsWith('The budget of the API key');
    });
    const { creates_by_invocation: creates } = await stand.stats();
    expect(creates).not.toHaveProperty(second.id);
    await setBudget(key, { day_usd: 100 });
    expect((await waitForEnd(second)).status).toBe('completed');
  });

  it.each([
    ['cancelled', (run: Invocation) => run.cancel()],
    ['removed', (run: Invocation) => run.remove()],
  ])(
    'of runs of the endpoint that are %s before their end, and after their text was read, count as such runs cost',
    async (what, end) => {
      const key = await user(`read-and-${what}`);
      const hosted = { ...RESEARCH, depth: undefined, engine: 'hosted' };
      const whole = await waitForEnd(await key.client.submit(hosted));
      await settled(key, whole.cost.spent);
      await setBudget(key, { day_usd: (3 * nano(whole.cost.spent)) / NANO });
      await stand.fault({ kind: 'slow', ms: 3_000, count: 0 });
      let begun = 0;
      for (let at = 0; at < 8; at += 1) {
        const before = (await usage(key)).cost_usd;
        const reply = await key.client.research({
          background: true,
          ...hosted,
        });
        if (reply.status === 402) continue;
        begun += 1;
        const { invocation_id, invocation_token } = reply.body;
        const run = key.client.invocation(invocation_id, invocation_token);
        for await (const { event } of run.follow())
          if (event === 'output_text') break;
        await end(run);
        await until(
          'the usage of the key to have the run',
          async (saw) => saw(await usage(key)).cost_usd > before,
        );
      }
      await stand.clearFaults();
      expect(begun).toBe(2);
      const [{ usage: lines }] = (await usage(key)).data;
      expect(lines).toEqual([
        expect.objectContaining({ count: 3, unknown_cost: 0 }),
      ]);
    },
  );

  it('of a run whose worker is killed are counted once, and nothing stays reserved', async () => {
    const key = await user('killed');
    await setBudget(key, { day_usd: 100 });
    await workerKnows();
    await stand.fault({ kind: 'hang', match: { body: 'research_plan' } });
    const run: Invocation = await key.client.submit(RESEARCH);
    await until('a cost and a reservation of the run', async (saw) => {
      const { budget, cost_usd } = saw(await usage(key));
      return cost_usd > 0 && budget.day.reserved_usd > 0;
    });
    await stand.killWorkers();
    await stand.clearFaults();
    await stand.addWorker();
    const { status, cost, steps } = await waitForEnd(run);
    expect([status, steps.ambiguous]).toEqual(['completed', ['plan#1']]);
    await settled(key, cost.spent);
    expect((await usage(key)).budget.day.reserved_usd).toBe(0);
  });

  it('are shown to their key, and all to an administrator', async () => {
    const key = await user('shown');
    await chat(key);
    await until(
      'the key to have a cost',
      async (saw) => saw(await usage(key)).cost_usd > 0,
    );
    const own = await usage(key);
    const path = `/admin/api/keys/${key.id}/usage`;
    expect((await admin.get(path)).body).toEqual(own);
    const { data } = (await admin.get('/admin/api/usage')).body;
    const listed = data.find(
      ({ key_id }: { key_id: string }) => key_id === key.id,
    );
    expect(listed).toEqual({
      key_id: key.id,
      name: 'shown',
      budget: own.budget,
    });
    const forbidden = { status: 403, code: 'insufficient_scope' };
    expectProblem(await key.client.get(path), forbidden);
    expectProblem(await key.client.get('/admin/api/usage'), forbidden);
    expectProblem(await admin.get('/admin/api/keys/@nobody/usage'), {
      status: 404,
      code: 'api_key_not_found',
    });
    expectProblem(await stand.client().get(USAGE), {
      status: 401,
      code: 'missing_api_key',
    });
  });

  it.each([
    ['from=yesterday', 'from'],
    ['from=2027-02-30&to=2027-03-01', 'from'],
    ['from=2027-02-02&to=2027-02-01', 'from'],
    ['from=2027-01-01&to=2027-04-03', 'from'],
    ['to=2027-13-01', 'to'],
    ['day=2027-01-01', 'day'],
  ])('cannot be asked for by %s', async (query, path) => {
    const { client } = await user('dates');
    const reply = await client.get(`${USAGE}?${query}`);
    expectProblem(reply, { status: 422, code: 'validation_failed' });
    expect(reply.body.errors[0].path).toBe(path);
  });
});
