import { kindsOn } from '../../support/run-kinds';
import { createHash, randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { loadConfig } from '../../../src/config/load-config';
import { RedisConnections } from '../../../src/platform/redis/redis-connections';
import { RunReader } from '../../../src/runs/store/run-reader';
import { RunStore } from '../../../src/runs/store/run.store';
import type { Client, Reply } from '../../support/client';
import { expectProblem } from '../../support/problem';
import {
  type EventOptions,
  signedEvent,
} from '../../support/upstream/signed-event';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';
import { waitForEnd } from '../../support/event-log';

const PATH = '/webhooks/openai';
const KEY = 'the secret that is in use today!';
const OLD_KEY = 'plain text from before';
const SECRET = `whsec_${Buffer.from(KEY).toString('base64')}`;
const API_KEY = 'sk-alice';
const API_KEY_HASH = createHash('sha256').update(API_KEY).digest('hex');

describe('webhook events of the model endpoint', () => {
  let stand: Stand;
  let client: Client;
  let connections: RedisConnections;
  let store: RunStore;
  let reader: RunReader;
  let subscriber: Redis;
  const received: string[] = [];

  beforeAll(async () => {
    stand = await Stand.start({
      researchMs: 50,
      env: {
        OPENAI_WEBHOOK_SECRET: `${SECRET},${OLD_KEY}`,
        RELAY_API_KEYS: `alice:${API_KEY_HASH}`,
      },
    });
    client = stand.client();
    const config = loadConfig({ REDIS_URL: stand.redis.url });
    connections = new RedisConnections(config.redis!, 'wait');
    const { kinds } = kindsOn(connections);
    store = new RunStore(connections, config);
    reader = new RunReader(connections, kinds);
    subscriber = stand.redis.connect();
    subscriber.on('message', (_channel, text) => received.push(text));
    await subscriber.subscribe('sonde:bell');
  });
  beforeEach(() => stand.reset());
  afterAll(async () => {
    subscriber.disconnect();
    connections.onApplicationShutdown();
    await stand.stop();
  });

  /** An invocation whose worker is about to poll its run. */
  async function submitting() {
    const id = `inv_${randomUUID().replaceAll('-', '')}`;
    const attempt = randomUUID();
    await store.create(id, { tool: 'deep_research', mode: 'background' });
    const outcome = await store.claim(id, 'one', 60_000);
    if (outcome.kind !== 'claimed') throw new Error('not claimed');
    const { fence } = outcome.claim;
    await store.append(id, fence, 2, { fields: { attempt } });
    return { id, metadata: { invocation_id: id, attempt_id: attempt } };
  }

  const buy = (metadata: Record<string, string>): Promise<Response> =>
    fetch(`${stand.sandbox.url}/v1/responses`, {
      method: 'POST',
      body: JSON.stringify({
        model: 'o3-deep-research',
        input: 'The history of kimchi',
        tools: [{ type: 'web_search_preview' }],
        background: true,
        metadata,
      }),
    });
  async function purchaseRun(
    metadata: Record<string, string>,
  ): Promise<string> {
    const { id } = (await (await buy(metadata)).json()) as { id: string };
    return id;
  }

  const ended = (id: string, type = 'response.completed') => ({
    object: 'event',
    id: `evt_${id}`,
    type,
    created_at: 0,
    data: { id },
  });
  const deliver = (
    content: unknown,
    options: Partial<EventOptions> = {},
  ): Promise<Reply> => {
    const { body, headers } = signedEvent(content, { key: KEY, ...options });
    return client.request('POST', PATH, { raw: body, headers });
  };
  const upstreamId = async (id: string) => (await reader.read(id))?.upstreamId;
  const retrieves = async () => (await stand.stats()).retrieves;

  it('have no route unless a secret is configured', async () => {
    await stand.addApi({ OPENAI_WEBHOOK_SECRET: '' });
    const { body, headers } = signedEvent(ended('resp_1'), { key: '' });
    const reply = await stand
      .client(1)
      .request('POST', PATH, { raw: body, headers });
    expectProblem(reply, { status: 404, code: 'not_found' });
  });

  it('attach the run to a submission whose response was lost, and signal its worker', async () => {
    await stand.configure({
      webhook: { url: client.url + PATH, secret: SECRET },
    });
    await stand.fault({ kind: 'reset', after_create: true });
    const { id, metadata } = await submitting();
    await expect(buy(metadata)).rejects.toThrow();
    await until(`the news of ${id}`, (saw) =>
      saw(received).includes(`news ${id}`),
    );
    expect(await upstreamId(id)).toMatch(/^resp_/);
    expect(
      await stand.apis[0].waitForOutput(/"route":"\/webhooks\/openai".*/),
    ).toMatch('"status":200');
    expect((await stand.stats()).creates_by_invocation[id]).toBe(1);
  });

  it('let a worker continue a run that it purchased without knowing', async () => {
    await stand.configure({
      webhook: { url: client.url + PATH, secret: SECRET },
    });
    await stand.fault({ kind: 'reset', after_create: true });
    const invocation = await client.as(API_KEY).submit();
    const record = await waitForEnd(invocation);
    expect(record.status).toBe('completed');
    const { creates_by_invocation } = await stand.stats();
    expect(creates_by_invocation[invocation.id]).toBe(1);
  });

  it.each([
    'response.completed',
    'response.failed',
    'response.cancelled',
    'response.incomplete',
  ])(
    'are accepted as %s, with any configured secret and without an API key',
    async (type) => {
      const { id, metadata } = await submitting();
      const responseId = await purchaseRun(metadata);
      const reply = await deliver(ended(responseId, type), { key: OLD_KEY });
      expect(reply.status).toBe(200);
      expect(await upstreamId(id)).toBe(responseId);
    },
  );

  it('are rejected without a valid signature, and have no effect', async () => {
    const { id, metadata } = await submitting();
    const event = ended(await purchaseRun(metadata));
    const { body, headers } = signedEvent(event, { key: KEY });
    const tampered = body.replace('evt_', 'evt-');
    for (const reply of [
      await client.request('POST', PATH, { raw: body }),
      await client.request('POST', PATH, { raw: tampered, headers }),
      await client.request('POST', PATH, { headers }),
      await deliver(event, { key: 'guessed' }),
      await deliver(event, { offset: -600 }),
      await deliver(event, { offset: 600 }),
    ])
      expectProblem(reply, { status: 400, code: 'invalid_webhook_signature' });
    expect(await retrieves()).toBe(0);
    expect(await upstreamId(id)).toBeNull();
    expect(await stand.redis.dump('sonde:webhook:*')).not.toContain(
      headers['webhook-id'],
    );
  });

  it('are handled once, however often they are delivered', async () => {
    const { metadata } = await submitting();
    const event = ended(await purchaseRun(metadata));
    const options = { id: 'wh_repeated' };
    expect((await deliver(event, options)).status).toBe(200);
    expect((await deliver(event, { ...options, offset: 1 })).status).toBe(200);
    expect(await retrieves()).toBe(1);
    const seconds = await stand.redis.call('TTL', 'sonde:webhook:wh_repeated');
    expect(Number(seconds)).toBeGreaterThan(72 * 3600);
  });

  it.each<[string, unknown]>([
    ['another type', ended('batch_1', 'batch.completed')],
    ['a response without an id', { type: 'response.completed', data: {} }],
    ['no type', { hello: 'world' }],
    ['no object', [1, 2]],
  ])('are accepted and ignored with %s', async (_, content) => {
    expect((await deliver(content)).status).toBe(200);
    expect(await stand.stats()).toMatchObject({ retrieves: 0 });
  });

  it('are accepted and ignored for responses of other applications, known or not', async () => {
    for (const id of [await purchaseRun({}), 'resp_unknown'])
      expect((await deliver(ended(id))).status).toBe(200);
  });

  it('are rejected over 64 KiB', async () => {
    const content = { ...ended('resp_1'), padding: 'x'.repeat(64 * 1024) };
    expectProblem(await deliver(content), {
      status: 413,
      code: 'body_too_large',
    });
  });

  it('are requested again while the endpoint cannot be reached', async () => {
    const { id, metadata } = await submitting();
    const responseId = await purchaseRun(metadata);
    await stand.fault({
      kind: 'status',
      status: 500,
      match: { method: 'GET' },
    });
    const options = { id: 'wh_too_early' };
    const refused = await deliver(ended(responseId), options);
    expectProblem(refused, { status: 503, code: 'webhook_not_handled' });
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect((await deliver(ended(responseId), options)).status).toBe(200);
    expect(await upstreamId(id)).toBe(responseId);
  });

  it('are requested again while Redis is unavailable', async () => {
    const { id, metadata } = await submitting();
    const responseId = await purchaseRun(metadata);
    await stand.redis.down();
    const options = { id: 'wh_in_the_dark' };
    const refused = await deliver(ended(responseId), options);
    expectProblem(refused, { status: 503, code: 'queue_unavailable' });
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    await stand.redis.up();
    await until(
      'the webhook to be accepted',
      async (saw) =>
        saw(await deliver(ended(responseId), options)).status === 200,
    );
    expect(await upstreamId(id)).toBe(responseId);
  });
});
