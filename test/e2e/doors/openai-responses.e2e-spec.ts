import { createHash } from 'node:crypto';
import type OpenAI from 'openai';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { KEYS } from '../../../src/runs/record/run-keys';
import {
  checked,
  endOf,
  openAi,
  wire,
} from '../../support/openai/openai-client';
import { OpenAiSchemas } from '../../support/openai/openai-schemas';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const HOUR = 3_600_000;
const RUNS = '/api/v1/tool-invocations';
const sha256 = (text: string): string =>
  createHash('sha256').update(text).digest('hex');
const ask = (input: string) => ({ model: 'o3-deep-research', input });

describe('research by the SDK of OpenAI', () => {
  let stand: Stand;
  let schemas: OpenAiSchemas;
  let alice: OpenAI;

  beforeAll(async () => {
    schemas = OpenAiSchemas.generate();
    stand = await Stand.start({
      apis: 2,
      researchMs: 100,
      env: {
        RELAY_API_KEYS: `alice:${sha256('the-key-of-alice')},bob:${sha256('the-key-of-bob')}`,
      },
    });
    alice = openAi(stand.apis[0].url, 'the-key-of-alice');
  }, 240_000);
  afterEach(async () => {
    await stand.reset();
    await stand.configure({ research_ms: 100 });
  });
  afterAll(() => stand.stop());

  const creates = async () => (await stand.stats()).creates;
  const hold = () => stand.configure({ research_ms: HOUR });
  const rest = () => stand.client().as('the-key-of-alice');
  const recordOf = async (responseId: string) =>
    (await rest().get(`${RUNS}/${responseId.replace('resp_', 'inv_')}`)).body;
  const ended = async (id: string) => {
    await until(`the response ${id} to end`, async (saw) => {
      const { status } = saw(await alice.responses.retrieve(id));
      return status !== 'queued' && status !== 'in_progress';
    });
    return alice.responses.retrieve(id);
  };

  it('returns the cited report in the foreground, of the same record as the other door', async () => {
    const create = alice.responses.create({
      ...ask('The history of kimchi'),
      instructions: 'Be brief.',
      metadata: { topic: 'food' },
      reasoning: { effort: 'medium', summary: 'auto' },
      tools: [{ type: 'web_search_preview' }],
      include: ['web_search_call.action.sources'],
    });
    const { data: response, response: reply } = await create.withResponse();
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
    schemas.expectResponse(wire(response));
    expect(response).toMatchObject({
      status: 'completed',
      model: 'o3-deep-research',
      background: false,
      instructions: 'Be brief.',
      metadata: { topic: 'food' },
      error: null,
    });
    const record = await recordOf(response.id);
    expect(record).toMatchObject({
      status: 'completed',
      output_text: response.output_text,
      deliverable_format: 'markdown_report',
    });
    const last = response.output.at(-1);
    const part = last?.type === 'message' ? last.content[0] : undefined;
    expect(part).toMatchObject({
      type: 'output_text',
      annotations: record.citations.map((citation: object) =>
        expect.objectContaining({ ...citation, type: 'url_citation' }),
      ),
    });
    expect(record.citations.length).toBeGreaterThan(0);
    const search = response.output.findLast(
      (item) =>
        item.type === 'web_search_call' && item.action.type === 'search',
    );
    expect(search).toMatchObject({
      action: {
        sources: record.sources.map(({ url }: { url: string }) => ({
          type: 'url',
          url,
        })),
      },
    });
    expect(await creates()).toBe(1);
    const again = await alice.responses.retrieve(response.id);
    expect(wire(again)).toEqual(wire(response));
  });

  it('runs in the background and is polled to its end, by any process', async () => {
    await hold();
    const begun = await alice.responses.create({
      ...ask('The history of tea'),
      background: true,
    });
    schemas.expectResponse(wire(begun));
    expect(begun).toMatchObject({ background: true, output: [] });
    await until('one purchase', async (saw) => saw(await creates()) === 1);
    const other = openAi(stand.apis[1].url, 'the-key-of-alice');
    const running = await other.responses.retrieve(begun.id);
    schemas.expectResponse(wire(running));
    expect(running.status).toBe('in_progress');
    await rest().post(`${RUNS}/${begun.id.replace('resp_', 'inv_')}/cancel`);
    const cancelled = await ended(begun.id);
    schemas.expectResponse(wire(cancelled));
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      error: { message: expect.stringMatching(/^cancelled: /) },
    });
  });

  it.each([false, true])(
    'streams the whole sequence, background %s, which resumes after every event',
    async (background) => {
      const stream = await alice.responses.create({
        ...ask(`The history of hangul, in the background: ${background}`),
        background,
        stream: true,
      });
      const events = await checked(schemas, stream);
      expect(events.map((event) => event.sequence_number)).toEqual([
        ...events.keys(),
      ]);
      const { id } = endOf(events);
      expect(events.at(-1)!.type).toBe('response.completed');
      const text = events
        .map((e) => (e.type === 'response.output_text.delta' ? e.delta : ''))
        .join('');
      expect((await recordOf(id)).output_text).toBe(text);
      for (const cut of [-1, ...events.keys()]) {
        const later = await alice.responses.retrieve(id, {
          stream: true,
          ...(cut >= 0 && { starting_after: cut }),
        });
        expect(await checked(schemas, later)).toEqual(events.slice(cut + 1));
      }
      const whole = await alice.responses.retrieve(id);
      expect(wire(whole)).toEqual(endOf(events));
    },
  );

  it('shows the final response through the helper of the SDK', async () => {
    const stream = alice.responses.stream(ask('The history of haenyeo'));
    const response = await stream.finalResponse();
    expect(response.status).toBe('completed');
    const record = await recordOf(response.id);
    expect(response.output_text).toBe(record.output_text);
  });

  it('resumes a stream at another process after the first was killed', async () => {
    await stand.configure({ research_ms: 3_000 });
    const killed = await stand.addApi();
    const stream = await openAi(
      killed.url,
      'the-key-of-alice',
    ).responses.create({
      ...ask('The history of jajangmyeon'),
      background: true,
      stream: true,
    });
    const first: ResponseStreamEvent[] = [];
    const cut = async () => {
      for await (const event of stream) {
        first.push(event);
        if (first.length === 3) await killed.stop('SIGKILL');
      }
    };
    // What had arrived before is read to its end.
    await cut().catch(() => undefined);
    stand.apis.pop();
    const { id } = endOf(first.slice(0, 1));
    const later = await alice.responses.retrieve(id, {
      stream: true,
      starting_after: first.at(-1)!.sequence_number,
    });
    const all = [...first, ...(await checked(schemas, later))];
    expect(all.map((event) => event.sequence_number)).toEqual([...all.keys()]);
    expect(endOf(all).status).toBe('completed');
    expect(await creates()).toBe(1);
  });

  it('is the model endpoint of another service, which buys once', async () => {
    const other = await Stand.start({
      env: {
        LITELLM_BASE_URL: `${stand.apis[0].url}/v1`,
        LITELLM_API_KEY: 'the-key-of-alice',
      },
    });
    try {
      const { body } = await other.client().research({});
      expect(body.status).toBe('completed');
      const record = await recordOf(body.upstream_response_id);
      expect(body.output_text).toBe(record.output_text);
      expect(body.citations).toEqual(record.citations);
      expect(await creates()).toBe(1);
    } finally {
      await other.stop();
    }
  });

  it('cuts streams at a restart, and the SDK repeats what it waits for at another process', async () => {
    await hold();
    const stopped = await stand.addApi();
    const stream = await openAi(
      stopped.url,
      'the-key-of-alice',
    ).responses.create({ ...ask('The history of salt'), stream: true });
    const read = async () => {
      for await (const event of stream) schemas.expectEvent(event);
    };
    const cut = expect(read()).rejects.toThrow();
    const urls: string[] = [];
    const pauses: (string | null)[] = [];
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const moving: typeof fetch = async (url, init) => {
      const isRetry = urls.length > 0;
      const { url: origin } = isRetry ? stand.apis[0] : stopped;
      urls.push(origin);
      if (isRetry) await released;
      const path = new URL(url as string).pathname;
      const reply = await fetch(origin + path, init);
      pauses.push(reply.headers.get('retry-after'));
      return reply;
    };
    const waiting = openAi(stopped.url, 'the-key-of-alice', {
      maxRetries: 5,
      fetch: moving,
    }).responses.create(ask('The history of tea'));
    await until('two purchases', async (saw) => saw(await creates()) === 2);
    stand.apis.pop();
    await stopped.stop();
    await cut;
    const { body } = await rest().get(`${RUNS}?status=running`);
    const { invocation_id: id } = body.data.find(
      ({ question }: { question: string }) => question.endsWith('tea'),
    );
    // Written anew when the repetition waits for the run.
    await stand.redis.call('HDEL', KEYS.record(id), 'followed_ms');
    release();
    await until(
      'the repetition to follow the run',
      async (saw) =>
        saw(await stand.redis.call('HGET', KEYS.record(id), 'followed_ms')) !==
        null,
    );
    await rest().post(`${RUNS}/${id}/cancel`);
    expect(await waiting).toMatchObject({
      id: id.replace('inv_', 'resp_'),
      status: 'cancelled',
    });
    expect(pauses).toEqual(['1', null]);
    expect(new Set(urls)).toEqual(new Set([stopped.url, stand.apis[0].url]));
    expect(await creates()).toBe(2);
  });
});
