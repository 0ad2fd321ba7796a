import { createHash } from 'node:crypto';
import { startAgentStand, startVictim } from '../../support/agent/agent-stand';
import { JOURNAL_OF_VERSION_1 } from '../../support/agent/journal-of-version-1';
import type { Client, Invocation } from '../../support/client';
import { waitForEnd } from '../../support/event-log';
import type { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const KIMCHI =
  'What is the history of kimchi, of jajangmyeon, of haenyeo and of coffee?';
const ALICE = 'alice-s-key';
const BOB = 'bob-s-key';
/** Steps whose results a run passes on. */
const PASSED_ON = /^(scope|plan|search|page|read)[:~]?/;

const sha256 = (text: string) =>
  createHash('sha256').update(text).digest('hex');

interface Step {
  input: string;
  attempt?: number;
  decided?: boolean;
}

describe('a run of the agent that ended at a limit', () => {
  let stand: Stand;
  let alice: Client;
  let bob: Client;
  let anonymous: Client;
  let earlier: Invocation;
  // oxlint-disable-next-line typescript/no-explicit-any
  let parent: any;

  beforeAll(async () => {
    stand = await startAgentStand({
      env: {
        RELAY_API_KEYS: `alice:${sha256(ALICE)},bob:${sha256(BOB)}`,
      },
    });
    anonymous = stand.client();
    alice = anonymous.as(ALICE);
    bob = anonymous.as(BOB);
    await stand.addWorker();
    earlier = await limited();
    parent = await waitForEnd(earlier);
  });
  afterAll(() => stand.stop());

  const limited = (args: object = {}) =>
    alice.submit({
      research_question: KIMCHI,
      depth: 'standard',
      budget: { max_pages: 1 },
      ...args,
    });
  const goOn = (
    of: Invocation,
    body: unknown = { budget: { max_pages: 2 } },
    client = alice,
    headers: Record<string, string> = {},
  ) => client.post(`${of.path}/continue`, body, headers);
  const child = async (of: Invocation, body?: unknown) => {
    const reply = await goOn(of, body);
    expect(reply).toMatchObject({ status: 202, body: { status: 'queued' } });
    return alice.invocation(
      reply.body.invocation_id,
      reply.body.invocation_token,
    );
  };
  /** Settled steps of the run's own, by key. */
  const stepsOf = async ({ id }: Invocation): Promise<[string, Step][]> => {
    const key = `sonde:{${id}}:journal`;
    const flat = (await stand.redis.call('HGETALL', key)) as string[];
    const keys = flat.filter((_, at) => at % 2 === 0);
    return keys
      .filter((one) => PASSED_ON.test(one) && !one.includes('#'))
      .map((one): [string, Step] => [
        one,
        JSON.parse(flat[flat.indexOf(one) + 1]) as Step,
      ])
      .filter(([, { attempt, decided }]) => attempt !== undefined && !decided);
  };
  const inputs = (steps: [string, Step][]) =>
    steps.map(([key, { input }]) => `${/^[a-z]+/.exec(key)![0]} ${input}`);
  /** So that a search or page that is bought again is seen at the sandbox. */
  const forgetCaches = async () => {
    const keys = (await stand.redis.call('KEYS', 'sonde:*cache*')) as string[];
    const pages = (await stand.redis.call('KEYS', 'sonde:page*')) as string[];
    for (const key of [...keys, ...pages]) await stand.redis.call('DEL', key);
  };

  it('is continued with its plan as it was edited, which is not reviewed again', async () => {
    const reviewed = await limited({ plan: 'review' });
    await until(
      'the plan to require a review',
      async (saw) => saw(await reviewed.read()).status === 'requires_action',
    );
    const directions = [
      { title: 'Kimchi', queries: ['history of kimchi'] },
      { title: 'Coffee', queries: ['history of coffee'] },
    ];
    const decision = { approve: true, plan: { directions } };
    const { status } = await alice.post(`${reviewed.path}/plan`, decision);
    expect(status).toBe(202);
    expect(await waitForEnd(reviewed)).toMatchObject({
      limits_reached: ['max_pages'],
    });
    expect(await waitForEnd(await child(reviewed))).toMatchObject({
      status: 'completed',
      continued_from: reviewed.id,
      plan: { directions },
      required_action: null,
    });
  });

  it('continues as a run of its own that buys nothing of it again', async () => {
    expect(parent).toMatchObject({
      status: 'completed',
      limits_reached: ['max_pages'],
      continued_from: null,
      inherited: null,
    });
    await forgetCaches();
    const before = await stand.stats();
    const requests = (await stand.requests(5_000)).length;
    const next = await child(earlier);
    const record = await waitForEnd(next);
    expect(record).toMatchObject({
      status: 'completed',
      engine: 'agent',
      continued_from: earlier.id,
      inherited: { usage: parent.usage, cost_usd: null },
      question: KIMCHI,
      mode: 'background',
    });
    const own = inputs(await stepsOf(next));
    const bought = new Set(inputs(await stepsOf(earlier)));
    expect(bought.size).toBeGreaterThan(5);
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter((one) => bought.has(one))).toEqual([]);
    // As the model, the search engine and the web saw it.
    const roles = (await stand.requests(5_000))
      .slice(requests)
      .map(({ body }) => JSON.stringify(body));
    expect(
      roles.filter((body) => /research_(scope|plan)\b/.test(body)),
    ).toEqual([]);
    const paths = (await stand.stats()).requests
      .slice(before.requests.length)
      .map(({ path }) => path);
    const searched = paths.filter((path) => path.startsWith('/search'));
    expect(searched).toHaveLength(record.progress.searches);
    const read = parent.sources.map(
      ({ url }: { url: string }) => new URL(url).pathname,
    );
    expect(paths.filter((path) => read.includes(path))).toEqual([]);
    // Its budget is its own, and the notes of both are in the report.
    const { pages_opened } = record.progress;
    expect([1, 2]).toContain(pages_opened);
    const listed = record.sources.map(({ url }: { url: string }) => url);
    expect(listed).toEqual(
      expect.arrayContaining(
        parent.sources.map(({ url }: { url: string }) => url),
      ),
    );
    expect(listed).toHaveLength(1 + pages_opened);
    expect(await earlier.read()).toEqual(parent);
  });

  it('whose endpoint refuses to write on keeps what it has, says what is missing, and is continued from there', async () => {
    // The third section, and all that are written after it: the answer is the last.
    await stand.fault({
      kind: 'status',
      status: 402,
      match: { body: String.raw`\"index\":2,` },
      count: 0,
    });
    const broken = await limited({ budget: undefined });
    const record = await waitForEnd(broken);
    expect(record).toMatchObject({
      status: 'incomplete',
      error: { code: 'upstream_quota_exceeded' },
      error_message: expect.stringMatching(
        /Not written, with their notes instead: sections 1, 3(, \d)* of \d/,
      ),
    });
    const { body } = await alice.get(`${broken.path}/evidence`);
    expect(
      body.sections.map((one: { unwritten?: true }) => one.unwritten ?? false),
    ).toEqual([true, false, ...Array(body.sections.length - 2).fill(true)]);
    const headings = record.output_text.match(/^## /gm) ?? [];
    expect(headings.length).toBeGreaterThan(0);
    for (const format of ['md', 'html', 'json']) {
      const file = await alice.get(`${broken.path}/report?format=${format}`);
      expect(JSON.stringify(file.body)).toContain('Not written');
    }
    await stand.clearFaults();
    const before = (await stand.requests(5_000)).length;
    const next = await child(broken, { budget: { max_seconds: 600 } });
    expect(await waitForEnd(next)).toMatchObject({
      status: 'completed',
      error: null,
      continued_from: broken.id,
    });
    const bodies = (await stand.requests(5_000))
      .slice(before)
      .map(({ body }) => JSON.stringify(body));
    const asked = bodies.filter((body) => /research_section/.test(body));
    expect(asked.join()).toMatch(/index\\+":2,/);
    expect(asked.join()).not.toMatch(/index\\+":1,/);
    expect(bodies.join()).not.toMatch(/research_(scope|plan|outline)\b/);
  });

  it('continues once more from where the second run ended, and survives the deletion of both', async () => {
    const first = await child(earlier, { budget: { max_pages: 1 } });
    const middle = await waitForEnd(first);
    expect(middle.limits_reached).toEqual(['max_pages']);
    const second = await child(first, { budget: { max_pages: 1 } });
    await alice.request('DELETE', first.path);
    const record = await waitForEnd(second);
    expect(record).toMatchObject({
      status: 'completed',
      continued_from: first.id,
    });
    expect(record.inherited.usage.total_tokens).toBe(
      parent.usage.total_tokens + middle.usage.total_tokens,
    );
    expect(record.sources).toHaveLength(3);
    const bought = new Set(inputs(await stepsOf(earlier)));
    expect(
      inputs(await stepsOf(second)).filter((one) => bought.has(one)),
    ).toEqual([]);
    await alice.request('DELETE', second.path);
    expect((await goOn(second)).body.code).toBe('invocation_not_found');
    expect(await earlier.read()).toEqual(parent);
  });

  it('continues through the death of a worker, with nothing bought twice', async () => {
    const calm = await waitForEnd(await child(earlier));
    await stand.killWorkers();
    const next = await child(earlier);
    const victim = startVictim(stand, { [next.id]: 'after:outline' });
    await victim.end();
    await stand.expireLeases(next);
    await stand.addWorker();
    const record = await waitForEnd(next);
    expect(record).toMatchObject({
      status: 'completed',
      output_text: calm.output_text,
      usage: calm.usage,
    });
    const own = inputs(await stepsOf(next));
    expect(new Set(own).size).toBe(own.length);
  });

  it('is never carried out without all that it is to inherit', async () => {
    await stand.killWorkers();
    const next = await child(earlier);
    const key = `sonde:{${next.id}}:journal`;
    const fields = (await stand.redis.call('HKEYS', key)) as string[];
    const some = fields.find((field) => field.startsWith('inherited:read'))!;
    await stand.redis.call('HDEL', key, some);
    await stand.addWorker();
    expect(await waitForEnd(next)).toMatchObject({
      status: 'failed',
      error: { code: 'journal_expired' },
    });
  });

  it('is begun anew if an upgrade has ended it whose release reads its steps no more, with a budget that is enough', async () => {
    await stand.killWorkers();
    const old = await limited({ budget: undefined });
    const key = `sonde:{${old.id}}:journal`;
    for (const [field, entry] of Object.entries(JOURNAL_OF_VERSION_1))
      await stand.redis.call('HSET', key, field, JSON.stringify(entry));
    await stand.addWorker();
    const ended = await waitForEnd(old);
    expect(ended).toMatchObject({
      status: 'failed',
      error: { code: 'agent_version_unknown' },
      usage: { total_tokens: 2_700 },
    });
    const poor = await goOn(old, { budget: { max_tokens: 2_000 } });
    expect(poor.body.errors).toMatchObject([{ path: 'budget.max_tokens' }]);
    const record = await waitForEnd(await child(old));
    expect(record).toMatchObject({
      status: 'completed',
      question: KIMCHI,
      continued_from: old.id,
      inherited: null,
    });
    expect(record.sources).not.toContainEqual(
      expect.objectContaining({ url: 'https://example.com/kimchi' }),
    );
    expect(await old.read()).toEqual(ended);
  });

  it('is repeated with its Idempotency-Key, and refused with another budget', async () => {
    const headers = { 'idempotency-key': 'go-on' };
    const body = { budget: { max_pages: 1 } };
    const first = await goOn(earlier, body, alice, headers);
    const again = await goOn(earlier, body, alice, headers);
    expect(again.body.invocation_id).toBe(first.body.invocation_id);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = await goOn(
      earlier,
      { budget: { max_pages: 2 } },
      alice,
      headers,
    );
    expect(other.body.code).toBe('idempotency_mismatch');
    const another = await goOn(earlier, body);
    expect(another.body.invocation_id).not.toBe(first.body.invocation_id);
  });

  it('is continued with the key of its caller alone, to whom the new run belongs', async () => {
    const codeFor = async (client: Client, headers?: Record<string, string>) =>
      (await goOn(earlier, undefined, client, headers)).body.code;
    expect(await codeFor(bob)).toBe('invocation_not_found');
    // Its token opens it to whoever has it, but buys nothing at its caller's expense.
    expect((await bob.get(earlier.path, earlier.headers)).status).toBe(200);
    expect(await codeFor(bob, earlier.headers)).toBe('invocation_not_found');
    expect(await codeFor(anonymous)).toBe('missing_api_key');
    expect(await codeFor(anonymous, earlier.headers)).toBe('missing_api_key');
    const next = await child(earlier);
    expect((await alice.get(next.path)).status).toBe(200);
    expect((await bob.get(next.path)).status).toBe(404);
  });

  describe('that a question follows up', () => {
    const followUp = (more: object, client = alice) =>
      client.submit({
        research_question: 'And what is it made of?',
        previous_invocation_id: earlier.id,
        ...more,
      });
    const bodies = async () =>
      (await stand.requests(5_000)).map(({ body }) => JSON.stringify(body));

    it('is shown to the model endpoint, with its sources', async () => {
      const before = (await bodies()).length;
      const record = await waitForEnd(await followUp({ engine: 'hosted' }));
      expect(record).toMatchObject({ status: 'completed', engine: 'hosted' });
      const shown = (await bodies()).slice(before).join();
      expect(shown).toContain('Earlier report');
      expect(shown).toContain(KIMCHI);
      expect(shown).toContain(parent.sources[0].url);
    });

    it('is shown to those roles of the agent that decide what is searched, as data', async () => {
      const before = (await bodies()).length;
      const record = await waitForEnd(await followUp({ depth: 'quick' }));
      expect(record).toMatchObject({ engine: 'agent' });
      const shown = (await bodies()).slice(before);
      const roles = shown.filter((body) =>
        body.includes('data name=\\"previous\\"'),
      );
      expect(roles.length).toBeGreaterThan(1);
      for (const body of roles) {
        expect(body).toContain(parent.sources[0].url);
        expect(body).toMatch(/research_(scope|plan)/);
      }
    });

    it('is refused alike if it is unknown, of another tool or of another caller', async () => {
      const refusal = async (client: Client, previous_invocation_id: string) =>
        (await client.research({ previous_invocation_id })).body;
      const { body } = await alice.post('/api/v1/tool-invocations', {
        tool_name: 'get_current_datetime',
        arguments: {},
      });
      const refused = await Promise.all([
        refusal(alice, 'inv_00000000000070008000000000000000'),
        refusal(alice, '../x'),
        refusal(alice, body.invocation_id),
        refusal(bob, earlier.id),
      ]);
      for (const { code, detail, errors } of refused) {
        expect(code).toBe('validation_failed');
        expect(detail).toBe(refused[0].detail);
        expect(errors).toEqual(refused[0].errors);
      }
      expect(refused[0].errors).toMatchObject([
        { path: 'arguments.previous_invocation_id' },
      ]);
    });
  });

  it.each([
    [{}, 'budget'],
    [{ budget: {} }, 'budget'],
    [{ budget: { max_pages: 0 } }, 'budget.max_pages'],
    [{ budget: { max_pages: -1, max_cats: 1 } }, 'budget.max_cats'],
    [{ budget: { max_cost_usd: 1 } }, 'budget.max_cost_usd'],
    [{ budget: { max_pages: 1 }, engine: 'hosted' }, 'engine'],
  ])('is refused with %j, which names %s', async (body, path) => {
    const reply = await goOn(earlier, body);
    expect(reply).toMatchObject({
      status: 422,
      body: { code: 'validation_failed' },
    });
    const paths = reply.body.errors.map((one: { path: string }) => one.path);
    expect(paths).toContain(path);
  });

  it('is refused where there is nothing to continue', async () => {
    const refusal = async (of: Invocation) => (await goOn(of)).body.code;
    const complete = await limited({ budget: undefined, depth: 'quick' });
    await waitForEnd(complete);
    expect(await refusal(complete)).toBe('not_continuable');
    const plain = await alice.post('/api/v1/tool-invocations', {
      tool_name: 'get_current_datetime',
      arguments: {},
    });
    expect(await refusal(alice.invocation(plain.body.invocation_id, ''))).toBe(
      'not_continuable',
    );
    const purged = await limited({ budget: { max_pages: 1 } });
    await waitForEnd(purged);
    await stand.redis.call('DEL', `sonde:{${purged.id}}:journal`);
    expect(await refusal(purged)).toBe('journal_expired');
    await stand.killWorkers();
    const queued = await limited();
    expect(await refusal(queued)).toBe('invocation_not_ended');
    const early = await alice.research({ previous_invocation_id: queued.id });
    expect(early.body.errors).toMatchObject([
      { path: 'arguments.previous_invocation_id' },
    ]);
    const version = JSON.stringify({
      input: 'decision',
      attempt: 0,
      value: '0',
      decided: true,
    });
    await stand.redis.call(
      'HSET',
      `sonde:{${earlier.id}}:journal`,
      'agent_version',
      version,
    );
    expect(await refusal(earlier)).toBe('agent_version_unknown');
  });
});
