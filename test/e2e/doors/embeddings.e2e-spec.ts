import { createHash } from 'node:crypto';
import OpenAI from 'openai';
import type { EmbeddingCreateParams } from 'openai/resources/embeddings';
import { priceFile } from '../../support/price-table';
import { sameDay } from '../../support/processes/preload';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const KEY = 'the-key-of-alice';
const sha256 = (text: string): string =>
  createHash('sha256').update(text).digest('hex');
const MODEL = 'text-embedding-3-small';
const PATH = '/v1/embeddings';
const MAIL = 'anna@example.com';
const kimchi = { model: MODEL, input: 'The history of kimchi' };

describe('embeddings by the SDK of OpenAI', () => {
  const prices = priceFile({
    [MODEL]: { inputPerMillion: 1_000, outputPerMillion: 0 },
  });
  let stand: Stand;
  let alice: OpenAI;
  let redacting: OpenAI;
  let strict: OpenAI;
  let without: OpenAI;

  beforeAll(async () => {
    stand = await Stand.start({
      workers: 0,
      apis: 0,
      env: {
        ...sameDay(),
        RELAY_API_KEYS: `alice:${sha256(KEY)}`,
        RELAY_EMBEDDING_MODELS: `${MODEL},bge-m3`,
        RELAY_PRICES_CONFIG: prices.path,
      },
    });
    const clientOf = async (env = {}) =>
      new OpenAI({
        baseURL: `${(await stand.addApi(env)).url}/v1`,
        apiKey: KEY,
        maxRetries: 0,
      });
    // Its first is `rest()`.
    alice = await clientOf();
    [redacting, strict, without] = await Promise.all([
      clientOf({ RELAY_GUARDRAILS: 'pii:redact' }),
      clientOf({
        RELAY_GUARDRAILS: 'pii:refuse',
        RELAY_TIMEOUT_SECONDS: '0.1',
      }),
      clientOf({ RELAY_EMBEDDING_MODELS: '' }),
    ]);
  });
  afterEach(async () => {
    await stand.clearFaults();
    await stand.reset();
    await stand.configure({ turn_ms: 1 });
  });
  afterAll(async () => {
    await stand.stop();
    prices.remove();
  });

  const rest = () => stand.client().as(KEY);
  const sent = async () => (await stand.requests()).map(({ body }) => body);
  const refusal = async (
    body: object,
    client = alice,
  ): Promise<Partial<InstanceType<typeof OpenAI.APIError>>> => {
    const error: unknown = await client.embeddings
      .create(body as EmbeddingCreateParams)
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    if (!(error instanceof OpenAI.APIError)) throw error;
    const { status, code, param, message } = error;
    return { status, code, param, message };
  };
  /** What the key has used of a model, today. */
  const used = async (model: string) => {
    const { body } = await rest().get('/api/v1/usage');
    const days: { usage: Record<string, unknown>[] }[] = body.data;
    const lines = days.flatMap(({ usage }) => usage);
    const line = lines.find((one) => one.model === model);
    return {
      count: Number(line?.count ?? 0),
      input: Number(line?.input_tokens ?? 0),
      usd: Number(line?.cost_usd ?? 0),
    };
  };

  it('are those of the endpoint, as numbers and in base64, which the SDK asks for by itself', async () => {
    const asked = await alice.embeddings.create(kimchi);
    const floats = await alice.embeddings.create({
      ...kimchi,
      encoding_format: 'float',
    });
    expect(asked).toMatchObject({
      object: 'list',
      model: MODEL,
      data: [{ object: 'embedding', index: 0 }],
      usage: { prompt_tokens: 1, total_tokens: 1 },
    });
    expect(asked.data[0].embedding).toEqual([
      ...Float32Array.from(floats.data[0].embedding),
    ]);
    expect(await sent()).toEqual([
      { ...kimchi, encoding_format: 'base64' },
      { ...kimchi, encoding_format: 'float' },
    ]);
  });

  it.each<[string, EmbeddingCreateParams['input']]>([
    ['texts', ['kimchi', '김치의 역사']],
    ['the token ids of a text', [1, 22, 333]],
    ['token ids', [[1, 22], [333]]],
  ])('are made of %s, with what else was asked for', async (_, input) => {
    const body = { model: 'bge-m3', input, dimensions: 8, user: 'u1' };
    const { data } = await alice.embeddings.create(body);
    const items = typeof input[0] === 'number' ? 1 : input.length;
    expect(data.map(({ embedding }) => embedding.length)).toEqual(
      Array.from({ length: items }, () => 8),
    );
    expect(await sent()).toEqual([{ ...body, encoding_format: 'base64' }]);
  });

  it('take null as absent', async () => {
    const nulls = { dimensions: null, encoding_format: null, user: null };
    const { status } = await rest().post(PATH, { ...kimchi, ...nulls });
    expect(status).toBe(200);
    expect(await sent()).toEqual([kimchi]);
  });

  it('have models at the end of the list, behind those that chat and research', async () => {
    const names = (await alice.models.list()).data.map(({ id }) => id);
    expect(names.slice(-3)).toEqual(['sonde-research', MODEL, 'bge-m3']);
    expect(await alice.models.retrieve(MODEL)).toMatchObject({ id: MODEL });
  });

  it('are refused for a model that is not offered, and the setting is named where none is', async () => {
    expect(await refusal({ ...kimchi, model: 'gpt-4o' })).toMatchObject({
      status: 404,
      code: 'model_not_found',
      param: 'model',
    });
    expect(await refusal(kimchi, without)).toMatchObject({
      status: 404,
      code: 'model_not_found',
      message: expect.stringContaining('RELAY_EMBEDDING_MODELS'),
    });
    expect(await sent()).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['no input', { input: undefined }, 'input'],
    ['an empty text', { input: '' }, 'input'],
    ['no texts', { input: [] }, 'input'],
    ['an empty text among others', { input: ['a', ''] }, 'input[1]'],
    ['texts and token ids', { input: ['a', 1] }, 'input[1]'],
    ['half a token', { input: [[1], [1.5]] }, 'input[1]'],
    ['too many', { input: Array(2_049).fill('a') }, 'input'],
    ['no dimensions', { dimensions: 0 }, 'dimensions'],
    ['another encoding', { encoding_format: 'hex' }, 'encoding_format'],
    ['a parameter that is not known', { input_type: 'query' }, 'input_type'],
  ])('are refused for %s, by name', async (_, more, param) => {
    expect(await refusal({ ...kimchi, ...more })).toMatchObject({
      status: 400,
      param,
      message: expect.stringContaining(param),
    });
    expect(await sent()).toEqual([]);
  });

  it.each<[string, object, object]>([
    [
      'its credentials are refused',
      { kind: 'status', status: 401 },
      { status: 502, code: 'upstream_unauthorized' },
    ],
    [
      'an item is too long',
      {
        kind: 'status',
        status: 400,
        code: 'context_length_exceeded',
        message: 'maximum context length is 8192 tokens, at http://10.0.0.7',
      },
      { status: 400, code: 'context_length_exceeded' },
    ],
    [
      'its model is gone',
      { kind: 'model_gone' },
      { status: 502, code: 'model_not_found' },
    ],
    [
      'it is a web page',
      { kind: 'status', status: 200, body: 'html' },
      { status: 502, code: 'upstream_wrong_url' },
    ],
    [
      'it breaks off',
      { kind: 'cut_body', bytes: 100 },
      { status: 502, code: 'upstream_error' },
    ],
    [
      'its reply has no vectors',
      { kind: 'status', status: 200 },
      { status: 502 },
    ],
  ])('fail as chats do where the endpoint fails: %s', async (_, fault, end) => {
    await stand.fault({ ...fault, count: 0, match: { path: '/embeddings' } });
    const error = await refusal(kimchi);
    expect(error).toMatchObject(end);
    expect(error.message).not.toMatch(/10\.0\.0\.7|sandbox/);
  });

  it('are asked for again where the endpoint refuses them for a moment', async () => {
    const passing = { kind: 'status', status: 429, retry_after_ms: 1 };
    await stand.fault({ ...passing, match: { path: '/embeddings' } });
    await alice.embeddings.create(kimchi);
    expect(await sent()).toHaveLength(2);
  });

  it('have a time limit', async () => {
    await stand.fault({ kind: 'hang', match: { path: '/embeddings' } });
    expect(await refusal(kimchi, strict)).toMatchObject({
      status: 504,
      code: 'upstream_timeout',
    });
  });

  it('end at the endpoint when their client leaves', async () => {
    await stand.fault({ kind: 'hang', match: { path: '/embeddings' } });
    const leaving = new AbortController();
    const asked = alice.embeddings.create(kimchi, { signal: leaving.signal });
    await until('the request', async () => (await sent()).length === 1);
    leaving.abort();
    await expect(asked).rejects.toThrow(OpenAI.APIUserAbortError);
    await until('the end of the request', async (saw) => {
      const { in_flight } = saw(await stand.stats());
      return in_flight === 0;
    });
  });

  it('pass a reply of many megabytes on as it is, and count what it reports', async () => {
    const before = await used(MODEL);
    const input = Array.from({ length: 600 }, (_, at) => `kimchi ${at + 10}`);
    const floats = await alice.embeddings.create({
      model: MODEL,
      input,
      encoding_format: 'float',
    });
    expect(floats.data).toHaveLength(600);
    expect(floats.usage.total_tokens).toBe(1_200);
    await until('the count', async (saw) => {
      const now = saw(await used(MODEL));
      return now.count > before.count && now.input === before.input + 1_200;
    });
    expect((await used(MODEL)).usd).toBeCloseTo(before.usd + 1.2, 6);
  });

  it('break off with the reply of the endpoint, and are counted by an estimate', async () => {
    await stand.fault({ kind: 'cut_body', bytes: 1_000_000, count: 0 });
    const input = Array.from({ length: 100 }, (_, at) => `kimchi ${at}`);
    const model = 'bge-m3';
    await expect(
      alice.embeddings.create({ model, input, encoding_format: 'float' }),
    ).rejects.toThrow();
    await until('the count', async (saw) => {
      const { count, input: tokens } = saw(await used(model));
      return count > 0 && tokens > 100;
    });
  });

  it('are made of what the guardrails leave, which read no token ids', async () => {
    const input = [`Write to ${MAIL}`, 'kimchi'];
    await redacting.embeddings.create({ model: MODEL, input });
    const [{ input: passed }] = await sent();
    expect(passed).toHaveLength(2);
    expect(JSON.stringify(passed)).not.toContain(MAIL);
    expect(
      await refusal({ ...kimchi, input: [1, 2] }, redacting),
    ).toMatchObject({
      status: 400,
      code: 'unsupported_parameter',
      param: 'input',
    });
    expect(await refusal({ model: MODEL, input }, strict)).toMatchObject({
      status: 400,
      code: 'content_filter',
      message: expect.stringContaining('pii'),
    });
    expect(await sent()).toHaveLength(1);
  });
});
