import { createHash } from 'node:crypto';
import { runChat, CHAT_MODES } from '../../support/chat/chats';
import type { Client } from '../../support/client';
import { ToolCallLog } from '../../support/tool-call-log';
import { Stand } from '../../support/processes/stand';
import { Toolbox, testTools } from '../../support/processes/toolbox';

const API_KEYS = `alice:${createHash('sha256').update('key-of-alice').digest('hex')}`;
const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const RESEARCH = 'o3-deep-research';

const write = (word: string) =>
  `[sandbox: call write_down ${JSON.stringify({ word })}]`;
const WEATHER = {
  name: 'get_weather',
  description: 'Reports the weather of a city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  },
};
const weather = (city: string) =>
  `[sandbox: call ${WEATHER.name} ${JSON.stringify({ city })}]`;
const research = (question: string) =>
  `[sandbox: call deep_research ${JSON.stringify({ research_question: question })}]`;

describe.each(['agents', 'responses', 'prompt'])(
  'the options of a chat request with the engine "%s"',
  (engine) => {
    const callLog = new ToolCallLog();
    let stand: Stand;
    let client: Client;

    beforeAll(async () => {
      stand = await Stand.start({
        researchMs: 100,
        toolbox: new Toolbox(testTools('plain.tool.ts')),
        env: {
          ...callLog.env,
          RELAY_API_KEYS: API_KEYS,
          RELAY_CHAT_ENGINES: engine,
          RELAY_CHAT_MODELS: 'gpt-4.1',
          RELAY_FORWARD_HEADERS: 'x-tenant-id',
        },
      });
      client = stand.client().as('key-of-alice');
    });
    afterEach(async () => {
      callLog.clear();
      await stand.reset();
    });
    afterAll(async () => {
      await stand.stop();
      callLog.remove();
    });

    const chat = (message: string, more: object = {}) =>
      client.post('/api/v1/chat', { message, ...more });
    const turns = async () =>
      (await stand.requests()).filter(({ body }) => body.model !== RESEARCH);
    const reported = async () => JSON.stringify((await turns())[0].body);

    describe.each(CHAT_MODES)('(%s)', (mode) => {
      it('tools, model, headers and tool context apply to the one request', async () => {
        const secret = 'what no model sees';
        const tool_context = { account: { id: 7, note: secret } };
        const headers = { 'x-tenant-id': 'acme', traceparent: TRACE };
        const traced = new (client.constructor as typeof Client)(client.url, {
          ...client.headers,
          ...headers,
          'x-other': 'b',
        });
        const { reply, bytes } = await runChat(mode, traced, {
          message: write('a') + research('The history of kimchi'),
          tools: ['write_down', 'deep_research'],
          model: 'gpt-4.1',
          tool_context,
        });
        expect(reply).toMatchObject({
          status: 'completed',
          tool_name: 'deep_research',
          message: {
            role: 'assistant',
            contents: [{ type: 'text', text: reply.content }],
          },
          citations: expect.arrayContaining([
            expect.objectContaining({ url: expect.any(String) }),
          ]),
          sources: expect.arrayContaining([
            expect.objectContaining({ url: expect.any(String) }),
          ]),
        });
        const summary = Array.from(reply.research_summary as string);
        for (const { start_index, end_index } of reply.citations)
          expect(summary.slice(start_index, end_index).join('')).toMatch(/\S/);
        const requests = await stand.requests();
        expect(new Set(requests.map(({ body }) => body.model))).toEqual(
          new Set(['gpt-4.1', RESEARCH]),
        );
        for (const request of requests) {
          expect(request.headers).toMatchObject(headers);
          expect(request.headers).not.toHaveProperty('x-other');
        }
        expect(await reported()).not.toContain('get_current_datetime');
        expect(await reported()).toContain('Returns JSON of this schema');
        expect(callLog.entries()).toMatchObject([
          { toolContext: tool_context },
        ]);
        expect(JSON.stringify(requests) + bytes).not.toContain(secret);
        const logs = [...stand.apis, ...stand.workers].map(
          ({ output }) => output,
        );
        expect(logs.join()).not.toContain(secret);
      });

      it('calls of functions of the caller are handed back, and the chat continues with their results', async () => {
        const message = write('a') + weather('Seoul');
        const functions = [WEATHER];
        const { reply } = await runChat(mode, client, { message, functions });
        expect(reply).toMatchObject({
          status: 'completed',
          tool_calls: [{ tool_name: 'write_down', status: 'completed' }],
          message: {
            role: 'assistant',
            tool_calls: [
              {
                function: { name: WEATHER.name, arguments: { city: 'Seoul' } },
              },
            ],
          },
        });
        expect(await reported()).toContain(WEATHER.description);
        const contents = (text: string) => [{ type: 'text', text }];
        const next = await runChat(mode, client, {
          functions,
          messages: [
            { role: 'user', contents: contents(message) },
            ...reply.continuation,
            {
              role: 'tool',
              tool_call_id: reply.message.tool_calls[0].id,
              contents: contents('3 degrees'),
            },
          ],
        });
        expect(next.reply.status).toBe('completed');
        expect(next.reply.content).not.toBeNull();
        expect(next.reply.continuation).toBeUndefined();
        const bodies = (await turns()).map(({ body }) => JSON.stringify(body));
        expect(bodies).toHaveLength(2);
        expect(bodies[1]).toContain('3 degrees');
        const ran = callLog.entries().map((entry) => entry.invocationId);
        expect(new Set(ran).size).toBe(1);
      });

      it('research stays within the limit of the request, and equal questions are one run', async () => {
        const { reply } = await runChat(mode, client, {
          message: ['Kimchi', ' kimchi? ', 'Gimbap', 'Soju', 'Makgeolli']
            .map(research)
            .join(''),
          max_research: 2,
        });
        expect((await stand.stats()).creates).toBe(2);
        const [one, same, other, ...refused] = reply.tool_calls;
        expect(same.invocation_id).toBe(one.invocation_id);
        expect(other.invocation_id).not.toBe(one.invocation_id);
        expect(refused).toMatchObject([
          { invocation_id: null, status: null },
          { invocation_id: null, status: null },
        ]);
        expect(JSON.stringify((await turns()).at(-1)!.body)).toContain(
          'LIMIT_REACHED',
        );
      });
    });

    it('at most one call in a turn is requested where the request wants it so', async () => {
      const { body } = await chat(weather('Seoul') + weather('Busan'), {
        functions: [WEATHER],
        parallel_tool_calls: false,
      });
      const called = body.message.tool_calls.length;
      if (engine === 'prompt') expect(called).toBe(1);
      expect(await reported()).toContain(
        engine === 'prompt'
          ? 'Call at most one tool'
          : '"parallel_tool_calls":false',
      );
    });

    it('a tool that declares what it reads of the tool context gets that, and is offered where the request has it', async () => {
      const call = '[sandbox: call sign_for {}]';
      const tool_context = {
        member: { id: 7, name: 'Kim of Busan' },
        note: 'no more than this',
      };
      const { body } = await chat(call, { tool_context });
      expect(body.tool_calls).toMatchObject([
        { tool_name: 'sign_for', status: 'completed' },
      ]);
      expect(callLog.entries()).toMatchObject([
        { tool: 'sign_for', toolContext: { member: { id: 7 } } },
      ]);
      expect(JSON.stringify(callLog.entries())).not.toMatch(
        /Kim of Busan|no more than this/,
      );
      expect(await reported()).toContain('Signs for the member');
      await stand.reset();
      await chat(call, { tools: ['sign_for', 'say'] });
      expect(await reported()).not.toContain('Signs for the member');
      expect(JSON.stringify((await turns()).at(-1)!.body)).toMatch(
        /CONTEXT_REQUIRED.*tool_context\.member/,
      );
    });

    it('the default limit is three runs of research', async () => {
      const questions = Array.from({ length: 30 }, (_, at) => `Number ${at}`);
      await chat(questions.map(research).join(''));
      expect((await stand.stats()).creates).toBe(3);
    });

    it.each([
      ['no tools', { tools: [] }],
      ['no choice of tools', { tool_choice: 'none' }],
      ['no research', { max_research: 0, tools: ['deep_research'] }],
    ])(
      'with %s no tool is called, even if the model invents a call',
      async (_, more) => {
        const { body } = await chat(research('Kimchi'), more);
        expect(body).toMatchObject({ status: 'completed', tool_called: false });
        expect((await stand.stats()).creates).toBe(0);
        expect(await reported()).not.toContain('Researches a question');
      },
    );

    it.each<[string, object, RegExp]>([
      [
        'a tool',
        { tool_choice: 'required' },
        /"tool_choice":"required"|at least one tool/,
      ],
      [
        'one tool',
        { tool_choice: { name: 'write_down' } },
        /"tool_choice":\{[^}]*"write_down"|Call write_down in this answer/,
      ],
    ])('%s is required in the first turn only', async (_, more, asked) => {
      await chat(write('a'), more);
      const [first, ...rest] = (await turns()).map(({ body }) =>
        JSON.stringify(body),
      );
      expect(first).toMatch(asked);
      expect(rest.join()).not.toMatch(asked);
      expect(rest).toHaveLength(1);
    });

    it.each<[object, string, string]>([
      [{ tools: ['find', 'nope'] }, 'tools.1', 'write_down'],
      [{ tools: 'find' }, 'tools', ''],
      [{ model: 'gpt-9' }, 'model', 'gpt-4o, gpt-4.1'],
      [{ max_research: 4 }, 'max_research', '3'],
      [{ max_research: -1 }, 'max_research', '0'],
      [{ tool_choice: 'always' }, 'tool_choice', 'required'],
      [{ tool_choice: { name: 'nope' } }, 'tool_choice.name', 'write_down'],
      [
        { tool_choice: { name: 'find' }, tools: ['say'] },
        'tool_choice.name',
        'say',
      ],
      [{ tool_choice: 'required', tools: [] }, 'tool_choice', 'no tool'],
      [{ functions: [{ name: 'write_down' }] }, 'functions.0.name', 'tool of'],
      [
        { functions: [WEATHER, { name: WEATHER.name }] },
        'functions.1.name',
        'unique',
      ],
      [{ functions: [{ name: 'a b' }] }, 'functions.0.name', 'match'],
      [
        { tool_context: { member: { id: 'seven' } } },
        'tool_context.member.id',
        'sign_for',
      ],
      [
        { tool_choice: { name: 'sign_for' } },
        'tool_choice.name',
        'not available',
      ],
      [{ tool_context: 'a' }, 'tool_context', 'object'],
      [{ tool_context: { a: 'b'.repeat(17_000) } }, 'tool_context', '16384'],
      [
        {
          tool_context: {
            a: { a: { a: { a: { a: { a: { a: { a: {} } } } } } } },
          },
        },
        'tool_context',
        'levels',
      ],
    ])(
      'an option that cannot be satisfied is rejected: %j',
      async (more, path, fault) => {
        for (const background of [false, true]) {
          const { status, body } = await chat('안녕하세요', {
            ...more,
            background,
          });
          expect([status, body.code]).toEqual([422, 'validation_failed']);
          expect(body.errors).toMatchObject([
            { path, message: expect.stringContaining(fault) },
          ]);
        }
        expect(await stand.requests()).toEqual([]);
      },
    );
  },
);
