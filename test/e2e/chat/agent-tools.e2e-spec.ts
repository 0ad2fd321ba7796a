import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  calling,
  CHAT_MODES,
  deltaText,
  readChat,
  runChat,
  untilResearchRuns,
} from '../../support/chat/chats';
import type { Client } from '../../support/client';
import { Stand } from '../../support/processes/stand';
import { Toolbox, testTools } from '../../support/processes/toolbox';
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
        tools: ['deep_research', 'write_down', 'say'],
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
        toolbox: new Toolbox(testTools('plain.tool.ts')),
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
