import { createHash } from 'node:crypto';
import { BackgroundChat } from '../../support/chat/background-chat';
import type { Client } from '../../support/client';
import { expectProblem } from '../../support/problem';
import { Receiver } from '../../support/receiver';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const LIST = '/api/v1/tool-invocations';
const CHAT = '/api/v1/chat';
const PASSWORD = 'a password of the operators';
const MINE = { customer: '42', 'order id': '한글 & more' };
const hash = (key: string) => createHash('sha256').update(key).digest('hex');
const API_KEYS = ['alice', 'bob']
  .map((name) => `${name}:${hash(`key-of-${name}`)}`)
  .join();

describe('the metadata of runs', () => {
  let receiver: Receiver;
  let stand: Stand;
  let alice: Client;
  let bob: Client;

  beforeAll(async () => {
    receiver = await Receiver.start();
    stand = await Stand.start({
      researchMs: 50,
      env: {
        RELAY_API_KEYS: API_KEYS,
        RELAY_WEBHOOK_SECRETS: `*:whsec_${'o'.repeat(32)}`,
        RELAY_WEBHOOK_ALLOW_PRIVATE: 'true',
        RELAY_ADMIN_USER: 'ops',
        RELAY_ADMIN_PASSWORD: PASSWORD,
      },
    });
    alice = stand.client().as('key-of-alice');
    bob = stand.client().as('key-of-bob');
  });
  afterEach(() => stand.reset());
  afterAll(async () => {
    await stand.stop();
    await receiver.stop();
  });

  const listed = async (
    client: Client,
    query: Record<string, string>,
    path = LIST,
  ): Promise<string[]> => {
    const search = new URLSearchParams({ limit: '100', ...query });
    const { status, body } = await client.get(`${path}?${search.toString()}`);
    expect(status).toBe(200);
    return body.data.map(
      (one: { invocation_id?: string; chat_id?: string }) =>
        one.invocation_id ?? one.chat_id,
    );
  };
  const marked = (metadata: unknown, client = alice) =>
    client.research({ background: true }, {}, { metadata });

  it('are shown in the record and in the webhook, and not in the queue', async () => {
    const metadata = { customer: 'MARKER-42' };
    const run = await alice.submit(
      {},
      { metadata, webhook: { url: receiver.url } },
    );
    expect(await run.wait()).toMatchObject({ metadata });
    await until('the webhook', async () => receiver.of(run.id)[0]);
    expect(JSON.parse(receiver.of(run.id)[0].body)).toMatchObject({
      type: 'invocation.completed',
      data: { metadata },
    });
    expect(await stand.redis.dump('{sonde}*')).not.toContain('MARKER');
  });

  it('are null without any, and for a null', async () => {
    const bare = await alice.submit();
    expect((await bare.wait()).metadata).toBeNull();
    expect((await marked(null)).body.metadata).toBeNull();
  });

  it('find runs of any tool by one pair, or by several, of the same key alone', async () => {
    const one = await alice.submit({}, { metadata: MINE });
    const other = await alice.submit({}, { metadata: { customer: '42' } });
    const { body: tool } = await alice.post(LIST, {
      tool_name: 'get_current_datetime',
      arguments: {},
      metadata: { customer: '43' },
    });
    await alice.submit();
    await bob.submit({}, { metadata: MINE });
    expect(await listed(alice, { 'metadata[customer]': '42' })).toEqual([
      other.id,
      one.id,
    ]);
    expect(
      await listed(alice, {
        'metadata[customer]': '42',
        'metadata[order id]': MINE['order id'],
      }),
    ).toEqual([one.id]);
    expect(await listed(alice, { 'metadata[customer]': '43' })).toEqual([
      tool.invocation_id,
    ]);
    for (const key of ['customer', 'toString', '__proto__'])
      expect(await listed(alice, { [`metadata[${key}]`]: 'none' })).toEqual([]);
  });

  it('find chats that are on record', async () => {
    const request = { message: 'Hello', metadata: MINE };
    const chat = await BackgroundChat.begin(alice, request);
    await BackgroundChat.begin(alice, { message: 'Hello' });
    expect(await chat.wait()).toMatchObject({ metadata: MINE });
    const query = { 'metadata[customer]': '42' };
    expect(await listed(alice, query, CHAT)).toEqual([chat.id]);
    const { body } = await alice.get(`${CHAT}?metadata[customer]=42`);
    expect(body.data[0].metadata).toEqual(MINE);
  });

  it('a list has those that were created at a time or later, and before another', async () => {
    const first = await alice.submit();
    const { created_at: from } = await first.wait();
    const second = await alice.submit();
    const { created_at: to } = await second.read();
    expect(await listed(alice, { from: to })).toEqual([second.id]);
    expect(await listed(alice, { from, to })).toEqual([first.id]);
    expect(await listed(alice, { from: to, to })).toEqual([]);
    const earlier = await listed(alice, { to: from });
    expect(earlier).not.toContain(first.id);
    const day = from.slice(0, 10);
    expect(await listed(alice, { from: day })).toContain(first.id);
    expect(await listed(alice, { to: day })).not.toContain(first.id);
  });

  it.each([
    ['a text', 'metadata'],
    [['a'], 'metadata'],
    [{ n: 1 }, 'metadata'],
    [{ n: null }, 'metadata'],
    [{ '': 'x' }, 'metadata'],
    [{ ['k'.repeat(65)]: 'x' }, 'metadata'],
    [{ k: 'v'.repeat(513) }, 'metadata'],
    [
      Object.fromEntries(Array.from({ length: 17 }, (_, i) => [i, 'x'])),
      'metadata',
    ],
  ])('refuses %j', async (metadata, path) => {
    const refused = { status: 422, code: 'validation_failed', paths: [path] };
    expectProblem(await marked(metadata), refused);
    const chat = { message: 'Hello', metadata };
    expectProblem(await alice.post(CHAT, chat), refused);
  });

  it('takes as much as is allowed', async () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 16 }, (_, i) => [
        `${i}`.padStart(64, 'k'),
        '가'.repeat(512),
      ]),
    );
    expect((await marked(metadata)).body.metadata).toEqual(metadata);
  });

  it.each([
    ['from=yesterday', 'from'],
    ['to=2026-13-01', 'to'],
    ['from=2026-11-27T09:00', 'from'],
    ['from=2026-11-27&from=2026-11-28', 'from'],
    ['metadata[a]=1&metadata[a]=2', 'metadata'],
    ['metadata[]=1', 'metadata'],
    ['metadata=1', 'metadata'],
  ])('refuses a list with %s', async (query, path) => {
    for (const list of [LIST, CHAT])
      expectProblem(await alice.get(`${list}?${query}`), {
        status: 422,
        code: 'validation_failed',
        paths: [path],
      });
  });
});
