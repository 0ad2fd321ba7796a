import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { derivedId, timeOf } from '../../../src/runs/record/run-id';
import { Client } from '../../support/client';
import { ToolCallLog } from '../../support/tool-call-log';
import {
  beginChat,
  finalData,
  framesIn,
  ChatHandle,
  CHAT_MODES,
} from '../../support/chat/chat-handle';
import { ModernServer } from '../../support/mcp/mcp-server';
import { expectProblem } from '../../support/problem';
import { Stand } from '../../support/processes/stand';
import { Toolbox, testTools } from '../../support/processes/toolbox';
import { until } from '../../support/until';

const hash = (key: string) => createHash('sha256').update(key).digest('hex');
const API_KEYS = ['alice', 'bob']
  .map((name) => `${name}:${hash(`key-of-${name}`)}`)
  .join();
const ERASE = 'archive__erase';

const calling = (name: string, args: object) =>
  `[sandbox: call ${name} ${JSON.stringify(args)}]`;
const DELETE = calling('delete_note', { word: 'kimchi' });
const SEND = calling('send_note', { word: 'kimchi' });
const ASK = calling('ask_user', { question: 'Which one?' });

const NOT_WAITING = { status: 409, code: 'not_waiting' };
const invalid = (...paths: string[]) => ({
  status: 422,
  code: 'validation_failed',
  paths,
});

describe('decisions on a suspended chat', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-decisions-'));
  const callLog = new ToolCallLog();
  let archive: ModernServer;
  let stand: Stand;
  let alice: Client;

  beforeAll(async () => {
    archive = await ModernServer.start();
    archive.destructive = ['erase'];
    const file = join(folder, 'mcp.json');
    const mcpServers = { archive: { url: archive.url } };
    writeFileSync(file, JSON.stringify({ mcpServers }));
    stand = await Stand.start({
      apis: 2,
      toolbox: new Toolbox(testTools('plain.tool.ts', 'risky.tool.ts')),
      env: {
        ...callLog.env,
        RELAY_API_KEYS: API_KEYS,
        RELAY_MCP_CONFIG: file,
      },
    });
    alice = stand.client().as('key-of-alice');
    await stand.lists(ERASE, 'key-of-alice');
  });
  afterEach(async () => {
    callLog.clear();
    await stand.reset();
  });
  afterAll(async () => {
    await stand.stop();
    await archive.stop();
    callLog.remove();
    rmSync(folder, { recursive: true });
  });

  const begin = async (message: string, more: object = {}) => {
    const body = { message, ...more };
    const { reply, chat } = await beginChat(alice, 'plain', body);
    expect(reply.status).toBe('requires_action');
    const { approvals, questions } = reply.required_action as Awaited;
    const ids = [...approvals, ...questions].map(({ call_id }) => call_id);
    return { reply, chat, ids };
  };
  const done = () => callLog.entries().map(({ tool }) => tool);
  const reportedLast = async () =>
    JSON.stringify((await stand.requests()).at(-1)!.body);

  it('a repeated decision is accepted, a contradicting one is rejected', async () => {
    const { chat, ids } = await begin(DELETE + SEND);
    const [a, b] = ids;
    expect((await chat.approve(a)).status).toBe(202);
    expect((await chat.approve(a)).status).toBe(202);
    const conflict = { status: 409, code: 'decision_conflict' };
    expectProblem(await chat.approve(a, false), conflict);
    // A request takes effect as a whole or not at all.
    const given = [
      { call_id: b, approve: true },
      { call_id: a, approve: false },
    ];
    expectProblem(await chat.decide('approvals', given), conflict);
    expect(await chat.read()).toMatchObject({ status: 'requires_action' });
    expect(done()).toEqual([]);
    expect((await chat.approve(b, false)).status).toBe(202);
    expect(await chat.wait()).toMatchObject({ status: 'completed' });
    expect(done()).toEqual(['delete_note']);
  });

  it('concurrent approvals resume the chat exactly once', async () => {
    const { chat, ids } = await begin(DELETE);
    const elsewhere = chat.through(stand.client(1));
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        (at % 2 ? chat : elsewhere).approve(ids[0]),
      ),
    );
    const codes = replies.map(({ status }) => status);
    expect(codes).toContain(202);
    // The chat had resumed before they arrived.
    for (const reply of replies)
      if (reply.status !== 202) expectProblem(reply, NOT_WAITING);
    expect(await chat.wait()).toMatchObject({ status: 'completed' });
    expect(done()).toEqual(['delete_note']);
  });

  it('an ended chat accepts no decision', async () => {
    const { chat, ids } = await begin(DELETE);
    await chat.approve(ids[0], false);
    await chat.wait();
    for (const approve of [true, false])
      expectProblem(await chat.approve(ids[0], approve), NOT_WAITING);
    expectProblem(await chat.answer(ids[0], 'kimchi'), NOT_WAITING);
    expect(done()).toEqual([]);
  });

  it('decisions on calls that are not pending are rejected by their path', async () => {
    const { chat, ids } = await begin(DELETE);
    const right = { call_id: ids[0], approve: true };
    const wrong = { call_id: 'call_of_another', approve: true };
    expectProblem(
      await chat.decide('approvals', [right, wrong]),
      invalid('approvals.1.call_id'),
    );
    expectProblem(
      await chat.decide('approvals', [right, { ...right, approve: false }]),
      invalid('approvals.1.call_id'),
    );
    expect(await chat.read()).toMatchObject({ status: 'requires_action' });
    expect(done()).toEqual([]);
  });

  it('a question takes an answer, and a call takes an approval', async () => {
    const { reply, chat, ids } = await begin(ASK + DELETE, {
      clarification: 'auto',
    });
    expect(reply.content).toBe(
      'Which one?\n\nThis needs your approval: delete_note.',
    );
    const [call, question] = ids;
    const fault = (list: string) => invalid(`${list}.0.call_id`);
    expectProblem(await chat.approve(question), fault('approvals'));
    expectProblem(await chat.answer(call, 'Yes'), fault('answers'));
    expect((await chat.answer(question, 'The old one')).status).toBe(202);
    expect(done()).toEqual([]);
    expect((await chat.approve(call)).status).toBe(202);
    expect(await chat.wait()).toMatchObject({ status: 'completed' });
    expect(done()).toEqual(['delete_note']);
    expect(await reportedLast()).toMatch(/The old one.*Deleted kimchi\./);
  });

  it.each([
    ['approvals', undefined, ['approvals']],
    ['approvals', [], ['approvals']],
    ['approvals', 'all', ['approvals']],
    ['approvals', ['all'], ['approvals', 'approvals.0']],
    ['approvals', [{ approve: true }], ['approvals.0.call_id']],
    ['approvals', [{ call_id: 'c' }], ['approvals.0.approve']],
    ['approvals', [{ call_id: 'c', approve: 'yes' }], ['approvals.0.approve']],
    [
      'approvals',
      [{ call_id: 'c', approve: false, reason: 7 }],
      ['approvals.0.reason'],
    ],
    [
      'approvals',
      [{ call_id: 'c', approve: true, answer: 'a' }],
      ['approvals.0.answer'],
    ],
    ['answers', [{ call_id: 'c', answer: '' }], ['answers.0.answer']],
    ['answers', [{ call_id: '', answer: 'a' }], ['answers.0.call_id']],
  ] as const)('rejects %s of %j', async (list, given, paths) => {
    const { chat } = await begin(DELETE);
    expectProblem(await chat.decide(list, given), invalid(...paths));
    expect(await chat.read()).toMatchObject({ status: 'requires_action' });
    await chat.cancel();
  });

  it('only the owner and holders of the token may decide', async () => {
    const { chat, ids } = await begin(DELETE + SEND);
    const bob = alice.as('key-of-bob');
    const refused = { status: 403, code: 'invalid_invocation_token' };
    const unknown = { status: 404, code: 'chat_not_found' };
    for (const [client, token, answer] of [
      [bob, '', unknown],
      [bob, 'ivt_wrong', unknown],
      [stand.client(), 'ivt_wrong', refused],
      [stand.client(), '', refused],
    ] as const) {
      const other = chat.through(client, token);
      expectProblem(await other.approve(ids[0]), answer);
      expectProblem(await other.answer(ids[0], 'a'), answer);
      expectProblem(await other.get(''), answer);
    }
    expect((await chat.through(alice, '').approve(ids[0])).status).toBe(202);
    const { status } = await chat.through(bob).approve(ids[1], false);
    expect(status).toBe(202);
    expect(await chat.wait()).toMatchObject({ status: 'completed' });
    expect(done()).toEqual(['delete_note']);
  });

  it.each(CHAT_MODES)(
    'the token of the chat opens its tool calls, before and after suspension (%s)',
    async (mode) => {
      const message =
        calling('write_down', { word: 'a' }) +
        '[sandbox: then delete_note {"word": "b"}]';
      const body = { message };
      const { reply, chat } = await beginChat(alice, mode, body);
      await chat.approve(
        (reply.required_action as Awaited).approvals[0].call_id,
      );
      const { tool_calls } = await chat.wait();
      expect(tool_calls).toHaveLength(2);
      for (const call of tool_calls as ToolCall[]) {
        expect(call.invocation_token).toBeNull();
        const made = stand.client().invocation(call.invocation_id, chat.token);
        expect((await made.reply()).status).toBe(200);
      }
    },
  );

  it('every request with the same key returns the one chat, with a new token', async () => {
    const ask = () =>
      alice.post(
        '/api/v1/chat',
        { message: DELETE },
        { 'idempotency-key': 'delete-kimchi' },
      );
    const [first, again] = [await ask(), await ask()];
    for (const { status, body } of [first, again]) {
      expect(status).toBe(200);
      expect(body).toMatchObject({
        status: 'requires_action',
        chat_id: first.body.chat_id,
        required_action: first.body.required_action,
      });
    }
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const { chat_id, required_action, invocation_token } = again.body;
    const chat = new ChatHandle(stand.client(), chat_id, invocation_token);
    await chat.approve((required_action as Awaited).approvals[0].call_id);
    expect(await chat.wait()).toMatchObject({ status: 'completed' });
    expect((await ask()).body).toMatchObject({ status: 'completed' });
    expect(done()).toEqual(['delete_note']);
  });

  it('a deleted chat is forgotten together with its pending calls', async () => {
    const { chat, ids } = await begin(DELETE);
    expect((await chat.remove()).status).toBe(204);
    const missing = { status: 404, code: 'chat_not_found' };
    expectProblem(await chat.approve(ids[0]), missing);
    expectProblem(await chat.get(''), missing);
    expect(done()).toEqual([]);
  });

  it('another process reports the pending call and accepts the decision', async () => {
    const { chat, ids } = await begin(DELETE);
    const elsewhere = chat.through(stand.client(1));
    const followed = elsewhere.events();
    expect((await elsewhere.approve(ids[0])).status).toBe(202);
    expect(finalData(await followed)).toMatchObject({
      status: 'completed',
      content: expect.stringContaining('Deleted kimchi.'),
    });
    expect(done()).toEqual(['delete_note']);
  });

  it('a chat stays suspended when the process that reported it is killed', async () => {
    const { url } = await stand.addApi();
    const api = stand.apis.pop()!;
    const client = new Client(url, alice.headers);
    const { reply, chat } = await beginChat(client, 'plain', {
      message: DELETE,
    });
    await api.stop('SIGKILL');
    const [{ call_id }] = (reply.required_action as Awaited).approvals;
    const elsewhere = chat.through(alice);
    expect((await elsewhere.approve(call_id)).status).toBe(202);
    expect(await elsewhere.wait()).toMatchObject({ status: 'completed' });
    expect(done()).toEqual(['delete_note']);
  });

  it.each(['at once', 'while the call runs'])(
    'an approved call runs at most once if the worker is killed %s',
    async (when) => {
      const args = { file: callLog.releaseFile };
      const { chat, ids } = await begin(calling('wait_to_delete', args));
      expect((await chat.approve(ids[0])).status).toBe(202);
      if (when !== 'at once')
        await until('the approved call to run', () => done()[0]);
      await stand.killWorkers();
      callLog.release();
      await stand.addWorker();
      expect(await chat.wait()).toMatchObject({
        status: 'completed',
        content: expect.stringMatching(/\S/),
      });
      expect(done().length).toBeLessThanOrEqual(1);
      if (when === 'at once') return;
      expect(done()).toEqual(['wait_to_delete']);
      expect(await reportedLast()).toContain('TOOL_INTERRUPTED');
    },
  );

  it('a tool that its MCP server marks as destructive runs only after approval', async () => {
    await until(`${ERASE} to be listed`, async (saw) => {
      const { body } = saw(await alice.get('/api/v1/tools'));
      return (body.tools as { name: string }[]).some(
        ({ name }) => name === ERASE,
      );
    });
    const { reply, chat, ids } = await begin(calling(ERASE, {}));
    expect(reply.required_action.approvals).toMatchObject([
      { tool_name: ERASE, arguments: {} },
    ]);
    expect(archive.destroyed).toEqual([]);
    await chat.approve(ids[0]);
    expect(await chat.wait()).toMatchObject({
      status: 'completed',
      tool_calls: [{ tool_name: ERASE, status: 'completed' }],
    });
    expect(archive.destroyed).toEqual(['erase']);
  });

  describe('in the follow-up of an alarm', () => {
    /** Only the token of the invocation that set the alarm opens it. */
    const fireAlarm = async (follow_up: string) => {
      const { body } = await alice.post('/api/v1/tool-invocations', {
        tool_name: 'set_alarm',
        arguments: {
          message: 'Tidy up',
          time: new Date(Date.now() + 3_600_000).toISOString(),
          follow_up,
        },
      });
      const { alarm_id } = JSON.parse(body.output_text) as Alarm;
      await stand.comeDue({ id: alarm_id });
      const token = body.invocation_token as string;
      const client = stand.client();
      const chat = derivedId('chat_', timeOf(alarm_id), alarm_id);
      return {
        alarm: client.invocation(alarm_id, token),
        chat: new ChatHandle(client, chat, token),
      };
    };

    it('the alarm reports the suspended chat, which opens to the same token', async () => {
      const { alarm, chat } = await fireAlarm(DELETE);
      expect(await alarm.wait()).toMatchObject({
        status: 'completed',
        output_text: `Tidy up\n\nThis needs your approval: delete_note.\n\nIt waits at /api/v1/chat/${chat.id}.`,
      });
      const { required_action } = await chat.read();
      expect(done()).toEqual([]);
      await chat.approve((required_action as Awaited).approvals[0].call_id);
      expect(await chat.wait()).toMatchObject({ status: 'completed' });
      expect(done()).toEqual(['delete_note']);
    });

    it('the chat can be cancelled, and the alarm has still fired', async () => {
      const { alarm, chat } = await fireAlarm(
        calling('wait_to_read', { file: callLog.releaseFile }),
      );
      await until('the tool to be called', () => done()[0]);
      expect((await chat.cancel()).status).toBe(202);
      expect(await alarm.wait()).toMatchObject({
        status: 'completed',
        output_text: 'Tidy up',
      });
    });
  });
});

describe('a chat that would be suspended while capacity is exhausted', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({
      workers: 0,
      toolbox: new Toolbox(testTools('plain.tool.ts', 'risky.tool.ts')),
      env: { RELAY_MAX_INVOCATIONS: '1' },
    });
    await beginChat(stand.client(), 'plain', { message: DELETE });
  });
  afterAll(() => stand.stop());

  it('is rejected', async () => {
    const reply = await stand.client().post('/api/v1/chat', {
      message: DELETE,
    });
    expectProblem(reply, { status: 503, code: 'capacity_exceeded' });
    expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('reports the rejection at the end of its stream', async () => {
    const { body } = await stand
      .client()
      .post('/api/v1/chat', { message: DELETE, stream: true });
    const frames = framesIn(body as string);
    expect(finalData(frames)).toMatchObject({ code: 'capacity_exceeded' });
    expect(frames.at(-1)!.event).toBe('error');
    expect(stand.apis[0].output).not.toMatch(/"level":"error"/);
  });
});

interface ToolCall {
  invocation_id: string;
  invocation_token: string | null;
}
interface Alarm {
  alarm_id: string;
}
interface Awaited {
  approvals: { call_id: string }[];
  questions: { call_id: string }[];
}
