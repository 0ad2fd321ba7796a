import { createHash } from 'node:crypto';
import { BackgroundChat } from '../../support/chat/background-chat';
import type { Client } from '../../support/client';
import { expectProblem } from '../../support/problem';
import { Stand } from '../../support/processes/stand';

const CHAT = '/api/v1/chat';
const INVOCATIONS = '/api/v1/tool-invocations';

const hash = (key: string) => createHash('sha256').update(key).digest('hex');
const API_KEYS = ['alice', 'bob', 'carol']
  .map((name) => `${name}:${hash(`key-of-${name}`)}`)
  .join();

interface Page {
  data: { chat_id: string }[];
  has_more: boolean;
  next_cursor: string | null;
}

describe('the listing of chats', () => {
  let stand: Stand;
  let alice: Client;
  let bob: Client;

  beforeAll(async () => {
    stand = await Stand.start({ env: { RELAY_API_KEYS: API_KEYS } });
    alice = stand.client().as('key-of-alice');
    bob = stand.client().as('key-of-bob');
  });
  afterEach(() => stand.reset());
  afterAll(() => stand.stop());

  const page = async (client: Client, query = ''): Promise<Page> => {
    const { status, body } = await client.get(`${CHAT}?${query}`);
    expect(status).toBe(200);
    return body as Page;
  };
  const idsOf = ({ data }: Page) => data.map(({ chat_id }) => chat_id);
  const answered = async (client: Client, message: string) => {
    const chat = await BackgroundChat.begin(client, { message });
    expect((await chat.wait()).status).toBe('completed');
    return chat;
  };

  it("shows the caller's own, newest first, page by page, without answers and tokens", async () => {
    const chats = [];
    for (const name of ['one', 'two', 'three'])
      chats.push(await answered(alice, `Hello ${name}`));
    await answered(bob, 'Hello');
    const ids = chats.map(({ id }) => id).reverse();
    const first = await page(alice, 'limit=2');
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    expect(first).toMatchObject({ has_more: true, next_cursor: ids[1] });
    const rest = await page(alice, `limit=2&cursor=${first.next_cursor}`);
    expect(idsOf(rest)).toEqual(ids.slice(2));
    expect(rest).toMatchObject({ has_more: false, next_cursor: null });
    const read = await chats[2].read();
    expect(read.question).toBe('Hello three');
    const { chat_id, question, metadata, status, cost, error } = read;
    const { created_at, started_at, completed_at, expires_at } = read;
    expect(first.data[0]).toEqual({
      chat_id,
      question,
      metadata,
      status,
      cost,
      error,
      created_at,
      started_at,
      completed_at,
      expires_at,
    });
  });

  it('has chats by their status, those that wait for a person too', async () => {
    const done = await answered(alice, 'Hello');
    const { body } = await alice.post(CHAT, {
      message: 'Research it',
      clarification: 'auto',
    });
    expect(body.status).toBe('requires_action');
    const waiting = await page(alice, 'status=requires_action');
    expect(waiting.data).toMatchObject([
      { chat_id: body.chat_id, question: 'Research it' },
    ]);
    const ended = idsOf(await page(alice, 'status=completed'));
    expect(ended).toContain(done.id);
    expect(ended).not.toContain(body.chat_id);
    expect(idsOf(await page(alice, 'status=failed'))).toEqual([]);
  });

  it('has the last words of the user as the question, cut off', async () => {
    const user = (text: string) => ({
      role: 'user',
      contents: [{ type: 'text', text }],
    });
    const chat = await BackgroundChat.begin(bob, {
      messages: [user('first'), user('짜장면 '.repeat(500))],
      context: ['Something else.'],
    });
    const [{ question }] = (await page(bob, 'limit=1')).data as unknown as {
      question: string;
    }[];
    expect(question).toBe(`${'짜장면 '.repeat(500).slice(0, 999)}…`);
    expect((await chat.wait()).question).toBe(question);
  });

  it('finds chats by a part of their questions, in upper or lower case', async () => {
    const one = await answered(bob, 'Où est le Café?');
    await answered(bob, 'Hello');
    const search = encodeURIComponent('CAFÉ'.normalize('NFD'));
    const found = await page(bob, `search=${search}`);
    expect(idsOf(found)).toEqual([one.id]);
    expect(found).toMatchObject({ has_more: false, next_cursor: null });
    expect(idsOf(await page(bob, `search=${search}&status=failed`))).toEqual(
      [],
    );
  });

  it('keeps chats and tool invocations apart', async () => {
    const carol = stand.client().as('key-of-carol');
    const chat = await answered(
      carol,
      'Tell me about the history of kimchi in detail',
    );
    const { tool_calls } = await chat.read();
    const { body } = await carol.get(INVOCATIONS);
    expect(
      body.data.map((one: { invocation_id: string }) => one.invocation_id),
    ).toEqual([tool_calls[0].invocation_id]);
    expect(body.has_more).toBe(false);
    expect(idsOf(await page(carol))).toEqual([chat.id]);
  });

  it('omits deleted ones, and those whose record is gone', async () => {
    const [deleted, lost, kept] = [
      await answered(alice, 'Hello'),
      await answered(alice, 'Hello'),
      await answered(alice, 'Hello'),
    ];
    expect((await deleted.remove()).status).toBe(204);
    await stand.redis.call('DEL', `sonde:{${lost.id}}:record`);
    const ids = idsOf(await page(alice));
    expect(ids).toContain(kept.id);
    expect(ids).not.toContain(deleted.id);
    expect(ids).not.toContain(lost.id);
  });

  it.each([
    ['status=incomplete', 'status'],
    ['status=lost', 'status'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    [`cursor=inv_${'0'.repeat(32)}`, 'cursor'],
    ['tool_name=chat', 'tool_name'],
    ['search=', 'search'],
    [`search=${'a'.repeat(201)}`, 'search'],
    ['search=a&search=b', 'search'],
  ])('refuses %s', async (query, path) => {
    expectProblem(await alice.get(`${CHAT}?${query}`), {
      status: 422,
      code: 'validation_failed',
      paths: [path],
    });
  });

  it('needs an API key', async () => {
    expectProblem(await stand.client().get(CHAT), {
      status: 401,
      code: 'missing_api_key',
    });
  });
});
