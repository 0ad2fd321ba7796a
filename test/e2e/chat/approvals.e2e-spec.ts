import type { Client } from '../../support/client';
import { ToolCallLog, type ToolCallEntry } from '../../support/tool-call-log';
import {
  beginChat,
  finalData,
  CHAT_MODES,
} from '../../support/chat/chat-handle';
import { expectProblem } from '../../support/problem';
import { Stand } from '../../support/processes/stand';
import { Toolbox, testTools } from '../../support/processes/toolbox';

const PATH = '/api/v1/tool-invocations';

const steer = (verb: string, name: string, word: string) =>
  `[sandbox: ${verb} ${name} ${JSON.stringify({ word })}]`;
const calling = (name: string, word: string) => steer('call', name, word);
const BOTH = calling('delete_note', 'a') + calling('send_note', 'b');

const called = (tool_name: string, status: string | null, word: string) =>
  expect.objectContaining({ tool_name, status, arguments: { word } });

describe.each(['agents', 'responses', 'prompt'])(
  'approvals in a chat with the engine "%s"',
  (engine) => {
    const callLog = new ToolCallLog();
    let stand: Stand;
    let client: Client;

    beforeAll(async () => {
      stand = await Stand.start({
        toolbox: new Toolbox(testTools('plain.tool.ts', 'risky.tool.ts')),
        env: {
          ...callLog.env,
          RELAY_CHAT_ENGINES: engine,
        },
      });
      client = stand.client();
    });
    afterEach(async () => {
      callLog.clear();
      await stand.reset();
    });
    afterAll(async () => {
      await stand.stop();
      callLog.remove();
    });

    const begin = (message: string) => beginChat(client, 'plain', { message });
    /** The ids of the calls that await approval. */
    const awaited = ({ required_action }: Waiting): string[] =>
      required_action.approvals.map(({ call_id }) => call_id);
    const done = () =>
      callLog.entries().map((entry) => {
        const { tool, word } = entry as ToolCallEntry & { word: string };
        return [tool, word];
      });
    const turns = async () =>
      (await stand.requests()).map(({ body }) => JSON.stringify(body));

    describe.each(CHAT_MODES)('(%s)', (mode) => {
      it.each(['delete_note', 'send_note'])(
        'a call runs only after approval, and exactly once: %s',
        async (name) => {
          const message = calling(name, 'kimchi');
          const { reply, chat } = await beginChat(client, mode, { message });
          expect(reply).toMatchObject({
            status: 'requires_action',
            content: `This needs your approval: ${name}.`,
            tool_called: false,
            tool_calls: [],
            error: null,
            chat_id: expect.stringMatching(/^chat_\w+$/),
            required_action: {
              approvals: [
                {
                  call_id: expect.stringMatching(/\S/),
                  tool_name: name,
                  arguments: { word: 'kimchi' },
                },
              ],
              questions: [],
            },
          });
          expect(chat.token).toMatch(/^ivt_/);
          expect(await chat.read()).toMatchObject({
            status: 'requires_action',
            required_action: reply.required_action,
            expires_at: expect.any(String),
          });
          expect(done()).toEqual([]);
          expect(await turns()).toHaveLength(1);

          const [id] = awaited(reply);
          const { status, body } = await chat.approve(id);
          expect(status).toBe(202);
          expect(body.chat_id).toBe(chat.id);
          const end = await chat.wait();
          expect(end).toMatchObject({
            status: 'completed',
            required_action: null,
            content: expect.stringMatching(/(Deleted|Sent) kimchi\./),
            tool_called: true,
            tool_calls: [called(name, 'completed', 'kimchi')],
          });
          expect(done()).toEqual([[name, 'kimchi']]);
          const frames = await chat.events();
          expect(finalData(frames)).toMatchObject({ content: end.content });
          const events = frames.map(({ event }) => event);
          for (const one of ['requires_action', 'tool_call', 'tool_result'])
            expect(events.filter((event) => event === one)).toEqual([one]);
        },
      );

      it('a rejected call never runs, and the model receives the reason', async () => {
        const message = calling('delete_note', 'kimchi');
        const { reply, chat } = await beginChat(client, mode, { message });
        await chat.approve(awaited(reply)[0], false, 'It is still needed.');
        expect(await chat.wait()).toMatchObject({
          status: 'completed',
          content: expect.stringMatching(/\S/),
          tool_called: false,
          tool_calls: [called('delete_note', null, 'kimchi')],
        });
        expect(done()).toEqual([]);
        const [first, second, ...more] = await turns();
        expect(more).toEqual([]);
        expect(first).not.toContain('NOT_APPROVED');
        expect(second).toMatch(/NOT_APPROVED.*It is still needed\./);
        finalData(await chat.events());
      });
    });

    it.each([
      ['in one request', 1],
      ['one after the other', 2],
    ])('calls can be decided one by one, %s', async (_, requests) => {
      const { reply, chat } = await begin(BOTH);
      const [a, b] = awaited(reply);
      expect(reply.content).toBe(
        'This needs your approval: delete_note, send_note.',
      );
      const given = [
        { call_id: a, approve: true },
        { call_id: b, approve: false, reason: 'Not now.' },
      ];
      const rounds = requests === 1 ? [given] : given.map((one) => [one]);
      for (const [at, round] of rounds.entries()) {
        const { status, body } = await chat.decide('approvals', round);
        expect(status).toBe(202);
        if (at + 1 === rounds.length) break;
        expect(body.status).toBe('requires_action');
        expect(awaited(body)).toEqual([b]);
        expect(done()).toEqual([]);
      }
      expect(await chat.wait()).toMatchObject({
        status: 'completed',
        tool_calls: [
          called('delete_note', 'completed', 'a'),
          called('send_note', null, 'b'),
        ],
      });
      expect(done()).toEqual([['delete_note', 'a']]);
      expect((await turns()).at(-1)).toMatch(
        /Deleted a\..*NOT_APPROVED.*Not now\./,
      );
    });

    it('one pending approval suspends every call of its turn', async () => {
      const message = calling('write_down', 'a') + calling('delete_note', 'b');
      const { reply, chat } = await begin(message);
      expect(awaited(reply)).toHaveLength(1);
      expect(done()).toEqual([]);
      await chat.approve(awaited(reply)[0]);
      expect((await chat.wait()).tool_calls).toMatchObject([
        { tool_name: 'write_down', status: 'completed' },
        { tool_name: 'delete_note', status: 'completed' },
      ]);
      expect(new Set(done())).toEqual(
        new Set([
          ['delete_note', 'b'],
          ['write_down', 'a'],
        ]),
      );
    });

    it('a later turn requires a new approval', async () => {
      const message =
        calling('delete_note', 'a') +
        steer('then', 'write_down', 'b') +
        steer('then', 'delete_note', 'c');
      const { reply, chat } = await begin(message);
      await chat.approve(awaited(reply)[0]);
      const second = await chat.wait();
      expect(second).toMatchObject({
        status: 'requires_action',
        tool_called: true,
        tool_calls: [
          called('delete_note', 'completed', 'a'),
          called('write_down', 'completed', 'b'),
        ],
        required_action: { approvals: [{ arguments: { word: 'c' } }] },
      });
      expect(awaited(second)).not.toEqual(awaited(reply));
      expect(done().map(([, word]) => word)).toEqual(['a', 'b']);
      await chat.approve(awaited(second)[0]);
      expect(await chat.wait()).toMatchObject({
        status: 'completed',
        content: expect.stringContaining('Deleted c.'),
      });
      expect(done().map(([, word]) => word)).toEqual(['a', 'b', 'c']);
      finalData(await chat.events());
    });

    it('a suspended chat continues after all processes have restarted', async () => {
      const { reply, chat } = await begin(calling('delete_note', 'kimchi'));
      const old = [...stand.apis.splice(0), ...stand.workers.splice(0)];
      for (const code of await Promise.all(old.map((one) => one.stop())))
        expect(code).toBe(0);
      await Promise.all([stand.addApi(), stand.addWorker()]);
      client = stand.client();
      const now = chat.through(client);
      expect(await now.read()).toMatchObject({
        status: 'requires_action',
        content: reply.content,
      });
      await now.approve(awaited(reply)[0]);
      expect(await now.wait()).toMatchObject({
        status: 'completed',
        content: expect.stringContaining('Deleted kimchi.'),
      });
      expect(done()).toEqual([['delete_note', 'kimchi']]);
    });

    it('a request without tools never exposes the tool to the model', async () => {
      const message = calling('delete_note', 'kimchi');
      const { status, body } = await client.post('/api/v1/chat', {
        message,
        auto_tool_call: false,
      });
      expect(status).toBe(200);
      expect(body).toMatchObject({ status: 'completed', chat_id: null });
      expect((await turns()).join()).not.toContain('Deletes a note.');
      expect(done()).toEqual([]);
    });

    it('a direct call over HTTP requires no approval', async () => {
      const { status, body } = await client.post(PATH, {
        tool_name: 'delete_note',
        arguments: { word: 'kimchi' },
      });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        status: 'completed',
        output_text: 'Deleted kimchi.',
      });
    });

    it('a suspended chat can be cancelled', async () => {
      const { reply, chat } = await begin(calling('delete_note', 'kimchi'));
      const { status, body } = await chat.cancel();
      expect(status).toBe(202);
      expect(body).toMatchObject({
        status: 'cancelled',
        required_action: null,
      });
      expect((await chat.cancel()).status).toBe(200);
      expectProblem(await chat.approve(awaited(reply)[0]), {
        status: 409,
        code: 'not_waiting',
      });
      expect((await chat.events()).at(-1)).toMatchObject({
        event: 'error',
        data: { code: 'cancelled' },
      });
      expect(done()).toEqual([]);
    });
  },
);

interface Waiting {
  required_action: { approvals: { call_id: string }[] };
}
