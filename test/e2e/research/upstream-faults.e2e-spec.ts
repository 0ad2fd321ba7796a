import { all, type Client, joined } from '../../support/client';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';
import { waitForEnd, expectCompleteLog } from '../../support/event-log';

const CREATE = { method: 'POST', path: '/responses' };
const POLL = { method: 'GET', path: '/responses/', stream: false };
const RESUME = { method: 'GET', path: '/responses/', stream: true };

/** Private details of an endpoint, which never reach a caller. */
const SECRET = 'connect ECONNREFUSED vault.corp.internal:8443';

describe('with an upstream that fails', () => {
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({ researchMs: 200 });
    client = stand.client();
  });
  afterEach(() => stand.reset());
  afterAll(() => stand.stop());

  /** Follows a run to its end and checks its log. */
  const research = async (...faults: object[]) => {
    for (const fault of faults) await stand.fault(fault);
    const invocation = await client.submit();
    const record = await waitForEnd(invocation);
    const { creates_by_invocation } = await stand.stats();
    return { record, creates: creates_by_invocation[invocation.id] ?? 0 };
  };
  const posts = async () => (await stand.requests()).length;

  describe('the purchase', () => {
    it.each([
      ['429', { status: 429, retry_after: 1 }],
      ['503 of an overload', { status: 503, code: 'server_is_overloaded' }],
    ])('is retried after a %s', async (_, reply) => {
      const { record, creates } = await research({
        kind: 'status',
        match: CREATE,
        ...reply,
      });
      expect(record.status).toBe('completed');
      expect(creates).toBe(1);
      expect(await posts()).toBe(2);
    });

    it.each([
      ['an error of a proxy', { kind: 'status', status: 502, body: 'html' }, 0],
      ['a 500 of any kind', { kind: 'status', status: 500 }, 0],
      ['a 503', { kind: 'status', status: 503 }, 0],
      [
        'a 503 with a retry time',
        { kind: 'status', status: 503, retry_after: 1 },
        0,
      ],
      [
        'a 500 after the run has begun',
        { kind: 'status', status: 500, after_create: true },
        1,
      ],
      ['a broken connection', { kind: 'reset', after_create: true }, 1],
      ['a stream without an event', { kind: 'cut', after_events: 0 }, 1],
      ['a stream that ends at once', { kind: 'end', after_events: 0 }, 1],
    ])('is not repeated after %s', async (_, fault, purchases) => {
      const { record, creates } = await research({ ...fault, match: CREATE });
      expect(record).toMatchObject({
        status: 'failed',
        error: { code: 'ambiguous_submit', retryable: true },
      });
      expect(creates).toBe(purchases);
      expect(await posts()).toBe(1);
    });

    it.each([
      ['before the run has begun', {}],
      ['after the run has begun', { after_create: true }],
    ])('is not repeated when its response is late, %s', async (_, when) => {
      const fault = { kind: 'hang', ms: 300, match: CREATE };
      const { record, creates } = await research({ ...fault, ...when });
      expect(record.status).toBe('completed');
      expect(creates).toBe(1);
      expect(await posts()).toBe(1);
    });

    it.each([
      [401, 'upstream_unauthorized'],
      [403, 'upstream_unauthorized'],
      [400, 'upstream_rejected'],
      [422, 'upstream_rejected'],
    ])('is abandoned after a %s', async (status, code) => {
      const fault = { kind: 'status', status, message: SECRET, match: CREATE };
      const { record, creates } = await research(fault);
      expect(record).toMatchObject({
        status: 'failed',
        error: { code, retryable: false },
      });
      expect(JSON.stringify(record)).not.toContain(SECRET);
      expect(creates).toBe(0);
      expect(await posts()).toBe(1);
    });
  });

  describe('the stream', () => {
    it.each([
      ['is silent for a while', { kind: 'silence', after_events: 6, ms: 400 }],
      ['breaks', { kind: 'cut', after_events: 6 }],
      ['breaks within the text', { kind: 'cut', after_events: 60 }],
      ['breaks again and again', { kind: 'cut', after_events: 6, count: 5 }],
      ['ends without a last event', { kind: 'end', after_events: 6 }],
      ['ends within the text', { kind: 'end', after_events: 60 }],
      ['ends in the middle of a line', { kind: 'garbage', after_events: 6 }],
      ['carries garbage', { kind: 'garbage', after_events: 6, cut: false }],
      ['carries unknown events', { kind: 'unknown_events', count: 0 }],
      ['duplicates every event', { kind: 'duplicate_events', count: 0 }],
      ['omits a piece of text', { kind: 'gap', after_events: 6 }],
      ['omits a late piece', { kind: 'gap', after_events: 60 }],
    ])('%s, and the text is complete all the same', async (_, fault) => {
      const { record, creates } = await research(fault);
      expect(record.status).toBe('completed');
      expect(record.citations.length).toBeGreaterThan(0);
      expect(creates).toBe(1);
    });

    it.each([
      ['before the text', 6],
      ['within the text', 60],
    ])(
      'breaks permanently, and the run is polled instead: %s',
      async (_, after_events) => {
        const { record, creates } = await research(
          { kind: 'cut', after_events },
          { kind: 'too_old', count: 0 },
        );
        expect(record.status).toBe('completed');
        expect(creates).toBe(1);
        expect(await stand.stats()).toMatchObject({ resumes: 0 });
      },
    );

    it('breaks, and failing polls do not end the run', async () => {
      const { record, creates } = await research(
        { kind: 'cut', after_events: 6 },
        { kind: 'status', status: 500, match: POLL },
        { kind: 'status', status: 429, retry_after_ms: 20, match: POLL },
        { kind: 'reset', match: POLL },
        { kind: 'status', status: 502, body: 'html', match: RESUME },
      );
      expect(record.status).toBe('completed');
      expect(creates).toBe(1);
    });
  });

  describe('the run', () => {
    it('disappears: the research fails with a specific code', async () => {
      const { record, creates } = await research(
        { kind: 'cut', after_events: 6 },
        { kind: 'gone', count: 0 },
      );
      expect(record).toMatchObject({
        status: 'failed',
        output_text: null,
        error: { code: 'upstream_response_gone', retryable: true },
      });
      expect(creates).toBe(1);
      expect((await stand.stats()).in_flight).toBe(0);
    });

    it('disappears: the partial text is retained', async () => {
      const { record } = await research(
        { kind: 'cut', after_events: 60 },
        { kind: 'gone', count: 0 },
      );
      expect(record).toMatchObject({
        status: 'incomplete',
        output_text: expect.stringMatching(/\S/),
        error: { code: 'upstream_response_gone' },
      });
    });

    it.each(['max_output_tokens', 'content_filter'])(
      'ends early by %s: the partial text is retained, with its citations',
      async (reason) => {
        const { record } = await research({
          kind: 'incomplete',
          reason,
          fraction: 0.7,
        });
        expect(record).toMatchObject({
          status: 'incomplete',
          output_text: expect.stringMatching(/\S/),
          error: { code: reason },
          error_message: expect.any(String),
          response: { status: 'incomplete' },
        });
        expect(record.citations.length).toBeGreaterThan(0);
        expect(record.sources.length).toBeGreaterThan(0);
      },
    );

    it('ends early without text: the research has failed', async () => {
      const { record } = await research({ kind: 'incomplete', fraction: 0 });
      expect(record).toMatchObject({
        status: 'failed',
        output_text: null,
        error: { code: 'max_output_tokens' },
      });
    });

    it('completes without text: the research has failed', async () => {
      const { record } = await research({ kind: 'empty' });
      expect(record).toMatchObject({
        status: 'failed',
        output_text: null,
        error: { code: 'empty_output', retryable: true },
      });
    });

    it('is cancelled by the upstream: the partial text is retained', async () => {
      const { record } = await research({ kind: 'cancelled_by_upstream' });
      expect(record).toMatchObject({
        status: 'incomplete',
        output_text: expect.stringMatching(/\S/),
        error: { code: 'upstream_cancelled' },
      });
    });

    it.each([
      ['as a failed response', { kind: 'failed' }],
      ['by an error event', { kind: 'error_event', nested: true }],
      ['by a flat error event', { kind: 'error_event', nested: false }],
    ])(
      "fails, %s: the upstream's message reaches no caller",
      async (_, fault) => {
        await stand.fault({ ...fault, code: 'server_error', message: SECRET });
        const invocation = await client.submit();
        const frames = await all(invocation.events());
        const record = await invocation.read();
        expectCompleteLog(frames, record);
        expect(record).toMatchObject({
          status: 'failed',
          output_text: null,
          error_message: 'The model could not finish.',
          error: { code: 'upstream_failed', retryable: true },
          response: { status: 'failed', error: { code: 'server_error' } },
        });
        const processes = [...stand.apis, ...stand.workers];
        for (const received of [
          JSON.stringify(record),
          JSON.stringify(frames),
          await stand.redis.dump(),
          ...processes.map(({ output }) => output),
        ])
          expect(received).not.toContain('vault.corp.internal');
      },
    );
  });

  it('has the format of a LiteLLM proxy: ids to be escaped, events without numbers', async () => {
    await stand.configure({ dialect: 'litellm' });
    const { record, creates } = await research();
    expect(record.status).toBe('completed');
    expect(record.upstream_response_id).toMatch(/=/);
    expect(creates).toBe(1);
  });

  it.each([6, 60])(
    'has the format of a LiteLLM proxy, and its stream breaks after %s events',
    async (after_events) => {
      await stand.configure({ dialect: 'litellm' });
      const { record, creates } = await research({ kind: 'cut', after_events });
      expect(record.status).toBe('completed');
      expect(creates).toBe(1);
    },
  );
});

describe('with the policy to repeat an ambiguous purchase', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({
      researchMs: 200,
      env: { RELAY_AMBIGUOUS_SUBMIT: 'resubmit' },
    });
  });
  afterEach(() => stand.reset());
  afterAll(() => stand.stop());

  it.each([
    ['an error of a proxy', { kind: 'status', status: 502, body: 'html' }, 1],
    ['a broken connection', { kind: 'reset', after_create: true }, 2],
  ])('research completes after %s', async (_, fault, purchases) => {
    await stand.fault({ ...fault, match: CREATE });
    const invocation = await stand.client().submit();
    expect((await waitForEnd(invocation)).status).toBe('completed');
    expect((await stand.stats()).creates_by_invocation[invocation.id]).toBe(
      purchases,
    );
  });

  it('research is purchased three times at most', async () => {
    await stand.fault({
      kind: 'reset',
      after_create: true,
      match: CREATE,
      count: 0,
    });
    const invocation = await stand.client().submit();
    expect(await waitForEnd(invocation)).toMatchObject({
      status: 'failed',
      error: { code: 'ambiguous_submit' },
    });
    expect((await stand.stats()).creates_by_invocation[invocation.id]).toBe(3);
  });
});

describe('with an upstream without background mode', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({ researchMs: 200 });
    await stand.configure({ background: false });
  });
  afterAll(() => stand.stop());

  it('research is one held stream, and the next run does not request background mode', async () => {
    const first = await stand.client().submit();
    expect((await waitForEnd(first)).status).toBe('completed');
    const second = await stand.client().submit();
    expect((await waitForEnd(second)).status).toBe('completed');
    const asked = (await stand.requests()).map(({ body }) => body.background);
    expect(asked).toEqual([true, undefined, undefined]);
    expect((await stand.stats()).creates).toBe(2);
  });

  it('the end of the stream ends the research, with a specific code', async () => {
    await stand.fault({ kind: 'cut', after_events: 6 });
    const invocation = await stand.client().submit();
    expect(await waitForEnd(invocation)).toMatchObject({
      status: 'failed',
      error: { code: 'upstream_cancelled', retryable: true },
    });
  });
});

describe('when a worker is killed', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start();
  });
  afterEach(() => stand.reset());
  afterAll(() => stand.stop());

  const replaceWorker = async () => {
    await stand.killWorkers();
    await stand.addWorker();
  };

  it('during the purchase, no other worker repeats a purchase that may have succeeded', async () => {
    await stand.fault({ kind: 'hang', after_create: true, match: CREATE });
    const invocation = await stand.client().submit();
    await until(
      'the run to be purchased',
      async (saw) => saw(await stand.stats()).creates === 1,
    );
    await replaceWorker();
    expect(await waitForEnd(invocation)).toMatchObject({
      status: 'failed',
      error: { code: 'ambiguous_submit' },
    });
    expect(await stand.requests()).toHaveLength(1);
  });

  it.each([
    ['the searches', 'progress', 0.3],
    ['the text', 'output_text', 0.8],
  ])(
    'while it reads %s, another worker continues',
    async (_, seen, fraction) => {
      await stand.fault({ kind: 'pause', fraction });
      const invocation = await stand.client().submit();
      for await (const { event } of invocation.events())
        if (event === seen) break;
      await replaceWorker();
      await stand.clearFaults();
      const record = await waitForEnd(invocation);
      expect(record.status).toBe('completed');
      expect((await stand.stats()).creates).toBe(1);
    },
  );

  it('while it polls the run, another worker continues', async () => {
    await stand.fault({ kind: 'slow', ms: 2_000 });
    await stand.fault({ kind: 'cut', after_events: 6 });
    await stand.fault({ kind: 'too_old', count: 0 });
    const invocation = await stand.client().submit();
    await until(
      'the run to be polled',
      async (saw) => saw(await stand.stats()).retrieves > 0,
    );
    await replaceWorker();
    const frames = await all(invocation.follow());
    const record = await invocation.read();
    expectCompleteLog(frames, record);
    expect(record.status).toBe('completed');
    expect(joined(frames)).toBe(record.output_text);
    expect((await stand.stats()).creates).toBe(1);
  });
});
