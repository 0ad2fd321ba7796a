import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import type { Client, Invocation } from '../../support/client';
import { beginChat, ChatHandle } from '../../support/chat/chat-handle';
import { priceFile } from '../../support/price-table';
import { preload } from '../../support/processes/preload';
import { expectProblem } from '../../support/problem';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const LIST = '/api/v1/tool-invocations';
const QUESTION = 'the history of kimchi MARKER-QUESTION';
const DAY_MS = 86_400_000;
const NEWER = { schema: '99' };

describe('records', () => {
  const prices = priceFile({
    '*': { inputPerMillion: 1, outputPerMillion: 2 },
  });
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({
      researchMs: 100,
      env: { RELAY_PRICES_CONFIG: prices.path },
    });
    client = stand.client();
  });
  afterEach(() => stand.reset());
  afterAll(async () => {
    await stand.stop();
    prices.remove();
  });

  /** What the dashboard shows of a job that has ended. */
  const job = (id: string, queue = 'research') =>
    until(`the ${queue} job to end`, async (saw) => {
      const path = `/admin/queues/api/queues/${queue}/${id}`;
      const { status, body } = saw(await client.get(path));
      expect(status).toBe(200);
      if (!['completed', 'failed'].includes(body.status)) return undefined;
      // The dashboard reads the job first and its status afterwards.
      if (body.status === 'completed' && !body.job.returnValue)
        return undefined;
      const { body: logs } = await client.get(`${path}/logs`);
      expect(JSON.stringify([body, logs])).not.toContain('MARKER');
      // A line begins with its time.
      const lines = (logs as string[]).map((line) => {
        expect(line).toMatch(/^\d{4}-\S+Z \S/);
        return line.slice(line.indexOf(' ') + 1);
      });
      return { ...body.job, status: body.status, lines };
    });

  const set = (id: string, fields: Record<string, string>) =>
    stand.redis.call(
      'HSET',
      `sonde:{${id}}:record`,
      ...Object.entries(fields).flat(),
    );
  const field = (id: string, name: string) =>
    stand.redis.call('HGET', `sonde:{${id}}:record`, name);
  const completed = async (): Promise<Invocation> => {
    const invocation = await client.submit({ research_question: QUESTION });
    await invocation.wait();
    return invocation;
  };
  const listed = async (query = ''): Promise<string[]> => {
    const { status, body } = await client.get(`${LIST}?limit=100${query}`);
    expect(status).toBe(200);
    return body.data.map((one: { invocation_id: string }) => one.invocation_id);
  };

  describe('of a newer version of the service', () => {
    const DAMAGED = {
      ...NEWER,
      tool: 'clairvoyance',
      mode: 'telepathic',
      priority: 'cosmic',
      status: 'dreaming',
      error_code: 'quantum_failure',
      error_message: '',
      citations: '{not json',
      sources: '"a text"',
      usage: '[1]',
      cost: 'much',
      progress: '<xml/>',
      response: 'nothing',
      contents: '{}',
      undecided: '7',
      webhook: 'not a url',
      webhook_attempts: 'many',
      created_ms: 'yesterday',
      completed_ms: '1e300',
      expires_ms: 'never',
    };

    it('show their known fields, and unknown values unchanged', async () => {
      const invocation = await completed();
      await set(invocation.id, DAMAGED);
      expect(await invocation.read()).toMatchObject({
        invocation_id: invocation.id,
        tool_name: 'clairvoyance',
        mode: 'telepathic',
        status: 'dreaming',
        error: { code: 'quantum_failure', retryable: false },
        citations: null,
        sources: null,
        usage: null,
        cost: null,
        progress: null,
        response: null,
        contents: null,
        webhook: null,
        created_at: expect.stringMatching(/^20\d\d-/),
        completed_at: null,
        expires_at: null,
      });
    });

    it('break no listing, not even if they cannot be parsed', async () => {
      const [damaged, unreadable, sound] = [
        await completed(),
        await completed(),
        await completed(),
      ];
      await set(damaged.id, DAMAGED);
      await stand.redis.call('SET', `sonde:{${unreadable.id}}:record`, '?');
      const ids = await listed();
      expect(ids).toContain(damaged.id);
      expect(ids).toContain(sound.id);
      expect(ids).not.toContain(unreadable.id);
      await stand.redis.call('DEL', `sonde:{${unreadable.id}}:record`);
    });

    it.each(['dreaming', 'completed', 'queued'])(
      'can be removed when they are %s',
      async (status) => {
        const invocation = await completed();
        await set(invocation.id, { ...DAMAGED, status });
        expect((await invocation.remove()).status).toBe(204);
        expect(await stand.redis.hasForgotten(invocation.id)).toBe(true);
        expect(await listed()).not.toContain(invocation.id);
      },
    );

    it('are cancelled as far as this version can: by a request to their worker', async () => {
      const invocation = await completed();
      await set(invocation.id, { ...NEWER, status: 'dreaming' });
      expect((await invocation.cancel()).status).toBe(202);
      expect(await field(invocation.id, 'cancel')).toBe('1');
    });

    it('are never claimed by a worker of this version, and their deliveries are not lost', async () => {
      const waiting = stand.workers.splice(0);
      await Promise.all(waiting.map((worker) => worker.stop()));
      const [newer, strange, sound] = [
        await client.submit(),
        await client.submit(),
        await client.submit(),
      ];
      await set(newer.id, NEWER);
      await set(strange.id, { status: 'dreaming' });
      await stand.addWorker();
      expect((await sound.wait()).status).toBe('completed');
      for (const { id } of [newer, strange])
        expect(await field(id, 'fence')).toBe('0');
      expect((await stand.stats()).creates).toBe(1);
      // As a worker that knows them would do.
      await set(newer.id, { schema: '1' });
      await set(strange.id, { status: 'queued' });
      for (const invocation of [newer, strange])
        expect((await invocation.wait()).status).toBe('completed');
    });

    it('accept no decision from an API of this version', async () => {
      const message = '/research 짜장면의 역사';
      await stand.fault({ kind: 'stay', status: 'in_progress' });
      const { body } = await client.post('/api/v1/chat', {
        message,
        background: true,
      });
      const chat = new ChatHandle(client, body.chat_id, body.invocation_token);
      const action = { approvals: [{ call_id: 'call_1' }] };
      await set(chat.id, {
        ...NEWER,
        status: 'requires_action',
        response: JSON.stringify({
          status: 'requires_action',
          required_action: { ...action, questions: [] },
        }),
      });
      expectProblem(await chat.approve('call_1'), {
        status: 503,
        code: 'record_too_new',
      });
      await set(chat.id, { response: '{"status":"requires_action"}' });
      expect((await chat.get('')).status).toBe(200);
      expect((await chat.remove()).status).toBe(204);
    });
  });

  it('contain the version of their format, and the question', async () => {
    const invocation = await completed();
    expect(await field(invocation.id, 'schema')).toBe('1');
    expect(await invocation.read()).toMatchObject({ question: QUESTION });
    const { body } = await client.get(LIST);
    expect(body.data[0]).toMatchObject({ question: QUESTION });
    const tool = { tool_name: 'get_current_datetime', arguments: {} };
    const other = await client.post(LIST, tool);
    expect(other.body).toMatchObject({ question: null });
  });

  it('contain at most the first thousand characters of a question', async () => {
    const { body } = await client.research({
      background: true,
      research_question: '김'.repeat(5_000),
    });
    expect(body.question).toBe(`${'김'.repeat(999)}…`);
  });

  it('are listed by the clock of Redis, however wrong that of an API is', async () => {
    const before = await completed();
    for (const days of [40, -40]) {
      const shift = { CLOCK_SHIFT_MS: String(days * DAY_MS) };
      const api = await stand.addApi(preload('shifted-clock', shift));
      const wrong = stand.client(stand.apis.length - 1);
      const mine = await wrong.submit();
      await mine.wait();
      const after = await completed();
      const newest = [after.id, mine.id];
      const ids = await listed();
      expect(ids.slice(0, 2)).toEqual(newest);
      expect(ids).toContain(before.id);
      const { body } = await wrong.get(`${LIST}?limit=100`);
      expect(body.data).toHaveLength(ids.length);
      stand.apis.splice(stand.apis.indexOf(api), 1);
      await api.stop('SIGKILL');
    }
  });

  it('are not listed to requests through a proxy or by another name', async () => {
    const status = (headers: Record<string, string>) =>
      new Promise((resolve, reject) => {
        request(client.url + LIST, { headers }, (reply) => {
          reply.resume();
          resolve(reply.statusCode);
        })
          .on('error', reject)
          .end();
      });
    expect(await status({})).toBe(200);
    expect(await status({ host: 'attacker.example' })).toBe(421);
    expect(await status({ 'x-forwarded-for': '203.0.113.7' })).toBe(401);
  });

  it('of failed runs are failed jobs on the dashboard, by their code alone, and are not retried', async () => {
    await stand.fault({ kind: 'failed' });
    const failed = await client.submit({ research_question: QUESTION });
    expect((await failed.wait()).status).toBe('failed');
    await stand.reset();
    await stand.fault({ kind: 'stay', status: 'in_progress' });
    const cancelled = await client.submit({ research_question: QUESTION });
    for await (const { event } of cancelled.events())
      if (event === 'progress') break;
    await cancelled.cancel();
    await cancelled.wait();
    const failure = await job(failed.id);
    expect(failure).toMatchObject({
      status: 'failed',
      failedReason: 'upstream_failed',
      attempts: 1,
    });
    expect(failure.lines.at(-1)).toMatch(/^ended failed code=upstream_failed /);
    expect(await job(cancelled.id)).toMatchObject({
      status: 'completed',
      returnValue: { status: 'cancelled', code: 'cancelled', engine: 'hosted' },
    });
  });

  it('are jobs on the dashboard with how they ended and the stages of the way there', async () => {
    const invocation = await completed();
    const { returnValue, lines } = await job(invocation.id);
    const { usage, cost } = await invocation.read();
    expect(returnValue).toEqual({
      status: 'completed',
      engine: 'hosted',
      model: expect.stringContaining('deep-research'),
      seconds: expect.any(Number),
      tokens: usage.total_tokens,
      cost_usd: cost.spent,
    });
    expect(cost.spent).toBeGreaterThan(0);
    expect(lines.slice(0, -1)).toEqual([
      expect.stringMatching(/^claimed worker=\S+$/),
      'purchased',
      'searching',
      'reading',
      'writing',
    ]);
    const { status, ...rest } = returnValue as Record<string, string>;
    const known = Object.entries(rest).map(([name, of]) => `${name}=${of}`);
    expect(lines.at(-1)).toBe(`ended ${status} ${known.join(' ')}`);
    const { chat, reply } = await beginChat(client, 'background', {
      message: QUESTION,
    });
    const ofChat = await job(chat.id, 'chats');
    expect(ofChat.returnValue).toEqual({
      status: 'completed',
      seconds: expect.any(Number),
      tokens: reply.usage.total_tokens,
      cost_usd: reply.cost.spent,
    });
    expect(ofChat.lines[0]).toMatch(/^claimed worker=\S+$/);
    expect(ofChat.lines).toContain('writing');
    const tool = await client.post(LIST, {
      tool_name: 'get_current_datetime',
      arguments: {},
    });
    const ofTool = await job(tool.body.invocation_id, 'tools');
    expect(ofTool.returnValue).toEqual({
      status: 'completed',
      seconds: expect.any(Number),
    });
  });

  it('have a log line for each start, takeover and end, without any of the question', async () => {
    const runs = (id: string) =>
      stand.workers
        .flatMap(({ output }) => output.trim().split('\n'))
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter((line) => line.id === id);
    const invocation = await completed();
    const end = await until('the end of the run to be logged', (saw) =>
      saw(runs(invocation.id)).find(({ msg }) => msg === 'Run ended'),
    );
    expect(runs(invocation.id)).toHaveLength(2);
    expect(runs(invocation.id)[0]).toMatchObject({
      level: 'info',
      msg: 'Run started',
      kind: 'deep_research',
    });
    expect(end).toMatchObject({
      level: 'info',
      kind: 'deep_research',
      model: expect.stringContaining('deep-research'),
      status: 'completed',
      seconds: expect.any(Number),
      tokens: expect.any(Number),
    });
    await stand.fault({ kind: 'slow', ms: 60_000 });
    const taken = await client.submit({ research_question: QUESTION });
    await until(
      'the start of the run to be logged',
      (saw) => saw(runs(taken.id)).length === 1,
    );
    await until(
      'the run to have an upstream response',
      async (saw) => saw(await taken.read()).upstream_response_id,
    );
    // Lines are written without waiting for them.
    await until('the purchase to be in the log of the job', async (saw) => {
      const path = `/admin/queues/api/queues/research/${taken.id}/logs`;
      return JSON.stringify(saw(await client.get(path)).body).includes(
        'purchased',
      );
    });
    await stand.killWorkers();
    await stand.addWorker();
    await until(
      'the takeover of the run to be logged',
      (saw) => saw(runs(taken.id))[0]?.msg === 'Run taken over',
    );
    await taken.cancel();
    await until('the cancellation of the run to be logged', (saw) => {
      const last = saw(runs(taken.id).at(-1)!);
      return last.msg === 'Run ended' && last.code === 'cancelled';
    });
    const { returnValue, lines } = await job(taken.id);
    expect(returnValue).toMatchObject({ status: 'cancelled' });
    expect(lines).toEqual([
      expect.stringMatching(/^claimed worker=\S+$/),
      'purchased',
      expect.stringMatching(
        /^worker disappeared, taken over worker=\S+ crashes=1$/,
      ),
      expect.stringMatching(/^ended cancelled code=cancelled engine=hosted/),
    ]);
    for (const { output } of [...stand.workers, ...stand.apis])
      expect(output).not.toContain('MARKER');
  });

  it('are shown on a dashboard whose files are not logged', async () => {
    const { body } = await client.get('/admin/queues');
    const [file] = /[^"]+\.js(?=")/.exec(body as string)!;
    const { pathname } = new URL(file, `${client.url}/admin/queues/`);
    expect((await client.get(pathname)).status).toBe(200);
    const marker = randomUUID();
    await client.get('/api/v1/tools', { 'x-request-id': marker });
    await until('the marked request to be logged', (saw) =>
      saw(stand.apis[0].output).includes(marker),
    );
    expect(stand.apis[0].output).not.toContain('/admin/queues');
  });
});
