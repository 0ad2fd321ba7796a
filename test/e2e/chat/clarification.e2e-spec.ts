import type { Client } from '../../support/client';
import {
  beginChat,
  finalData,
  CHAT_MODES,
} from '../../support/chat/chat-handle';
import { Stand } from '../../support/processes/stand';

const RESEARCH = 'o3-deep-research';
const KOREAN = '무엇에 대해 조사할까요?';
const ENGLISH = 'What is the research to be about?';

describe.each(['agents', 'responses', 'prompt'])(
  'clarification with the engine "%s"',
  (engine) => {
    let stand: Stand;
    let client: Client;

    beforeAll(async () => {
      stand = await Stand.start({
        researchMs: 100,
        env: { RELAY_CHAT_ENGINES: engine },
      });
      client = stand.client();
    });
    afterEach(() => stand.reset());
    afterAll(() => stand.stop());

    /** The requests that reached the upstream, as text: turns of the chat model, and runs of research. */
    const upstream = async () => {
      const bodies = (await stand.requests()).map(({ body }) => body);
      const texts = (isResearch: boolean) =>
        bodies
          .filter(({ model }) => (model === RESEARCH) === isResearch)
          .map((body) => JSON.stringify(body));
      return { turns: texts(false), researches: texts(true) };
    };

    it.each([{}, { clarification: 'never' }])(
      'is off by default: %j',
      async (more) => {
        const { body } = await client.post('/api/v1/chat', {
          message: '이거 조사해줘',
          ...more,
        });
        expect(body).toMatchObject({
          status: 'completed',
          tool_name: 'deep_research',
          required_action: null,
          chat_id: null,
        });
        const { turns, researches } = await upstream();
        expect(turns.join()).not.toContain('ask_user');
        expect(researches).toHaveLength(1);
      },
    );

    it.each(['Research the history of kimchi', '안녕하세요'])(
      'with "auto" asks only when the request is ambiguous: %s',
      async (message) => {
        const { body } = await client.post('/api/v1/chat', {
          message,
          clarification: 'auto',
        });
        expect(body).toMatchObject({ status: 'completed', chat_id: null });
        expect((await upstream()).turns[0]).toContain('ask_user');
      },
    );

    it('never asks in a request without tools', async () => {
      const { body } = await client.post('/api/v1/chat', {
        message: '이거 조사해줘',
        clarification: 'auto',
        auto_tool_call: false,
      });
      expect(body).toMatchObject({ status: 'completed', tool_calls: [] });
      const { turns } = await upstream();
      expect(turns).toHaveLength(1);
      expect(turns[0]).not.toContain('ask_user');
    });

    describe.each(CHAT_MODES)('(%s)', (mode) => {
      it.each([
        ['이거 조사해줘', KOREAN, '짜장면의 역사'],
        ['Research it, please', ENGLISH, 'The history of kimchi'],
      ])(
        'precedes the research, which covers the answer: %s',
        async (message, question, answer) => {
          const { reply, chat } = await beginChat(client, mode, {
            message,
            clarification: 'auto',
          });
          expect(reply).toMatchObject({
            status: 'requires_action',
            content: question,
            tool_called: false,
            tool_calls: [],
            required_action: {
              approvals: [],
              questions: [{ call_id: expect.stringMatching(/\S/), question }],
            },
          });
          expect((await upstream()).researches).toEqual([]);

          const [{ call_id }] = reply.required_action.questions;
          const { status, body } = await chat.answer(call_id, answer);
          expect(status).toBe(202);
          expect(body).toMatchObject({
            chat_id: chat.id,
            required_action: null,
          });
          const end = await chat.wait();
          expect(end).toMatchObject({
            status: 'completed',
            content: expect.stringMatching(/\S/),
            tool_called: true,
            tool_name: 'deep_research',
            // A clarifying question is not a tool call.
            tool_calls: [
              {
                tool_name: 'deep_research',
                status: 'completed',
                arguments: expect.objectContaining({
                  research_question: answer,
                }),
              },
            ],
          });
          const { turns, researches } = await upstream();
          expect(researches).toHaveLength(1);
          expect(researches[0]).toContain(answer);
          // Exactly once.
          const [first, second, third, ...more] = turns;
          expect(more).toEqual([]);
          expect(first).toContain('Asks the user one clarifying question.');
          for (const later of [second, third]) {
            expect(later).toContain(answer);
            expect(later).not.toContain(
              'Asks the user one clarifying question.',
            );
          }

          const frames = await chat.events();
          expect(finalData(frames)).toMatchObject({ content: end.content });
          const asked = frames.filter(
            ({ event }) => event === 'requires_action',
          );
          expect(asked.map(({ data }) => data)).toEqual([
            reply.required_action,
          ]);
          const calls = frames.filter(({ event }) => event === 'tool_call');
          expect(calls.map(({ data }) => data.tool_name)).toEqual([
            'deep_research',
          ]);
        },
      );
    });

    it('asks once, even if the model would ask again', async () => {
      const asking = (verb: string, question: string) =>
        `[sandbox: ${verb} ask_user ${JSON.stringify({ question })}]`;
      const { reply, chat } = await beginChat(client, 'plain', {
        message: asking('call', 'Which?') + asking('then', 'Really?'),
        clarification: 'auto',
      });
      const [{ call_id, question }] = reply.required_action.questions;
      expect(question).toBe('Which?');
      await chat.answer(call_id, 'The first.');
      expect(await chat.wait()).toMatchObject({
        status: 'completed',
        content: expect.stringMatching(/\S/),
      });
      const reported = (await upstream()).turns.at(-1)!;
      expect(reported).toContain('UNKNOWN_TOOL');
      expect(reported).not.toContain('Asks the user one clarifying question.');
    });
  },
);
