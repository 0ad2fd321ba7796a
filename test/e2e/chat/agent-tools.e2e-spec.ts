import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beginChat, finalData } from '../../support/chat/chat-handle';
import {
  answering,
  calling,
  CHAT_MODES,
  deltaText,
  readChat,
  runChat,
  untilResearchRuns,
} from '../../support/chat/chats';
import type { Client } from '../../support/client';
import { Stand } from '../../support/processes/stand';
import {
  Toolbox,
  testGuardrails,
  testTools,
} from '../../support/processes/toolbox';
import { ToolCallLog } from '../../support/tool-call-log';

const ENGINES = ['agents', 'responses', 'prompt'];
const consult = (input: string) => calling('consult_scribe', { input });

const folder = mkdtempSync(join(tmpdir(), 'agent-tools-'));
const RELAY_AGENTS_CONFIG = join(folder, 'agents.json');
writeFileSync(
  RELAY_AGENTS_CONFIG,
  JSON.stringify({
    start: 'guide',
    agents: {
      guide: {
        instructions: 'You are the guide.',
        tools: [],
        agentTools: ['scribe'],
      },
      scribe: {
        description: 'Writes.',
        instructions: 'You are the scribe.',
        model: 'gpt-4.1',
        tools: ['deep_research', 'write_down', 'say', 'delete_note'],
        handoffs: ['guide'],
      },
    },
  }),
);

afterAll(() => rmSync(folder, { recursive: true }));

describe.each(ENGINES)(
  'with the engine "%s", an agent that calls another',
  (engine) => {
    const callLog = new ToolCallLog();
    let stand: Stand;
    let client: Client;

    beforeAll(async () => {
      stand = await Stand.start({
        researchMs: 50,
        toolbox: new Toolbox(testTools('plain.tool.ts', 'risky.tool.ts')),
        env: {
          ...callLog.env,
          RELAY_AGENTS_CONFIG,
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

    const turns = async () =>
      (await stand.requests())
        .map(({ body }) => ({
          model: body.model as string,
          text: JSON.stringify(body),
        }))
        .filter(({ model }) => !/research/.test(model));

    it.each(CHAT_MODES)(
      'gets its answer and keeps the conversation, in a %s chat',
      async (mode) => {
        const input = `Note it. ${calling('write_down', { word: 'salt' })}`;
        const message = `SECRET-OF-THE-USER ${consult(input)}`;
        const { reply, frames } = await runChat(mode, client, { message });
        expect(reply).toMatchObject({
          agent: 'guide',
          status: 'completed',
          tool_calls: [
            { tool_name: 'write_down', status: 'completed' },
            {
              tool_name: 'consult_scribe',
              arguments: { input },
              invocation_id: null,
              status: 'completed',
              error: null,
            },
          ],
        });
        expect(callLog.entries()).toHaveLength(1);
        const took = await turns();
        expect(took.map(({ model }) => model)).toEqual([
          'gpt-4o',
          'gpt-4.1',
          'gpt-4.1',
          'gpt-4o',
        ]);
        expect(took[1].text).toContain('You are the scribe.');
        expect(took[1].text).not.toContain('SECRET-OF-THE-USER');
        expect(took[1].text).not.toContain('transfer_to_guide');
        if (mode === 'plain') return;
        const events = frames
          .filter(({ event }) => /^(tool_(call|result)|handoff)$/.test(event))
          .map(({ event, data }) => `${event} ${data.tool_name}`);
        expect(events).toEqual([
          'tool_call consult_scribe',
          'tool_call write_down',
          'tool_result write_down',
          'tool_result consult_scribe',
        ]);
        // What the other agent says is a result, and no text for the user.
        expect(deltaText(frames)).toBe(reply.content);
      },
    );

    it('reads that a call without a task is refused', async () => {
      const { reply } = await runChat('plain', client, {
        message: consult(' '),
      });
      expect(reply).toMatchObject({
        status: 'completed',
        tool_called: false,
        tool_calls: [{ tool_name: 'consult_scribe', status: null }],
      });
      const took = await turns();
      expect(took.map(({ model }) => model)).toEqual(['gpt-4o', 'gpt-4o']);
      expect(took[1].text).toContain('INVALID_ARGUMENTS');
    });

    it('reads that the other agent failed, and answers', async () => {
      await stand.fault({
        kind: 'status',
        status: 400,
        match: { model: 'gpt-4.1' },
      });
      const { reply } = await runChat('plain', client, {
        message: consult('Note it.'),
      });
      expect(reply).toMatchObject({ agent: 'guide', status: 'completed' });
      expect(reply.tool_calls[0]).toMatchObject({
        tool_name: 'consult_scribe',
        status: null,
        error: { code: expect.any(String) },
      });
      expect((await turns()).at(-1)!.text).toContain('TOOL_FAILED');
    });

    it.each(CHAT_MODES)(
      'waits in a %s chat for the approval that the other needs, whose call then runs once',
      async (mode) => {
        const word = 'kimchi';
        const message = consult(calling('delete_note', { word }));
        const { reply, chat } = await beginChat(client, mode, { message });
        expect(reply).toMatchObject({
          agent: 'guide',
          status: 'requires_action',
          content: 'This needs your approval: delete_note.',
          tool_calls: [],
          required_action: {
            approvals: [{ tool_name: 'delete_note', arguments: { word } }],
            questions: [],
          },
        });
        expect(callLog.entries()).toEqual([]);
        expect((await turns()).map(({ model }) => model)).toEqual([
          'gpt-4o',
          'gpt-4.1',
        ]);

        const [{ call_id }] = reply.required_action.approvals;
        expect((await chat.approve(call_id)).status).toBe(202);
        expect(await chat.wait()).toMatchObject({
          agent: 'guide',
          status: 'completed',
          content: expect.stringContaining('Deleted kimchi.'),
          tool_calls: [
            { tool_name: 'delete_note', status: 'completed' },
            { tool_name: 'consult_scribe', status: 'completed' },
          ],
        });
        expect(callLog.entries()).toHaveLength(1);
        expect((await turns()).map(({ model }) => model)).toEqual([
          'gpt-4o',
          'gpt-4.1',
          'gpt-4.1',
          'gpt-4o',
        ]);
        const frames = await chat.events();
        finalData(frames);
        const seen = frames
          .filter(({ event }) => /^(requires|tool_(call|result))/.test(event))
          .map(({ event, data }) => `${event} ${data.tool_name ?? ''}`.trim());
        // The log of a chat that had no record before begins with what it waits for.
        const began = ['tool_call consult_scribe', 'requires_action'];
        expect(seen).toEqual([
          ...(mode === 'background' ? began : began.reverse()),
          'tool_call delete_note',
          'tool_result delete_note',
          'tool_result consult_scribe',
        ]);
      },
    );

    it('reads what the other says of a call that the user refused', async () => {
      const message = consult(calling('delete_note', { word: 'kimchi' }));
      const { reply, chat } = await beginChat(client, 'plain', { message });
      const [{ call_id }] = reply.required_action.approvals;
      await chat.approve(call_id, false, 'It is still needed.');
      expect(await chat.wait()).toMatchObject({
        agent: 'guide',
        status: 'completed',
        tool_calls: [
          { tool_name: 'delete_note', status: null },
          { tool_name: 'consult_scribe', status: 'completed' },
        ],
      });
      expect(callLog.entries()).toEqual([]);
      expect((await turns())[2].text).toMatch(
        /NOT_APPROVED.*It is still needed\./,
      );
    });

    it.each(CHAT_MODES)(
      'waits in a %s chat for the answer to what the other asks, and the chat asks once',
      async (mode) => {
        const question = 'Which salt?';
        const { reply, chat } = await beginChat(client, mode, {
          message: consult(calling('ask_user', { question })),
          clarification: 'auto',
        });
        expect(reply).toMatchObject({
          agent: 'guide',
          status: 'requires_action',
          content: question,
          tool_calls: [],
          required_action: { approvals: [], questions: [{ question }] },
        });
        const [{ call_id }] = reply.required_action.questions;
        expect((await chat.answer(call_id, 'SEA-SALT')).status).toBe(202);
        expect(await chat.wait()).toMatchObject({
          agent: 'guide',
          status: 'completed',
          // A question is no call of a tool.
          tool_calls: [
            {
              tool_name: 'deep_research',
              arguments: { research_question: 'SEA-SALT' },
            },
            { tool_name: 'consult_scribe', status: 'completed' },
          ],
        });
        const took = await turns();
        expect(took.map(({ model }) => model)).toEqual([
          'gpt-4o',
          'gpt-4.1',
          'gpt-4.1',
          'gpt-4.1',
          'gpt-4o',
        ]);
        expect(took[2].text).toContain('SEA-SALT');
        for (const { text } of took.slice(2))
          expect(text).not.toContain('Asks the user one clarifying question.');
      },
    );

    it('ends with where to read the research of the other that outlasts the wait', async () => {
      await stand.configure({ research_ms: 60_000 });
      const { status, body } = await client.post(
        '/api/v1/chat',
        { message: consult('Research the history of kimchi in detail.') },
        { prefer: 'wait=1' },
      );
      const [call] = body.tool_calls;
      expect({ status, ...body }).toMatchObject({
        status: 'completed',
        agent: 'guide',
        error: null,
        tool_called: true,
        tool_name: 'deep_research',
        tool_calls: [
          { tool_name: 'deep_research', status: 'running' },
          // It has no answer, and no turn of the caller follows.
        ],
      });
      expect(body.content).toContain(
        `deep_research is not finished yet and continues. Read it later at /api/v1/tool-invocations/${call.invocation_id}.`,
      );
      expect((await turns()).map(({ model }) => model)).toEqual([
        'gpt-4o',
        'gpt-4.1',
      ]);
      await stand.configure({ research_ms: 50 });
    });

    it('continues when its worker is killed while the other researches, and buys it once', async () => {
      await stand.configure({ research_ms: 2_000 });
      const message = consult('Research the history of kimchi in detail.');
      const { status, body } = await client.post('/api/v1/chat', {
        message,
        background: true,
      });
      expect(status).toBe(202);
      await untilResearchRuns(stand);
      await stand.killWorkers();
      await stand.addWorker();
      const { reply, frames } = await readChat(
        client,
        body.chat_id,
        body.invocation_token,
      );
      expect(reply).toMatchObject({ agent: 'guide', status: 'completed' });
      expect(
        reply.tool_calls.map(
          ({ tool_name }: { tool_name: string }) => tool_name,
        ),
      ).toEqual(['deep_research', 'consult_scribe']);
      expect((await stand.stats()).creates).toBe(1);
      for (const name of ['deep_research', 'consult_scribe'])
        for (const one of ['tool_call', 'tool_result'])
          expect(
            frames.filter(
              ({ event, data }) => event === one && data.tool_name === name,
            ),
          ).toHaveLength(1);
    });
  },
);

describe.each(ENGINES)(
  'with the engine "%s" and guardrails, an agent that calls another',
  (engine) => {
    const callLog = new ToolCallLog();
    let stand: Stand;
    let client: Client;

    beforeAll(async () => {
      const toolbox = new Toolbox(
        testTools('plain.tool.ts', 'risky.tool.ts'),
        testGuardrails('tools.guardrail.ts', 'answers.guardrail.ts'),
      );
      stand = await Stand.start({
        toolbox,
        env: {
          ...callLog.env,
          RELAY_AGENTS_CONFIG,
          RELAY_CHAT_ENGINES: engine,
          RELAY_TOOLS_DIR: toolbox.more,
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

    it.each(CHAT_MODES)(
      'ends a %s chat whose other agent calls a tool with what is refused, before the tool runs',
      async (mode) => {
        const message = consult(calling('write_down', { word: 'hawk' }));
        const { reply, bytes } = await runChat(mode, client, { message });
        expect(reply).toMatchObject({
          status: 'completed',
          content: 'No calls.',
          guardrail: {
            name: 'calls',
            stage: 'tool_input',
            tool_name: 'write_down',
          },
          tool_calls: [
            { tool_name: 'write_down', arguments: null, status: null },
            { tool_name: 'consult_scribe', status: null },
          ],
          error: null,
        });
        expect(callLog.entries()).toEqual([]);
        expect((await stand.requests()).map(({ body }) => body.model)).toEqual([
          'gpt-4o',
          'gpt-4.1',
        ]);
        expect(bytes).not.toContain('"hawk"');
      },
    );

    it('has the calls of the other redacted', async () => {
      const message = consult(calling('write_down', { word: 'wren' }));
      const { reply } = await runChat('plain', client, { message });
      expect(reply).toMatchObject({ status: 'completed', guardrail: null });
      expect(callLog.entries()).toMatchObject([{ word: '[bird]' }]);
    });

    it('says what the other says only once it is checked', async () => {
      const message = consult(answering('A stork.'));
      const { reply, frames } = await runChat('streamed', client, { message });
      expect(reply).toMatchObject({
        status: 'completed',
        content: expect.stringContaining('A [bird].'),
      });
      expect(deltaText(frames)).toBe(reply.content);
    });

    it('does not say what the other says and is refused', async () => {
      const message = consult(answering('A heron.'));
      const { reply } = await runChat('background', client, { message });
      expect(reply).toMatchObject({
        status: 'completed',
        content: 'No herons.',
        guardrail: { name: 'answers', stage: 'output', tool_name: null },
      });
    });
  },
);
