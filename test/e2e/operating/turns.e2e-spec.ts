import type { Client, Invocation } from '../../support/client';
import { keysCommand } from '../../support/processes/keys-command';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

/** A run that continues at the upstream until it is cancelled. */
const ENDLESS = { kind: 'stay', status: 'in_progress', count: 0 };
const AGENT_STAYS = {
  kind: 'hang',
  match: { body: 'research_plan' },
  count: 0,
};

/** Of the keys, by name. */
const SETTINGS = {
  alice: {},
  bob: {},
  carol: { weight: 3 },
  erin: { precedence: true },
  frank: { limits: { concurrent_research: 1 } },
};
type Name = keyof typeof SETTINGS;

describe('keys that share one place of a model and one of the agent', () => {
  const clients = {} as Record<Name, Client>;
  const submitted = new Map<string, { name: string; run: Invocation }>();
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({
      workers: 0,
      searchesSandbox: true,
      env: {
        RELAY_REQUIRE_KEYS: 'true',
        RESEARCH_MODEL_LIMITS: '*:1',
        RESEARCH_AGENT_CONCURRENCY: '1',
        RELAY_AGENT_MODELS: 'writer:sandbox-plain',
      },
    });
    const { body: root } = await keysCommand(
      { REDIS_URL: stand.redis.url, RELAY_REQUIRE_KEYS: 'true' },
      'create',
      'root',
      '--scopes',
      'admin',
    );
    const admin = stand.client().as(root.key);
    for (const [name, settings] of Object.entries(SETTINGS)) {
      const key = { name, scopes: ['research', 'read'], ...settings };
      const { body } = await admin.post('/admin/api/keys', key);
      clients[name as Name] = stand.client().as(body.key);
    }
    // It knows all keys from its start.
    await stand.addWorker();
  });
  afterAll(() => stand.stop());
  beforeEach(async () => {
    await stand.fault(ENDLESS);
    await stand.fault(AGENT_STAYS);
  });
  afterEach(async () => {
    const all = [...submitted.values()];
    await Promise.all(all.map(({ run }) => run.cancel()));
    await Promise.all(all.map(({ run }) => run.wait()));
    submitted.clear();
    // A place is free a moment after its run has ended; then no key is ahead of another.
    const shared = ['KEYS', 'sonde:{admission}:*'] as const;
    await until(
      'all places to be free',
      async (saw) =>
        saw((await stand.redis.call(...shared)) as []).length === 0,
    );
    await stand.reset();
  });

  const submit = async (
    key: Name,
    count: number,
    priority = 'normal',
    args: object = {},
  ): Promise<Invocation[]> => {
    const runs: Invocation[] = [];
    for (let n = 0; n < count; n += 1) {
      const run = await clients[key].submit({ ...args }, { priority });
      const name = priority === 'normal' ? key : `${key}, ${priority}`;
      submitted.set(run.id, { name, run });
      runs.push(run);
    }
    return runs;
  };
  /** Whatever has begun since the last reset, in this order. */
  const begun = async () =>
    Object.keys((await stand.stats()).creates_by_invocation);
  const occupy = async (key: Name) => {
    await submit(key, 1);
    await until(
      'one run to have begun',
      async (saw) => saw(await begun()).length === 1,
    );
  };
  /** Ends one run after another, and returns whose runs got the place. */
  const serve = async (times: number): Promise<string[]> => {
    const names: string[] = [];
    for (let n = 0; n < times; n += 1) {
      const before = await begun();
      await submitted.get(before.at(-1)!)!.run.cancel();
      const id = await until(
        'the next run to begin',
        async (saw) => saw(await begun())[before.length],
      );
      names.push(submitted.get(id)!.name);
    }
    return names;
  };
  const submitToAgent = (key: Name, count: number) =>
    submit(key, count, 'normal', { engine: 'agent', depth: 'quick' });
  const statusOf = async (run: Invocation) => (await run.read()).status;
  const isRunning = async (run: Invocation) =>
    (await statusOf(run)) === 'running';
  const running = (run: Invocation) =>
    until(
      'the run to be running',
      async (saw) => saw(await statusOf(run)) === 'running',
    );
  /** Those of them that have begun. */
  const runningOf = async (runs: Invocation[]) => {
    const all = await Promise.all(runs.map(statusOf));
    return all.filter((status) => status === 'running').length;
  };
  const positionOf = async (run: Invocation) =>
    (await run.read()).queue_position;

  it('begin their first run with the next place, however many runs of another key wait', async () => {
    await occupy('alice');
    const ofAlice = await submit('alice', 60);
    const [ofBob] = await submit('bob', 1);
    expect(await positionOf(ofBob)).toBe(1);
    expect(await positionOf(ofAlice[59])).toBe(60);
    expect(await serve(3)).toEqual(['bob', 'alice', 'alice']);
    expect(await positionOf(ofAlice[59])).toBe(58);
  });

  it('get places by weight', async () => {
    await occupy('erin');
    await submit('alice', 3);
    await submit('bob', 3);
    await submit('carol', 7);
    for (let round = 0; round < 2; round += 1)
      expect((await serve(5)).toSorted()).toEqual([
        'alice',
        'bob',
        'carol',
        'carol',
        'carol',
      ]);
  });

  it('order their own runs by priority, and rise above others only with precedence', async () => {
    await occupy('alice');
    await submit('alice', 1, 'low');
    const [normal] = await submit('alice', 1);
    await submit('bob', 2);
    await submit('alice', 2, 'high');
    expect(await positionOf(normal)).toBe(3);
    const served = await serve(4);
    expect(served.filter((name) => name === 'bob')).toHaveLength(2);
    expect(served.filter((name) => name !== 'bob')).toEqual([
      'alice, high',
      'alice, high',
    ]);
    await submit('bob', 1);
    await submit('erin', 1);
    await submit('erin', 2, 'high');
    expect(await serve(2)).toEqual(['erin, high', 'erin, high']);
    const rest = await serve(4);
    expect(rest.toSorted()).toEqual(['alice', 'alice, low', 'bob', 'erin']);
    expect(rest.at(-1)).toBe('alice, low');
  });

  it('take turns at the places of the agent', async () => {
    const [first] = await submitToAgent('alice', 1);
    await running(first);
    const ofAlice = await submitToAgent('alice', 20);
    const ofBob = await submitToAgent('bob', 2);
    await first.cancel();
    await running(ofBob[0]);
    expect(await runningOf([...ofAlice, ...ofBob])).toBe(1);
    await ofBob[0].cancel();
    // Both keys have had one place: which of them comes first now is up to their ids.
    const next = [ofAlice[0], ofBob[1]];
    await until(
      'one of the next runs to be running',
      async (saw) => saw(await runningOf(next)) === 1,
    );
    const [isAlice] = await Promise.all(next.map(isRunning));
    await next[isAlice ? 0 : 1].cancel();
    await running(next[isAlice ? 1 : 0]);
    expect(await runningOf([...ofAlice, ...ofBob])).toBe(1);
    expect(await positionOf(ofAlice[19])).toBe(19);
  });

  it('wait at their own limit without a place, and others pass', async () => {
    const [hosted] = await submit('frank', 1);
    await running(hosted);
    const [agent] = await submitToAgent('frank', 1);
    await until('the run to wait at the limit of its key', async (saw) =>
      saw(await agent.read()).progress?.last_step?.startsWith(
        'The API key has',
      ),
    );
    const [ofAlice] = await submitToAgent('alice', 1);
    await running(ofAlice);
    await Promise.all([hosted.cancel(), ofAlice.cancel()]);
    await running(agent);
  });

  it('take turns where only a worker limits how many run', async () => {
    await stand.replaceWorkers({
      RESEARCH_CONCURRENCY: '1',
      RESEARCH_MODEL_LIMITS: '',
    });
    await occupy('alice');
    await submit('alice', 30);
    await submit('bob', 2);
    const [first, ...then] = await serve(3);
    expect(first).toBe('bob');
    // Which of two that have had as many places comes first is up to their ids.
    expect(then.toSorted()).toEqual(['alice', 'bob']);
  });
});
