import { connect } from 'node:net';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import type { SandboxUnderTest } from './testing/sandbox-under-test';
import {
  researchTool,
  sandboxUnderTest,
  until,
  webSearch,
} from './testing/sandbox-under-test';

const research = { model: 'gpt-5.5', input: 'kimchi', tools: webSearch };
const turn = { model: 'gpt-4o', input: 'hello' };

interface Stats {
  creates: number;
  creates_by_invocation: Record<string, number>;
  in_flight: number;
  requests: { status: number }[];
}

describe('a fault', () => {
  let s: SandboxUnderTest;
  beforeAll(async () => (s = await sandboxUnderTest({ strictItems: false })));
  afterEach(() => s.reset());
  afterAll(() => s.close());

  const streamed = async (params = {}): Promise<ResponseStreamEvent[]> => {
    const events: ResponseStreamEvent[] = [];
    const stream = await s.client.responses.create({
      ...research,
      ...params,
      stream: true,
    });
    for await (const event of stream) events.push(event);
    return events;
  };
  const rawStream = async () =>
    (await s.post('/v1/responses', { ...research, stream: true })).text();
  const stats = () => s.get<Stats>('/sandbox/stats');

  describe('instead of a reply', () => {
    it('status: returns the given error once, with the given headers', async () => {
      await s.fault({ kind: 'status', status: 429, retry_after: 7 });
      const struck = await s.post('/v1/responses', turn);
      const next = await s.post('/v1/responses', turn);
      expect([struck.status, next.status]).toEqual([429, 200]);
      expect(struck.headers.get('retry-after')).toBe('7');
      expect(await struck.json()).toMatchObject({
        error: { code: 'rate_limit_exceeded' },
      });
    });

    it('status: is not counted as a create', async () => {
      await s.fault({ kind: 'status', status: 500 });
      await s.post('/v1/responses', { ...research, background: true });
      expect((await stats()).creates).toBe(0);
    });

    it('status: can have a body of HTML or of a FastAPI gateway', async () => {
      await s.fault({ kind: 'status', status: 502, body: 'html' });
      await s.fault({ kind: 'status', status: 422, body: 'detail' });
      const html = await s.post('/v1/responses', turn);
      const detail = await s.post('/v1/responses', turn);
      expect(await html.text()).toMatch(/^<html>/);
      expect(await detail.json()).toEqual({ detail: [expect.any(Object)] });
    });

    it('hang: sends nothing until the faults are cleared', async () => {
      await s.fault({ kind: 'hang' });
      let answered = false;
      const reply = s.post('/v1/responses', turn).then((r) => {
        answered = true;
        return r.status;
      });
      await until(async () => (await stats()).requests.length === 1);
      expect(answered).toBe(false);
      await s.clearFaults();
      expect(await reply).toBe(200);
    });

    it('hang after_create: the run starts without a response', async () => {
      await s.fault({ kind: 'hang', after_create: true });
      const leave = new AbortController();
      const reply = s.client.responses.create(
        { ...research, background: true, metadata: { invocation_id: 'a' } },
        { signal: leave.signal },
      );
      reply.catch(() => undefined);
      await until(async () => (await stats()).creates === 1);
      leave.abort();
      await expect(reply).rejects.toThrow(/abort/);
      expect((await stats()).creates_by_invocation).toEqual({ a: 1 });
    });

    it('reset: closes the connection, before or after the create', async () => {
      await s.fault({ kind: 'reset' });
      await s.fault({ kind: 'reset', after_create: true });
      await expect(s.post('/v1/responses', research)).rejects.toThrow();
      expect((await stats()).creates).toBe(0);
      await expect(s.post('/v1/responses', research)).rejects.toThrow();
      expect((await stats()).creates).toBe(1);
    });

    it('too_old: refuses to stream a response again', async () => {
      const [created] = await streamed({ background: true });
      const id = created.type === 'response.created' ? created.response.id : '';
      await s.fault({ kind: 'too_old' });
      expect((await s.client.responses.retrieve(id)).id).toBe(id);
      await expect(
        s.client.responses.retrieve(id, { stream: true }),
      ).rejects.toMatchObject({
        error: {
          message:
            'This response can no longer be streamed because it is more than 5 minutes old.',
        },
      });
    });

    it('gone: no longer knows a response', async () => {
      const { id } = await s.client.responses.create(turn);
      await s.fault({ kind: 'gone' });
      await expect(s.client.responses.retrieve(id)).rejects.toMatchObject({
        status: 404,
      });
    });

    it('model_gone: no longer knows the model', async () => {
      await s.fault({ kind: 'model_gone', match: { model: 'gpt-5.5' } });
      expect((await s.post('/v1/responses', turn)).status).toBe(200);
      await expect(s.client.responses.create(research)).rejects.toMatchObject({
        status: 404,
        code: 'model_not_found',
      });
    });

    it.each([400, 422])(
      'refuse_tools: returns %d only for requests with tools',
      async (status) => {
        await s.fault({ kind: 'refuse_tools', status, count: 0 });
        const refused = await s.post('/v1/responses', {
          ...turn,
          tools: [researchTool],
        });
        expect(refused.status).toBe(status);
        expect(await refused.text()).toMatch(/tool/);
        expect((await s.post('/v1/responses', turn)).status).toBe(200);
      },
    );
  });

  describe('on a stream', () => {
    it('silence: delays the rest until the faults are cleared', async () => {
      await s.fault({ kind: 'silence', after_events: 2 });
      const types: string[] = [];
      const stream = await s.client.responses.create({
        ...research,
        stream: true,
      });
      for await (const event of stream) {
        types.push(event.type);
        if (types.length !== 2) continue;
        await until(async () => (await stats()).in_flight === 0);
        await s.clearFaults();
      }
      expect(types.at(-1)).toBe('response.completed');
    });

    it('silence: ends by itself after its time', async () => {
      await s.fault({ kind: 'silence', after_events: 2, ms: 5 });
      expect((await streamed()).at(-1)?.type).toBe('response.completed');
    });

    it('cut: closes the connection after a number of events, and the background run continues', async () => {
      await s.fault({ kind: 'cut', after_events: 3 });
      const events: ResponseStreamEvent[] = [];
      const read = async () => {
        const stream = await s.client.responses.create({
          ...research,
          background: true,
          stream: true,
        });
        for await (const event of stream) events.push(event);
      };
      await expect(read()).rejects.toThrow();
      const [created] = events;
      const id = created.type === 'response.created' ? created.response.id : '';
      const rest = await s.client.responses.retrieve(id, {
        stream: true,
        starting_after: events.length - 1,
      });
      for await (const event of rest) events.push(event);
      expect(events.map((e) => e.sequence_number)).toEqual([...events.keys()]);
      expect(events.at(-1)?.type).toBe('response.completed');
    });

    it('end: closes cleanly without a terminal event', async () => {
      await s.fault({ kind: 'end', after_events: 4 });
      const events = await streamed();
      expect(events).toHaveLength(4);
    });

    it('garbage: writes half a line and ends', async () => {
      await s.fault({ kind: 'garbage', after_events: 2 });
      expect(await rawStream()).toMatch(/"del\n\n$/);
    });

    it('garbage with cut false: continues after the half line', async () => {
      await s.fault({ kind: 'garbage', after_events: 2, cut: false });
      const text = await rawStream();
      expect(text).toContain('"del\n\n');
      expect(text).toContain('event: response.completed');
    });

    it('unknown_events: adds unknown types and fields', async () => {
      await s.fault({ kind: 'unknown_events' });
      const events = await streamed();
      expect(events.map((e) => e.type)).toContain(
        'response.sandbox_novelty.delta',
      );
      expect(events[0]).toHaveProperty('sandbox_unknown_field');
      expect(events.at(-1)?.type).toBe('response.completed');
    });

    it('duplicate_events: sends every event twice under one number', async () => {
      await s.fault({ kind: 'duplicate_events' });
      const numbers = (await streamed()).map((e) => e.sequence_number);
      expect(numbers.slice(0, 4)).toEqual([0, 0, 1, 1]);
    });

    it('gap: drops one delta, so that a number is missing', async () => {
      await s.fault({ kind: 'gap', after_events: 3 });
      const numbers = (await streamed()).map((e) => e.sequence_number);
      const last = numbers.at(-1) ?? 0;
      expect(numbers).toHaveLength(last);
    });

    it('applies to the streams of chat completions too', async () => {
      await s.fault({ kind: 'end', after_events: 1 });
      const reply = await s.post('/v1/chat/completions', {
        model: 'gpt-4o',
        messages: [{ role: 'user', content: 'hello' }],
        stream: true,
      });
      expect((await reply.text()).match(/data:/g)).toHaveLength(1);
    });
  });

  describe('on a run', () => {
    it.each(['max_output_tokens', 'content_filter'])(
      'incomplete: ends for %s with part of the text',
      async (reason) => {
        const whole = await s.client.responses.create(research);
        await s.fault({ kind: 'incomplete', reason, fraction: 0.5 });
        const part = await s.client.responses.create(research);
        expect(part).toMatchObject({
          status: 'incomplete',
          incomplete_details: { reason },
        });
        expect(whole.output_text).toContain(part.output_text);
        expect(part.output_text.length).toBeLessThan(whole.output_text.length);
      },
    );

    it('failed: ends with the given error and no text', async () => {
      await s.fault({ kind: 'failed', code: 'server_error', message: 'Oh.' });
      const response = await s.client.responses.create(research);
      expect(response).toMatchObject({
        status: 'failed',
        error: { code: 'server_error', message: 'Oh.' },
        output_text: '',
      });
    });

    it('cancelled_by_upstream: ends cancelled without a request', async () => {
      await s.fault({ kind: 'cancelled_by_upstream' });
      const last = (await streamed()).at(-1);
      expect(last).toMatchObject({
        type: 'response.failed',
        response: { status: 'cancelled', usage: null },
      });
    });

    it('empty: completes without a message', async () => {
      await s.fault({ kind: 'empty' });
      const response = await s.client.responses.create(research);
      expect(response.status).toBe('completed');
      expect(response.output.map((item) => item.type)).not.toContain('message');
    });

    it.each(['queued', 'in_progress'])(
      'stay: stays %s until it is cancelled',
      async (status) => {
        await s.fault({ kind: 'stay', status });
        const { id } = await s.client.responses.create({
          ...research,
          background: true,
        });
        await until(
          async () => (await s.client.responses.retrieve(id)).status === status,
        );
        expect((await stats()).in_flight).toBe(1);
        await s.client.responses.cancel(id);
        expect((await stats()).in_flight).toBe(0);
      },
    );

    it.each([
      [true, '"error":{"type":"insufficient_quota"'],
      [false, '"type":"error","code":"insufficient_quota"'],
    ])(
      'error_event: sends an error frame (nested: %s), then response.failed',
      async (nested, shape) => {
        await s.fault({
          kind: 'error_event',
          nested,
          code: 'insufficient_quota',
        });
        const text = await rawStream();
        expect(text).toContain('event: error\n');
        expect(text).toContain(shape);
        expect(text).toMatch(/event: response\.failed\n.*\n\n$/);
      },
    );

    it('slow: sets the duration of this run', async () => {
      await s.fault({ kind: 'slow', ms: 60_000 });
      const { id } = await s.client.responses.create({
        ...research,
        background: true,
      });
      await s.client.responses.create(research);
      expect((await s.client.responses.retrieve(id)).status).not.toBe(
        'completed',
      );
    });

    it('pause: stops this run at a fraction of its time until faults are cleared', async () => {
      await s.fault({ kind: 'pause', fraction: 0.8 });
      const events = await s.client.responses.create({
        ...research,
        background: true,
        stream: true,
      });
      for await (const { type } of events)
        if (type === 'response.output_text.delta') break;
      // A run of the same length that begins later ends first.
      await s.client.responses.create(research);
      expect((await stats()).in_flight).toBe(1);
      await s.clearFaults();
      await until(async () => (await stats()).in_flight === 0);
    });

    it('text_bytes: pads the report to the given size', async () => {
      await s.fault({ kind: 'text_bytes', bytes: 50_000 });
      const response = await s.client.responses.create(research);
      expect(Buffer.byteLength(response.output_text)).toBe(50_000);
    });
  });

  describe('is aimed', () => {
    it.each([
      [{ path: '/chat/' }, 200],
      [{ method: 'GET' }, 200],
      [{ model: 'gpt-5.5' }, 200],
      [{ stream: true }, 200],
      [{ background: true }, 200],
      [{ invocation_id: 'b' }, 200],
      [{ body: 'not in it' }, 200],
      [{ path: '/responses', model: 'gpt-4o', invocation_id: 'a' }, 500],
      [{ body: '"hello"', stream: false, background: false }, 500],
    ])('with %j', async (match, expected) => {
      await s.fault({ kind: 'status', status: 500, match });
      const reply = await s.post('/v1/responses', {
        ...turn,
        metadata: { invocation_id: 'a' },
      });
      expect(reply.status).toBe(expected);
    });

    it('by invocation at later requests for the response', async () => {
      const { id } = await s.client.responses.create({
        ...turn,
        metadata: { invocation_id: 'a' },
      });
      await s.fault({
        kind: 'status',
        status: 503,
        match: { method: 'GET', invocation_id: 'a' },
      });
      await expect(s.client.responses.retrieve(id)).rejects.toMatchObject({
        status: 503,
      });
    });

    it('and counts down, or fires without limit', async () => {
      await s.fault({ kind: 'status', status: 500, count: 2 });
      const statuses = [];
      for (let i = 0; i < 3; i++)
        statuses.push((await s.post('/v1/responses', turn)).status);
      expect(statuses).toEqual([500, 500, 200]);
      await s.fault({ kind: 'status', status: 503, count: 0 });
      for (let i = 0; i < 3; i++)
        expect((await s.post('/v1/responses', turn)).status).toBe(503);
      expect(await s.get('/sandbox/faults')).toMatchObject({
        data: [
          { kind: 'status', remaining: 0, hits: 2 },
          { kind: 'status', remaining: null, hits: 3 },
        ],
      });
    });
  });

  it.each([
    [{ kind: 'mystery' }, /Unknown fault kind 'mystery'/],
    [{ kind: 'hang', minutes: 1 }, /Unknown field 'minutes' in hang/],
    [{ kind: 'status' }, /needs the field 'status'/],
    [{ kind: 'status', status: '500' }, /must be a number/],
    [{ kind: 'reset', match: { url: 'x' } }, /Unknown field 'url' in match/],
    [{ kind: 'stay', status: 'done' }, /one of queued, in_progress/],
    [{ kind: 'reset', count: -1 }, /whole number/],
  ])('is refused when it is mistyped: %j', async (spec, message) => {
    const reply = await s.post('/sandbox/faults', spec);
    expect(reply.status).toBe(422);
    expect(await reply.json()).toMatchObject({
      error: { message: expect.stringMatching(message) },
    });
  });
});

describe('close', () => {
  it('ends hanging requests, open streams and idle connections', async () => {
    const s = await sandboxUnderTest({
      strictItems: false,
      researchMs: 60_000,
    });
    const idle = connect(Number(new URL(s.url).port), '127.0.0.1');
    await new Promise((resolve) => idle.once('connect', resolve));
    await s.fault({ kind: 'hang' });
    const hanging = s.post('/v1/responses', turn);
    hanging.catch(() => undefined);
    await until(
      async () => (await s.get<Stats>('/sandbox/stats')).requests.length === 1,
    );
    const stream = await s.post('/v1/responses', { ...research, stream: true });
    const reading = stream.text();
    reading.catch(() => undefined);
    await s.close();
    await expect(hanging).rejects.toThrow();
    await expect(reading).rejects.toThrow();
    idle.destroy();
  });
});
