import { all, Client, type Invocation, joined } from '../../support/client';
import { expectCitations } from '../../support/agent/agent-report';
import { deltaText, runChat } from '../../support/chat/chats';
import { expectCompleteLog, waitForEnd } from '../../support/event-log';
import { Service } from '../../support/processes/service';
import { Stand } from '../../support/processes/stand';
import { expectProblem } from '../../support/problem';
import { until } from '../../support/until';

const KIMCHI = 'What is the history of kimchi, and how is it made?';
const NO_SEARCH = { RELAY_SEARCH: '' };
const PLAIN = { LITELLM_MODEL: 'sandbox-plain' };

describe('what carries research', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({ searchesSandbox: true, apis: 0, workers: 0 });
  });
  afterAll(() => stand.stop());

  /** An installation with these settings, on the Redis of all others. */
  const installed = async (env: Record<string, string>): Promise<Client> => {
    const before = stand.apis.splice(0);
    await Promise.all(before.map((api) => api.stop()));
    stand.apis = [await Service.start('all-in-one', { ...stand.env, ...env })];
    await stand.reset();
    return stand.client();
  };
  const refused = async (client: Client, args: object, path: string) =>
    expectProblem(await client.research({ ...args }), {
      status: 422,
      code: 'validation_failed',
      paths: [path],
    });

  it.each([
    ['a model that searches', {}, 'hosted'],
    ['a model without a search, and with something to search', PLAIN, 'agent'],
    [
      'a model that is configured as plain, and with something to search',
      { LITELLM_MODEL: 'gpt-5.5', RELAY_MODEL_PROFILES: 'gpt-5.5:plain' },
      'agent',
    ],
    ['nothing that searches', { ...PLAIN, ...NO_SEARCH }, 'plain'],
  ])('with %s is decided by itself: %s', async (_, env, engine) => {
    const client = await installed(env);
    const record = (await client.research({ research_question: KIMCHI })).body;
    expect(record).toMatchObject({ status: 'completed', engine });
    expect(record.output_text).toMatch(/\S/);
    const { creates, requests } = await stand.stats();
    const paths = new Set(requests.map(({ path }) => path));
    expect(creates).toBe(engine === 'agent' ? 0 : 1);
    expect(paths.has('/pages/en/kimchi')).toBe(engine === 'agent');
    const isPlain = /Nothing was searched for this text/.test(
      record.output_text as string,
    );
    expect(isPlain).toBe(engine === 'plain');
    const { body } = await client.get('/health/ready');
    expect(JSON.stringify(body)).toContain(`engine: ${engine} (auto)`);
  });

  it('is refused by name where an engine cannot do it', async () => {
    await stand.reset();
    const searching = new Client((await stand.addApi()).url);
    await refused(searching, { engine: 'plain' }, 'arguments.engine');
    await refused(searching, { engine: 'swarm' }, 'arguments.engine');
    await refused(
      searching,
      { engine: 'agent', data_sources: 'private' },
      'arguments.data_sources',
    );
    await refused(
      searching,
      { engine: 'agent', budget: { max_pages: 0 } },
      'arguments.budget.max_pages',
    );
    await refused(
      searching,
      { engine: 'agent', depth: 'abyss' },
      'arguments.depth',
    );
    await refused(
      searching,
      { engine: 'agent', verify: 'maybe' },
      'arguments.verify',
    );
    const without = await stand.addApi({ ...PLAIN, ...NO_SEARCH });
    const bare = new Client(without.url);
    await refused(bare, { engine: 'agent' }, 'arguments.engine');
    await refused(bare, { engine: 'hosted' }, 'arguments.engine');
    const { requests } = await stand.stats();
    expect(requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it.each([
    ['depth', { depth: 'quick' }],
    ['verify', { verify: 'enforce' }],
    ['budget', { budget: { max_pages: 1 } }],
    ['plan', { plan: 'review' }],
  ])(
    'is the agent for %s, which is refused by name where there is none, at every door',
    async (name, wish) => {
      const path = `arguments.${name}`;
      const estimate = (client: Client) =>
        client.post('/api/v1/tool-invocations/estimate', {
          tool_name: 'deep_research',
          arguments: { research_question: KIMCHI, ...wish },
        });
      const both = new Client((await stand.addApi()).url);
      expect((await estimate(both)).body).toMatchObject({ engine: 'agent' });
      const submitted = await both.submit({
        research_question: KIMCHI,
        ...wish,
      });
      expect(await submitted.read()).toMatchObject({ engine: 'agent' });
      const hosted = new Client((await stand.addApi(NO_SEARCH)).url);
      const refusal = { status: 422, code: 'validation_failed' } as const;
      expectProblem(await estimate(hosted), { ...refusal, paths: [path] });
      await refused(hosted, wish, path);
      const called = await hosted.post(
        '/mcp',
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: {
            name: 'research',
            arguments: { research_question: KIMCHI, ...wish },
          },
        },
        { accept: 'application/json, text/event-stream' },
      );
      expect(JSON.stringify(called.body)).toContain(path);
    },
  );

  it('takes the effort of a request of OpenAI as the depth of the agent, and selects no engine by it', async () => {
    const ask = (client: Client) =>
      client.post('/v1/responses', {
        model: 'o3-deep-research',
        input: KIMCHI,
        background: true,
        reasoning: { effort: 'low' },
      });
    const engineOf = async (id: string) =>
      stand.redis.call('HMGET', `sonde:{inv_${id}}:record`, 'engine', 'depth');
    const of = async (env: Record<string, string>) => {
      const { url } = await stand.addApi(env);
      const { status, body } = await ask(new Client(url));
      expect(status).toBe(200);
      return engineOf(body.id.replace(/^resp_/, ''));
    };
    expect(await of({})).toEqual(['hosted', 'quick']);
    expect(await of(NO_SEARCH)).toEqual(['hosted', 'quick']);
    expect(await of({ RELAY_RESEARCH_ENGINE: 'agent' })).toEqual([
      'agent',
      'quick',
    ]);
  });

  describe('by the agent of an installation that wants it so', () => {
    let client: Client;

    beforeAll(async () => {
      client = await installed({
        RELAY_RESEARCH_ENGINE: 'agent',
        RELAY_AGENT_MODELS: 'writer:sandbox-plain',
      });
    });
    afterEach(() => stand.reset());

    const journal = ({ id }: Invocation) =>
      stand.redis.call('EXISTS', `sonde:{${id}}:journal`);
    /** Prompts that ask for a section of the answer to this question. */
    const sections = async (question: string) =>
      (await stand.requests()).filter(({ body }) => {
        const text = JSON.stringify(body);
        return text.includes('research_section') && text.includes(question);
      });
    /** A run whose first section is being written. */
    const writing = async () => {
      await stand.fault({
        kind: 'hang',
        match: { body: 'research_section' },
        count: 0,
      });
      const invocation = await client.submit({ research_question: KIMCHI });
      await until(
        'a section to be requested',
        async (saw) => saw(await sections(KIMCHI)).length > 0,
      );
      return invocation;
    };

    it.each(['plain', 'streamed', 'background'] as const)(
      'a %s chat has its research carried by the agent',
      async (mode) => {
        const { reply, frames, bytes } = await runChat(mode, client, {
          message: 'Research the history of kimchi in detail',
        });
        expect(reply.status).toBe('completed');
        expect(bytes).toContain(`${stand.sandbox.url}/pages/en/kimchi`);
        if (mode !== 'plain') expect(deltaText(frames)).toMatch(/\S/);
        expect((await stand.stats()).creates).toBe(0);
        const roles = JSON.stringify(await stand.requests());
        expect(roles).toContain('research_section');
      },
    );

    it('is waited for, and followed from any event on, with the same text', async () => {
      const invocation = await client.submit({ research_question: KIMCHI });
      const waited = await invocation.wait();
      expect(waited).toMatchObject({ status: 'completed', engine: 'agent' });
      const frames = await all(invocation.follow());
      expectCompleteLog(frames, waited);
      const at = Math.floor(frames.length / 2);
      const rest = await all(invocation.events(frames[at].id));
      expect(rest).toEqual(frames.slice(at + 1));
      expect(joined(frames)).toBe(waited.output_text);
    });

    it('is cancelled while it writes: it asks nothing more, and its model call ends', async () => {
      const invocation = await writing();
      expect((await invocation.cancel()).status).toBe(202);
      expect(await waitForEnd(invocation)).toMatchObject({
        status: 'cancelled',
        engine: 'agent',
        error: { code: 'cancelled', retryable: false },
      });
      await stand.clearFaults();
      const other = { research_question: 'What are haenyeo?' };
      expect(await waitForEnd(await client.submit(other))).toMatchObject({
        status: 'completed',
      });
      expect(await sections(KIMCHI)).toHaveLength(1);
      // A request whose connection was closed before it was answered has the status 0.
      const { requests } = await stand.stats();
      expect(requests.filter(({ status }) => status === 0)).toHaveLength(1);
    });

    it('is forgotten with its journal when it is deleted while it writes', async () => {
      const invocation = await writing();
      expect(await journal(invocation)).toBe(1);
      expect((await invocation.remove()).status).toBe(204);
      expect((await invocation.reply()).status).toBe(404);
      await stand.clearFaults();
      await until('the run to be forgotten', () =>
        stand.redis.hasForgotten(invocation.id),
      );
      expect(await journal(invocation)).toBe(0);
    });

    it('is forgotten with its journal when it is deleted after its end', async () => {
      const invocation = await client.submit({ research_question: KIMCHI });
      await invocation.wait();
      expect((await invocation.remove()).status).toBe(204);
      expect(await stand.redis.hasForgotten(invocation.id)).toBe(true);
      expect(await journal(invocation)).toBe(0);
    });

    it('is done once for two submissions with one idempotency key', async () => {
      const key = { 'idempotency-key': 'agent-once' };
      const args = { research_question: KIMCHI, background: true };
      const [first, second] = await Promise.all([
        client.research(args, key),
        client.research(args, key),
      ]);
      expect(first.body.invocation_id).toBe(second.body.invocation_id);
      const { invocation_id, invocation_token } = first.body;
      const record = await waitForEnd(
        client.invocation(invocation_id, invocation_token),
      );
      expectCitations(record);
      const plans = (await stand.requests()).filter(({ body }) =>
        JSON.stringify(body).includes('research_plan'),
      );
      expect(plans).toHaveLength(1);
      const other = { ...args, research_question: 'What are haenyeo?' };
      expect((await client.research(other, key)).status).toBe(422);
    });
  });
});
