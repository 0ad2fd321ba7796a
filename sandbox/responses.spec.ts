import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import type { SandboxUnderTest } from './testing/sandbox-under-test';
import {
  sandboxUnderTest,
  until,
  webSearch,
} from './testing/sandbox-under-test';

const research = {
  model: 'o3-deep-research',
  input: '짜장면의 역사를 자세히 알려줘',
  tools: webSearch,
};

async function collect(
  stream: AsyncIterable<ResponseStreamEvent>,
): Promise<ResponseStreamEvent[]> {
  const events: ResponseStreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

const numbers = (events: ResponseStreamEvent[]) =>
  events.map((event) => event.sequence_number);

const ids = (events: ResponseStreamEvent[]) =>
  events.flatMap((event) =>
    event.type === 'response.created' ? event.response.id : [],
  );

describe('POST /v1/responses', () => {
  let s: SandboxUnderTest;
  beforeAll(async () => (s = await sandboxUnderTest({ strictItems: false })));
  afterEach(() => s.reset());
  afterAll(() => s.close());

  it('answers a foreground request with the finished response', async () => {
    const response = await s.client.responses.create(research);
    expect(response).toMatchObject({
      object: 'response',
      status: 'completed',
      model: 'o3-deep-research',
      background: false,
      error: null,
    });
    expect(response.output_text).toContain('인천');
    expect(response.usage?.total_tokens).toBe(
      (response.usage?.input_tokens ?? 0) +
        (response.usage?.output_tokens ?? 0),
    );
  });

  it('reports in a header that it is a sandbox, and echoes a request id', async () => {
    const reply = await s.post('/v1/responses', research);
    expect(reply.headers.get('x-sonde-sandbox')).toBe('true');
    expect(reply.headers.get('x-request-id')).toMatch(/^req_/);
  });

  it.each(['/v1', '', '/openai/v1'])(
    'is found under the prefix "%s"',
    async (prefix) => {
      const reply = await s.post(`${prefix}/responses`, {
        model: 'gpt-4o',
        input: 'hello',
      });
      expect(reply.status).toBe(200);
    },
  );

  it('returns a background run at once, queued, with nothing in it', async () => {
    const response = await s.client.responses.create({
      ...research,
      background: true,
    });
    expect(response.status).toBe('queued');
    expect(response.output).toEqual([]);
    expect(response.usage).toBeNull();
  });

  it('finishes a background run without a client', async () => {
    const { id } = await s.client.responses.create({
      ...research,
      background: true,
    });
    await until(
      async () =>
        (await s.client.responses.retrieve(id)).status === 'completed',
    );
    const finished = await s.client.responses.retrieve(id);
    expect(finished.completed_at).not.toBeNull();
    expect(finished.output.at(-1)?.type).toBe('message');
  });

  it('never returns an unstored response', async () => {
    const response = await s.client.responses.create({
      model: 'gpt-4o',
      input: 'hello',
      store: false,
    });
    await expect(
      s.client.responses.retrieve(response.id),
    ).rejects.toMatchObject({ status: 404 });
  });

  it('lists the input items of a response, newest first by default', async () => {
    const { id } = await s.client.responses.create({
      model: 'gpt-4o',
      input: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'hello' },
      ],
    });
    const newestFirst = await s.client.responses.inputItems.list(id);
    const oldestFirst = await s.client.responses.inputItems.list(id, {
      order: 'asc',
    });
    const roles = (items: unknown[]) =>
      items.map((item) => (item as { role: string }).role);
    expect(roles(newestFirst.data)).toEqual(['user', 'system']);
    expect(roles(oldestFirst.data)).toEqual(['system', 'user']);
  });

  it('no longer knows a deleted response', async () => {
    const { id } = await s.client.responses.create({
      model: 'gpt-4o',
      input: 'hello',
    });
    await s.client.responses.delete(id);
    await expect(s.client.responses.retrieve(id)).rejects.toMatchObject({
      status: 404,
    });
  });
});

describe('a stream', () => {
  let s: SandboxUnderTest;
  beforeAll(async () => (s = await sandboxUnderTest({ strictItems: false })));
  afterEach(() => s.reset());
  afterAll(() => s.close());

  it('numbers its events from 0 without a gap and ends with the terminal event', async () => {
    const events = await collect(
      await s.client.responses.create({ ...research, stream: true }),
    );
    expect(numbers(events)).toEqual(events.map((_, index) => index));
    expect(events[0].type).toBe('response.created');
    expect(events.at(-1)?.type).toBe('response.completed');
  });

  it('has an event line for every data line and no [DONE]', async () => {
    const text = await (
      await s.post('/v1/responses', { ...research, stream: true })
    ).text();
    const frames = text.trimEnd().split('\n\n');
    for (const frame of frames)
      expect(frame).toMatch(/^event: [a-z_.]+\ndata: \{.*\}$/);
    expect(text).not.toContain('[DONE]');
  });

  it('joins to exactly the text of the final response', async () => {
    const events = await collect(
      await s.client.responses.create({ ...research, stream: true }),
    );
    const joined = events
      .map((e) => (e.type === 'response.output_text.delta' ? e.delta : ''))
      .join('');
    const done = events.find((e) => e.type === 'response.output_text.done');
    const last = events.at(-1);
    const message =
      last?.type === 'response.completed' ? last.response.output.at(-1) : null;
    expect(done).toMatchObject({ text: joined });
    expect(message).toMatchObject({ content: [{ text: joined }] });
  });

  it('shows a search without its action until the search is done', async () => {
    const events = await collect(
      await s.client.responses.create({ ...research, stream: true }),
    );
    const searches = events.flatMap((event) =>
      (event.type === 'response.output_item.added' ||
        event.type === 'response.output_item.done') &&
      event.item.type === 'web_search_call'
        ? [[event.type.split('.').at(-1), 'action' in event.item]]
        : [],
    );
    expect(searches.slice(0, 2)).toEqual([
      ['added', false],
      ['done', true],
    ]);
  });

  it.each([
    ['research', { ...research, reasoning: { summary: 'auto' as const } }],
    [
      'background research',
      { ...research, background: true, model: 'gpt-5.5' },
    ],
    ['a plain turn', { model: 'gpt-4o', input: '안녕하세요!' }],
  ])('of %s satisfies the strict helper of the SDK', async (_, params) => {
    const final = await s.client.responses.stream(params).finalResponse();
    expect(final.status).toBe('completed');
    expect(final.output_text).not.toBe('');
  });

  it('pads deltas only with obfuscation', async () => {
    const padded = async (include_obfuscation: boolean) => {
      const events = await collect(
        await s.client.responses.create({
          ...research,
          stream: true,
          stream_options: { include_obfuscation },
        }),
      );
      return events.some((event) => 'obfuscation' in event);
    };
    expect(await padded(true)).toBe(true);
    expect(await padded(false)).toBe(false);
  });

  it('resumes a background run right after the given number', async () => {
    const all = await collect(
      await s.client.responses.create({
        ...research,
        background: true,
        stream: true,
      }),
    );
    const [id] = ids(all);
    const rest = await collect(
      await s.client.responses.retrieve(id, {
        stream: true,
        starting_after: 4,
      }),
    );
    expect(rest).toEqual(all.slice(5));
  });

  it('continues in the background when its client disconnects', async () => {
    const stream = await s.client.responses.create({
      ...research,
      background: true,
      stream: true,
    });
    let id = '';
    for await (const event of stream)
      if (event.type === 'response.created') {
        id = event.response.id;
        break;
      }
    const resumed = await collect(
      await s.client.responses.retrieve(id, { stream: true }),
    );
    expect(resumed.at(-1)?.type).toBe('response.completed');
  });

  it('ends with its client in the foreground', async () => {
    await s.config({ research_ms: 60_000 });
    const stream = await s.client.responses.create({
      ...research,
      stream: true,
    });
    let id = '';
    for await (const event of stream)
      if (event.type === 'response.created') {
        id = event.response.id;
        break;
      }
    await until(
      async () =>
        (await s.client.responses.retrieve(id)).status === 'cancelled',
    );
  });

  it('is empty when resumed after its last event', async () => {
    const all = await collect(
      await s.client.responses.create({
        ...research,
        background: true,
        stream: true,
      }),
    );
    const rest = await s.client.responses.retrieve(ids(all)[0], {
      stream: true,
      starting_after: all.length - 1,
    });
    expect(await collect(rest)).toEqual([]);
  });

  it.each([
    [
      { stream: true },
      'This response cannot be streamed because it was not created with background=true.',
    ],
    [
      { background: true },
      'This response cannot be streamed because it was not created with stream=true.',
    ],
  ])('of a run created with %j is refused later', async (how, message) => {
    const created = await s.post('/v1/responses', { ...research, ...how });
    const id = /resp_[0-9a-f]+/.exec(await created.text())?.[0] ?? '';
    await expect(
      s.client.responses.retrieve(id, { stream: true }),
    ).rejects.toMatchObject({ status: 400, error: { message } });
  });

  it('is refused once it is older than the stream window', async () => {
    const all = await collect(
      await s.client.responses.create({
        ...research,
        background: true,
        stream: true,
      }),
    );
    await s.config({ stream_window_ms: 0 });
    await expect(
      s.client.responses.retrieve(ids(all)[0], { stream: true }),
    ).rejects.toMatchObject({
      error: {
        message:
          'This response can no longer be streamed because it is more than 5 minutes old.',
      },
    });
  });
});

describe('cancel', () => {
  let s: SandboxUnderTest;
  beforeAll(
    async () =>
      (s = await sandboxUnderTest({ strictItems: false, researchMs: 60_000 })),
  );
  afterEach(() => s.reset());
  afterAll(() => s.close());

  it('stops a background run, also when repeated', async () => {
    const { id } = await s.client.responses.create({
      ...research,
      background: true,
    });
    await s.client.responses.cancel(id);
    const again = await s.client.responses.cancel(id);
    const stored = await s.client.responses.retrieve(id);
    expect(again.status).toBe('cancelled');
    expect(stored).toMatchObject({ status: 'cancelled', usage: null });
  });

  it('ends the stream of the run without a terminal event', async () => {
    const stream = await s.client.responses.create({
      ...research,
      background: true,
      stream: true,
    });
    const types: string[] = [];
    for await (const event of stream) {
      types.push(event.type);
      if (event.type === 'response.created')
        await s.client.responses.cancel(event.response.id);
    }
    expect(types).not.toContain('response.completed');
  });

  it('refuses a run that is completed or was never in the background', async () => {
    await s.config({ research_ms: 1 });
    const { id } = await s.client.responses.create(research);
    await expect(s.client.responses.cancel(id)).rejects.toMatchObject({
      error: { message: 'Cannot cancel a synchronous response.' },
    });
    const background = await s.client.responses.create({
      ...research,
      background: true,
    });
    await until(
      async () =>
        (await s.client.responses.retrieve(background.id)).status ===
        'completed',
    );
    await expect(
      s.client.responses.cancel(background.id),
    ).rejects.toMatchObject({
      error: { message: 'Cannot cancel a completed response.' },
    });
  });
});
