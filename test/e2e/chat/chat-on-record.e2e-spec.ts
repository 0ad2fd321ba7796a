import { createHash, randomUUID } from 'node:crypto';
import { all, Client, opened } from '../../support/client';
import {
  type ChatFrame,
  waitForChatEnd,
  expectCompleteChatLog,
  BackgroundChat,
  turnTexts,
} from '../../support/chat/background-chat';
import { expectChatEvents } from '../../support/event-schemas';
import { expectProblem } from '../../support/problem';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const CHAT = '/api/v1/chat';
const INVOCATIONS = '/api/v1/tool-invocations';
const GREETING = '안녕하세요';
const QUESTION = '짜장면의 역사를 자세히 알려줘';
const CHAT_MODEL = { model: 'gpt-4o' };
const RESEARCH_MODEL = { model: 'o3-deep-research' };

const hash = (key: string) => createHash('sha256').update(key).digest('hex');
const API_KEYS = ['alice', 'bob']
  .map((name) => `${name}:${hash(`key-of-${name}`)}`)
  .join();

describe('background chats with two API processes and two workers', () => {
  let stand: Stand;
  let alice: Client;
  let elsewhere: Client;

  beforeAll(async () => {
    stand = await Stand.start({
      apis: 2,
      workers: 2,
      researchMs: 300,
      env: { RELAY_API_KEYS: API_KEYS },
    });
    alice = stand.client(0).as('key-of-alice');
    elsewhere = stand.client(1);
  });
  afterEach(() => stand.reset());
  afterAll(() => stand.stop());

  const begin = (message: string, more: object = {}) =>
    BackgroundChat.begin(alice, { message, ...more });
  /** A chat whose run of research continues until it is cancelled. */
  const beginEndless = async () => {
    const match = RESEARCH_MODEL;
    await stand.fault({ kind: 'stay', status: 'in_progress', match });
    const chat = await begin(QUESTION);
    await until(
      'one research run to be created',
      async (saw) => saw(await stand.stats()).creates === 1,
    );
    return chat;
  };
  const spent = async () => {
    const { creates, turns } = await stand.stats();
    return { creates, turns };
  };

  describe('submission', () => {
    it.each([
      ['background', { background: true }, {}],
      ['Prefer: respond-async', {}, { prefer: 'respond-async' }],
    ])('%s is accepted immediately', async (_, more, headers) => {
      await stand.fault({ kind: 'slow', ms: 500, match: CHAT_MODEL });
      const body = { message: GREETING, ...more };
      const reply = await alice.post(CHAT, body, headers);
      expect(reply.status).toBe(202);
      const { chat_id, invocation_token } = reply.body;
      expect(reply.headers.get('location')).toBe(`${CHAT}/${chat_id}`);
      expect(reply.body).toMatchObject({
        chat_id: expect.stringMatching(/^chat_/),
        invocation_token: expect.stringMatching(/^.{22,}$/),
        status: 'queued',
        content: null,
        completed_at: null,
      });
      const chat = new BackgroundChat(elsewhere, chat_id, invocation_token);
      expect((await waitForChatEnd(chat)).body).toMatchObject({
        chat_id,
        invocation_token: null,
        status: 'completed',
        content: expect.stringMatching(/\S/),
        completed_at: expect.stringMatching(/Z$/),
      });
    });

    it('every API process returns the same chat', async () => {
      const chat = await begin(QUESTION);
      const there = chat.through(elsewhere);
      const [followed, waited] = await Promise.all([
        all(there.events()),
        there.wait(),
      ]);
      expectCompleteChatLog(followed, waited);
      expect(waited).toMatchObject({
        status: 'completed',
        research_summary: expect.stringContaining('짜장면'),
      });
      expect(await chat.read()).toEqual(waited);
      expect(await there.read()).toEqual(waited);
    });

    it('the token of the chat opens the records of its tool calls', async () => {
      const chat = await begin(QUESTION);
      const { body } = await waitForChatEnd(chat.through(elsewhere));
      const [call] = body.tool_calls;
      expect(call.invocation_token).toBeNull();
      const { invocation_id } = call;
      const research = chat.through(elsewhere).invocation(invocation_id);
      expect(await research.read()).toMatchObject({
        status: 'completed',
        output_text: body.research_summary,
      });
    });

    it('background and stream together are rejected', async () => {
      const body = { message: GREETING, stream: true };
      expectProblem(await alice.post(CHAT, { ...body, background: true }), {
        status: 422,
        code: 'validation_failed',
        paths: ['background', 'stream'],
      });
      const recordingHeaders: Record<string, string>[] = [
        { 'idempotency-key': randomUUID() },
        { prefer: 'respond-async' },
      ];
      for (const headers of recordingHeaders)
        expectProblem(await alice.post(CHAT, body, headers), {
          status: 422,
          code: 'validation_failed',
          paths: ['stream'],
        });
      expect(await spent()).toEqual({ creates: 0, turns: 0 });
    });

    it('a request that cannot be answered is rejected at submission', async () => {
      const contents = [{ type: 'text', text: GREETING }];
      const messages = [{ role: 'assistant', contents }];
      const reply = await alice.post(CHAT, { messages, background: true });
      expectProblem(reply, { status: 422, code: 'validation_failed' });
    });

    it('a failed first turn of the model fails the chat', async () => {
      await stand.fault({
        kind: 'status',
        status: 401,
        count: 0,
        match: CHAT_MODEL,
      });
      const chat = await begin(GREETING);
      const { body, frames } = await waitForChatEnd(chat.through(elsewhere));
      expect(body).toMatchObject({
        status: 'failed',
        content:
          'The chat request failed. The model endpoint refused the credentials.',
        error: { code: 'upstream_unauthorized' },
      });
      expect(frames.at(-1)!.event).toBe('error');
    });

    it('an empty answer of the model fails the chat', async () => {
      await stand.fault({ kind: 'empty', count: 0, match: CHAT_MODEL });
      const chat = await begin(GREETING);
      const { body } = await waitForChatEnd(chat.through(elsewhere));
      const whole = await alice.post(CHAT, { message: GREETING });
      expect(body).toMatchObject({
        status: 'failed',
        content: whole.body.content,
      });
      expect(whole.body.status).toBe('failed');
    });
  });

  describe('access', () => {
    const paths = (id: string) => [
      ['GET', `${CHAT}/${id}`],
      ['GET', `${CHAT}/${id}/wait`],
      ['GET', `${CHAT}/${id}/events`],
      ['POST', `${CHAT}/${id}/cancel`],
      ['DELETE', `${CHAT}/${id}`],
    ];

    it('a chat opens to its API key or its token, and to nothing else', async () => {
      const chat = await begin(GREETING);
      const { body } = await waitForChatEnd(chat);
      const tokenOnly = new BackgroundChat(elsewhere, chat.id, chat.token);
      expect(await tokenOnly.read()).toEqual(body);
      const owner = await elsewhere.as('key-of-alice').get(chat.path);
      expect(owner).toMatchObject({ status: 200, body });
      const denied = { status: 403, code: 'invalid_invocation_token' };
      const unknown = { status: 404, code: 'chat_not_found' };
      const token = { 'x-invocation-token': 'x'.repeat(43) };
      for (const [method, path] of paths(chat.id)) {
        for (const [client, answer] of [
          [elsewhere, denied],
          [elsewhere.as('key-of-bob'), unknown],
        ] as const) {
          expectProblem(await client.request(method, path), answer);
          const headers = { headers: token };
          expectProblem(await client.request(method, path, headers), answer);
        }
      }
    });

    it('an id of another kind never resolves on the routes of chats', async () => {
      const chat = await begin(QUESTION);
      const { body } = await waitForChatEnd(chat);
      const [{ invocation_id }] = body.tool_calls;
      const { headers } = chat;
      const unknown = `chat_${randomUUID().replaceAll('-', '')}`;
      for (const id of [unknown, invocation_id, 'chat_', 'x'])
        for (const [method, path] of paths(id))
          expectProblem(await alice.request(method, path, { headers }), {
            status: 404,
            code: 'chat_not_found',
          });
      for (const [method, path] of paths(chat.id))
        expectProblem(
          await alice.request(method, path.replace(CHAT, INVOCATIONS), {
            headers,
          }),
          { status: 404, code: 'invocation_not_found' },
        );
      expect(await chat.read()).toEqual(body);
    });

    it('a chat appears in no listing, and its tool calls remain listed', async () => {
      const chat = await begin(QUESTION);
      const { body } = await waitForChatEnd(chat);
      const listed = await alice.get(`${INVOCATIONS}?limit=100`);
      const ids = (listed.body.data as { invocation_id: string }[]).map(
        ({ invocation_id }) => invocation_id,
      );
      expect(ids).toContain(body.tool_calls[0].invocation_id);
      expect(ids.filter((id) => !id.startsWith('inv_'))).toEqual([]);
      const chats = await alice.get(`${INVOCATIONS}?tool_name=chat`);
      expect(chats.body.data ?? []).toEqual([]);
    });
  });

  describe('cancellation', () => {
    it('cancelling stops the research that the chat started, at the upstream as well', async () => {
      const chat = await beginEndless();
      const there = chat.through(elsewhere);
      expect((await there.cancel()).status).toBe(202);
      const { body } = await waitForChatEnd(chat);
      expect(body).toMatchObject({
        status: 'cancelled',
        error: { code: 'cancelled' },
      });
      const { status, body: again } = await there.cancel();
      expect({ status, body: again }).toEqual({ status: 200, body });
      await until(
        'the research run to be cancelled upstream',
        async (saw) => saw(await stand.stats()).cancels === 1,
      );
      expect(await stand.stats()).toMatchObject({ creates: 1, in_flight: 0 });
      const frames = await all(there.events());
      const call = frames.find(({ event }) => event === 'tool_call')!;
      const research = chat.invocation(call.data.invocation_id);
      expect(await research.wait()).toMatchObject({ status: 'cancelled' });
    });

    it('cancelling stops the turn of the model', async () => {
      await stand.fault({ kind: 'slow', ms: 60_000, match: CHAT_MODEL });
      const chat = await begin(GREETING);
      await until(
        'the first turn of the model',
        async (saw) => saw(await stand.stats()).turns === 1,
      );
      expect((await chat.cancel()).status).toBe(202);
      expect((await waitForChatEnd(chat)).body.status).toBe('cancelled');
      await until(
        'no request to be in flight upstream',
        async (saw) => saw(await stand.stats()).in_flight === 0,
      );
    });

    it('DELETE cancels the chat and deletes it with its tool calls', async () => {
      const chat = await beginEndless();
      const reply = await chat.through(elsewhere).remove();
      expect(reply.status).toBe(204);
      await until(
        'the research run to be cancelled upstream',
        async (saw) => saw(await stand.stats()).cancels === 1,
      );
      await until(
        'the chat to be deleted',
        async (saw) => saw(await chat.read()).code === 'chat_not_found',
      );
      await until('Redis to hold only the trace of the deleted chat', () =>
        stand.redis.hasForgotten(chat.id),
      );
    });

    it('an ended chat cannot be cancelled, only deleted', async () => {
      const chat = await begin(GREETING);
      const { body } = await waitForChatEnd(chat);
      expect(await chat.cancel()).toMatchObject({ status: 200, body });
      expect((await chat.remove()).status).toBe(204);
      expect((await chat.read()).code).toBe('chat_not_found');
      expect((await chat.remove()).status).toBe(404);
    });
  });

  describe('Idempotency-Key', () => {
    const ask = (client: Client, key: string, message: string, more = {}) =>
      client.post(CHAT, { message }, { 'idempotency-key': key, ...more });

    it('repeated requests return the same chat from every process', async () => {
      const key = randomUUID();
      const first = await ask(alice, key, QUESTION);
      expect(first.status).toBe(200);
      expect(first.headers.has('idempotent-replayed')).toBe(false);
      const before = await spent();
      expect(before).toEqual({ creates: 1, turns: 2 });
      const again = await ask(elsewhere.as('key-of-alice'), key, QUESTION);
      expect(again.status).toBe(200);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      const { invocation_token } = again.body;
      expect(again.body).toEqual({ ...first.body, invocation_token });
      for (const token of [first.body.invocation_token, invocation_token]) {
        const chat = new BackgroundChat(elsewhere, first.body.chat_id, token);
        expectCompleteChatLog(await all(chat.events()), await chat.read());
      }
      expect(await spent()).toEqual(before);
    });

    it('another body under the same key is rejected, also while the chat runs', async () => {
      const key = randomUUID();
      const first = ask(alice, key, QUESTION);
      const refused = { status: 422, code: 'idempotency_mismatch' };
      await until(
        'the first turn of the model',
        async (saw) => saw(await stand.stats()).turns > 0,
      );
      expectProblem(await ask(alice, key, GREETING), refused);
      expect((await first).status).toBe(200);
      expectProblem(await ask(alice, key, GREETING), refused);
    });

    it('concurrent foreground requests all wait for the one chat', async () => {
      const key = randomUUID();
      const replies = await Promise.all(
        [alice, elsewhere.as('key-of-alice'), alice].map((client) =>
          ask(client, key, QUESTION),
        ),
      );
      const [{ body }] = replies;
      for (const reply of replies)
        expect(reply).toMatchObject({
          status: 200,
          body: { chat_id: body.chat_id, content: body.content },
        });
      expect(
        replies.filter(({ headers }) => !headers.has('idempotent-replayed')),
      ).toHaveLength(1);
      expect(await spent()).toEqual({ creates: 1, turns: 2 });
    });

    it('the same key of another caller is another chat', async () => {
      const key = randomUUID();
      const first = await ask(alice, key, GREETING);
      const second = await ask(elsewhere.as('key-of-bob'), key, GREETING);
      expect(second.headers.has('idempotent-replayed')).toBe(false);
      expect(second.body.chat_id).not.toBe(first.body.chat_id);
    });

    it('a foreground request waits no longer than it prefers', async () => {
      const key = randomUUID();
      await stand.fault({ kind: 'slow', ms: 1_000, match: RESEARCH_MODEL });
      const reply = await ask(alice, key, QUESTION, { prefer: 'wait=0' });
      expect(reply.status).toBe(202);
      const { chat_id, invocation_token } = reply.body;
      expect(reply.headers.get('location')).toBe(`${CHAT}/${chat_id}`);
      await waitForChatEnd(
        new BackgroundChat(elsewhere, chat_id, invocation_token),
      );
      const again = await ask(alice, key, QUESTION, { prefer: 'wait=0' });
      expect(again).toMatchObject({ status: 200, body: { chat_id } });
      expect(await spent()).toEqual({ creates: 1, turns: 2 });
    });

    it('a failed chat is not retried', async () => {
      const key = randomUUID();
      const match = CHAT_MODEL;
      await stand.fault({ kind: 'status', status: 401, count: 0, match });
      const first = await ask(alice, key, GREETING);
      expect(first.body.status).toBe('failed');
      await stand.clearFaults();
      const { body } = await ask(alice, key, GREETING);
      expect(body).toMatchObject({
        chat_id: first.body.chat_id,
        status: 'failed',
      });
      expect(await spent()).toEqual({ creates: 0, turns: 0 });
    });
  });

  describe('events', () => {
    it('the log is the same live and afterwards, and reading it starts no work', async () => {
      const chat = await begin(QUESTION);
      const live = await all(chat.events());
      const body = await chat.read();
      expectCompleteChatLog(live, body);
      expectChatEvents(live);
      expect(turnTexts(live).at(-1)).toBe(body.content);
      const before = await spent();
      expect(before).toEqual({ creates: 1, turns: 2 });
      const late = await Promise.all(
        [alice, elsewhere, alice, elsewhere].map((client) =>
          all(chat.through(client).events()),
        ),
      );
      for (const frames of late) expect(frames).toEqual(live);
      expect(await spent()).toEqual(before);
    });

    it('a stream resumes after any event without a gap or a duplicate', async () => {
      const chat = await begin(QUESTION);
      const { frames } = await waitForChatEnd(chat);
      expect(frames.length).toBeGreaterThan(8);
      const there = chat.through(elsewhere);
      for (const [at, { id }] of frames.entries())
        expect(await all(there.events(id))).toEqual(frames.slice(at + 1));
      const [gap, ...more] = await all(there.events('9999'));
      expect([gap.event, more]).toEqual(['gap', []]);
      expectChatEvents([gap]);
    });

    it('a follower resumes at another process when the one that streams shuts down', async () => {
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        const match = RESEARCH_MODEL;
        await stand.fault({ kind: 'pause', fraction: 0.5, match });
        const api = await stand.addApi();
        stand.apis.pop();
        const client = new Client(api.url, alice.headers);
        const chat = await BackgroundChat.begin(client, { message: QUESTION });
        const first: ChatFrame[] = [];
        const broken = (async () => {
          for await (const frame of chat.events()) {
            first.push(frame);
            if (frame.event === 'tool_call') api.signal(signal);
          }
        })();
        await broken.catch((error: unknown) => {
          // `fetch` belongs to another realm than the test, so that instanceof does not hold.
          if ((error as Error).name !== 'TypeError') throw error;
        });
        await api.end();
        expect(first.at(-1)!.event).not.toBe('completed');
        await stand.clearFaults();
        const there = chat.through(elsewhere);
        const rest = await all(there.events(first.at(-1)!.id));
        expectCompleteChatLog([...first, ...rest], await there.read());
      }
    });
  });

  it('a background chat survives a Redis outage', async () => {
    await stand.fault({ kind: 'slow', ms: 1_500, match: RESEARCH_MODEL });
    const chat = await begin(QUESTION);
    const followed = await opened(chat.through(elsewhere).events());
    const waited = chat.wait();
    await chat.reaches('tool_progress');
    await stand.redis.down();
    await until(
      'no request to be in flight upstream',
      async (saw) => saw(await stand.stats()).in_flight === 0,
    );
    await stand.redis.up();
    const body = await waited;
    expect(body).toMatchObject({
      status: 'completed',
      research_summary: expect.stringContaining('짜장면'),
    });
    expectCompleteChatLog(await followed.all, body);
    expect((await stand.stats()).creates).toBe(1);
  });
});
