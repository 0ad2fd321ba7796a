import {
  calling,
  runChat,
  readChat,
  framesOf,
  deltaText,
  answering,
  untilResearchRuns,
  type ChatMode,
  CHAT_MODES,
} from '../../support/chat/chats';
import type { Client } from '../../support/client';
import { Stand } from '../../support/processes/stand';

const ENGINES = ['agents', 'responses', 'prompt'];
const KIMCHI = 'https://sandbox.example/en/kimchi';
const MADE_UP = 'https://made-up.example/kimchi';
const RESEARCH = calling('deep_research', {
  research_question: 'Kimchi in detail',
});
const SAFE = {
  pii: 'This cannot be answered: it holds personal data or keys.',
  citations: 'The answer cited a source that was not consulted.',
};

/** A private text, and its redacted form. */
const SECRETS = {
  message: ['alice@example.com', '[e-mail]'],
  turn: ['900101-1234568', '[resident number]'],
  answer: ['+44 20 7946 0958', '[phone]'],
  context: ['4111 1111 1111 1111', '[card]'],
  title: ['010-1234-5678', '[phone]'],
  document: ['ghp_0123456789abcdefghijABCDEFGHIJ012345', '[key]'],
  system_prompt: ['boss@example.com', '[e-mail]'],
} as const;
const valueOf = (field: keyof typeof SECRETS) => SECRETS[field][0];
const ALL = Object.values(SECRETS).map(([value]) => value);

const turn = (role: string, text: string) => ({
  role,
  contents: [{ type: 'text', text }],
});
/** A request with one private text in each of its fields. */
const fields = {
  message: `I am ${valueOf('message')}.`,
  messages: [
    turn('user', `Mine is ${valueOf('turn')}로.`),
    turn('assistant', `Call ${valueOf('answer')}.`),
  ],
  context: [`Paid with ${valueOf('context')}`],
  documents: [
    { title: `Of ${valueOf('title')}`, text: `Open: ${valueOf('document')}` },
  ],
  system_prompt: `Write for ${valueOf('system_prompt')}`,
};

const expectNone = (text: string, secrets: readonly string[]) => {
  for (const secret of secrets) expect(text).not.toContain(secret);
};

describe.each(ENGINES)('with the engine "%s", a guardrail', (engine) => {
  let stand: Stand;
  let client: Client;

  const start = (guardrails: string) => async () => {
    stand = await Stand.start({
      researchMs: 100,
      env: {
        RELAY_CHAT_ENGINES: engine,
        RELAY_GUARDRAILS: guardrails,
        RELAY_LOG_LEVEL: 'info',
      },
    });
    client = stand.client();
  };
  const sent = async () =>
    (await stand.requests()).map(({ body }) => JSON.stringify(body)).join('\n');
  const logged = () =>
    [...stand.apis, ...stand.workers].map(({ output }) => output).join('\n');
  const killedWhileResearching = async (message: string) => {
    await stand.configure({ research_ms: 2_000 });
    const body = { message, background: true };
    const { chat_id, invocation_token } = (
      await client.post('/api/v1/chat', body)
    ).body;
    await untilResearchRuns(stand);
    await stand.killWorkers();
    await stand.addWorker();
    return readChat(client, chat_id, invocation_token);
  };

  describe('that redacts', () => {
    beforeAll(start('pii:redact,citations:redact'));
    afterEach(() => stand.reset());
    afterAll(() => stand.stop());

    it.each(CHAT_MODES)(
      'sends no personal data to the endpoint, in a %s chat',
      async (mode) => {
        const message = `${fields.message} ${RESEARCH}`;
        const { reply } = await runChat(mode, client, { ...fields, message });
        expect(reply).toMatchObject({ status: 'completed', guardrail: null });
        const all = await sent();
        expectNone(all, ALL);
        for (const [, left] of Object.values(SECRETS))
          expect(all).toContain(left);
        expect((await stand.stats()).creates).toBe(1);
        expectNone(logged(), ALL);
      },
    );

    it.each(CHAT_MODES)(
      'removes personal data and made-up pages from the answer of a %s chat',
      async (mode) => {
        const text = `Ask [her](mailto:bob@example.com), see [this](${KIMCHI}), [that](${MADE_UP}) or ${MADE_UP}/2.`;
        const message = RESEARCH + answering(text);
        const { reply, frames, bytes } = await runChat(mode, client, {
          message,
        });
        const content = `Ask [her](mailto:[e-mail]), see [this](${KIMCHI}), that or [link removed].`;
        expect(reply).toMatchObject({
          status: 'completed',
          content,
          tool_called: true,
          research_summary: expect.stringContaining(KIMCHI),
          guardrail: null,
        });
        expectNone(bytes, ['bob@', MADE_UP]);
        if (mode !== 'plain') expect(deltaText(frames)).toBe(content);
      },
    );

    it('redacts after a worker was killed on the way', async () => {
      const message = `${RESEARCH} ${answering(`bob@example.com, ${MADE_UP}, ${KIMCHI}`)}`;
      const { reply, bytes } = await killedWhileResearching(message);
      const content = `[e-mail], [link removed], ${KIMCHI}`;
      expect(reply).toMatchObject({ status: 'completed', content });
      expect(deltaText(framesOf(bytes))).toBe(content);
      expectNone(bytes, ['bob@', MADE_UP]);
      expect((await stand.stats()).creates).toBe(1);
    });

    it.each(CHAT_MODES)(
      'checks clarifying questions and their answers in a %s chat',
      async (mode) => {
        const question = 'Is bob@example.com meant?';
        const message = calling('ask_user', { question });
        const asked = await runChat(mode, client, {
          message,
          clarification: 'auto',
        });
        expect(asked.reply).toMatchObject({
          status: 'requires_action',
          required_action: { questions: [{ question: 'Is [e-mail] meant?' }] },
        });
        const { id, token } = asked;
        const [{ call_id }] = asked.reply.required_action.questions;
        const { status } = await client.post(
          `/api/v1/chat/${id}/answers`,
          { answers: [{ call_id, answer: 'No, carol@example.com' }] },
          { 'x-invocation-token': token },
        );
        expect(status).toBe(202);
        const { reply, bytes } = await readChat(client, id, token);
        expect(reply.status).toBe('completed');
        expectNone(asked.bytes + bytes, ['bob@', 'carol@']);
        const all = await sent();
        expectNone(all, ['carol@']);
        expect(all).toContain('No, [e-mail]');
      },
    );
  });

  describe('that rejects', () => {
    beforeAll(start('pii:refuse,citations:refuse'));
    afterEach(() => stand.reset());
    afterAll(() => stand.stop());

    const refused = (name: 'pii' | 'citations', stage: string) => ({
      status: 'completed',
      content: SAFE[name],
      research_summary: null,
      guardrail: { name, stage, tool_name: null },
      contents: null,
      citations: null,
      sources: null,
      error: null,
    });

    it.each(
      CHAT_MODES.flatMap((mode) =>
        Object.keys(fields).map((field): [string, ChatMode] => [field, mode]),
      ),
    )(
      'calls no model if there is personal data in %s of a %s chat',
      async (field, mode) => {
        const body = {
          message: 'Hello!',
          [field]: fields[field as keyof typeof fields],
        };
        const { reply, frames, bytes } = await runChat(mode, client, body);
        expect(reply).toMatchObject({
          ...refused('pii', 'input'),
          tool_called: false,
          tool_calls: [],
        });
        expectNone(bytes + logged(), ALL);
        if (mode !== 'plain') expectOneEnd(frames);
        expect(await stand.requests()).toEqual([]);
      },
    );

    it.each(
      CHAT_MODES.flatMap((mode) => [
        ['pii' as const, 'This is bob@example.com.', mode] as const,
        ['citations' as const, `See ${KIMCHI} and ${MADE_UP}.`, mode] as const,
      ]),
    )(
      'releases nothing of an answer with what %s finds: "%s" in a %s chat',
      async (name, text, mode) => {
        const message = RESEARCH + answering(`Told you so. ${text}`);
        const finishedChat = await runChat(mode, client, { message });
        const { reply, frames, bytes, token } = finishedChat;
        expect(reply).toMatchObject({
          ...refused(name, 'output'),
          tool_called: true,
          tool_calls: [{ tool_name: 'deep_research', status: 'completed' }],
        });
        const report = await research(reply, token);
        const [line] = report.split('\n').filter((one) => /garlic/.test(one));
        expectNone(bytes, ['Told you', 'bob@', MADE_UP, line]);
        expectNone(logged(), ['Told you', 'bob@', MADE_UP]);
        if (mode !== 'plain') expectOneEnd(frames);
      },
    );

    it.each(CHAT_MODES)(
      'accepts citations of consulted pages, in a %s chat',
      async (mode) => {
        const content = `See [this](${KIMCHI}).`;
        const message = RESEARCH + answering(content);
        const { reply } = await runChat(mode, client, { message });
        expect(reply).toMatchObject({ content, guardrail: null });
      },
    );

    it('rejects after a worker was killed on the way', async () => {
      const message = RESEARCH + answering('Told you so: bob@example.com');
      const { reply, bytes, frames } = await killedWhileResearching(message);
      expect(reply).toMatchObject(refused('pii', 'output'));
      expectNone(bytes, ['Told you', 'bob@']);
      expectOneEnd(frames);
      expect((await stand.stats()).creates).toBe(1);
    });

    it('does not apply to the records of tools', async () => {
      const { body } = await client.research({
        research_question: 'Kimchi for bob@example.com, in detail',
        documents: [{ title: 'Mine', text: 'Kimchi is of bob@example.com.' }],
      });
      expect(body.status).toBe('completed');
      expect(JSON.stringify(body)).toContain('bob@example.com');
    });

    /** The report of the first call, as in its record. */
    const research = async (
      // oxlint-disable-next-line typescript/no-explicit-any
      { tool_calls: [call] }: any,
      token: string,
    ): Promise<string> => {
      const { invocation_id, invocation_token } = call;
      const opens = invocation_token ?? token;
      const record = await client.invocation(invocation_id, opens).read();
      expect(record.output_text).toContain('garlic');
      return record.output_text;
    };
  });
});

function expectOneEnd(frames: { event: string }[]): void {
  const ends = frames.filter(({ event }) => /completed|error/.test(event));
  expect(ends.map(({ event }) => event)).toEqual(['completed']);
  expect(frames.at(-1)!.event).toBe('completed');
}
