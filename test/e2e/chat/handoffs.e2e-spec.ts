import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  calling,
  runChat,
  readChat,
  untilResearchRuns,
  CHAT_MODES,
} from '../../support/chat/chats';
import type { Client } from '../../support/client';
import { ToolCallLog } from '../../support/tool-call-log';
import { ScriptedUpstream } from '../../support/upstream/scripted-upstream';
import { Stand } from '../../support/processes/stand';
import { Toolbox, testTools } from '../../support/processes/toolbox';
import { until } from '../../support/until';

const ENGINES = ['agents', 'responses', 'prompt'];
const GUIDE = 'You are the guide of this house.';
const SCRIBE = 'You are the scribe of this house.';
const TO_SCRIBE = calling('transfer_to_scribe', {});
const TO_GUIDE = calling('transfer_to_guide', {});
const MAX_TURNS = 6;

const folder = mkdtempSync(join(tmpdir(), 'handoffs-'));
const RELAY_AGENTS_CONFIG = join(folder, 'agents.json');
writeFileSync(
  RELAY_AGENTS_CONFIG,
  JSON.stringify({
    start: 'guide',
    agents: {
      guide: {
        instructions: GUIDE,
        tools: ['write_down'],
        handoffs: ['scribe'],
      },
      scribe: {
        description: 'Writes.',
        instructions: SCRIBE,
        model: 'gpt-4.1',
        tools: ['deep_research', 'say'],
        handoffs: ['guide'],
      },
    },
  }),
);

afterAll(() => rmSync(folder, { recursive: true }));

const handoffsIn = (frames: readonly { event: string; data: unknown }[]) =>
  frames.filter(({ event }) => event === 'handoff').map(({ data }) => data);

describe.each(ENGINES)('with the engine "%s", an agent', (engine) => {
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
        RELAY_MAX_TURNS: String(MAX_TURNS),
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

  /** The turns of agents: the model of each, and the agent that its instructions name. */
  const turns = async () =>
    (await stand.requests())
      .map(({ body }) => ({
        model: body.model as string,
        text: JSON.stringify(body),
      }))
      .filter(({ model }) => !/research/.test(model));
  const tookTurns = async () =>
    (await turns()).map(({ model, text }) => {
      const [is, isNot] =
        model === 'gpt-4.1' ? [SCRIBE, GUIDE] : [GUIDE, SCRIBE];
      // An endpoint that stores the conversation received the instructions before.
      if (!text.includes('previous_response_id')) expect(text).toContain(is);
      expect(text).not.toContain(isNot);
      return model;
    });
  const begin = async (message: string) => {
    const body = { message, background: true };
    const reply = await client.post('/api/v1/chat', body);
    expect(reply.status).toBe(202);
    const { chat_id, invocation_token } = reply.body;
    return () => readChat(client, chat_id, invocation_token);
  };
  const replaceWorker = async () => {
    await stand.killWorkers();
    await stand.addWorker();
  };

  it.each(CHAT_MODES)(
    'hands over to an agent with its own model, instructions and tools, in a %s chat',
    async (mode) => {
      const message = `Kimchi in detail ${TO_SCRIBE}`;
      const { reply } = await runChat(mode, client, { message });
      expect(reply).toMatchObject({
        agent: 'scribe',
        status: 'completed',
        tool_calls: [{ tool_name: 'deep_research', status: 'completed' }],
      });
      expect(await tookTurns()).toEqual(['gpt-4o', 'gpt-4.1', 'gpt-4.1']);
      const [first, second] = await turns();
      expect(first.text).toContain('transfer_to_scribe');
      expect(first.text).toContain('Writes a word down.');
      expect(first.text).not.toContain('Returns a word for the user.');
      expect(second.text).toContain('transfer_to_guide');
      expect(second.text).not.toContain('Writes a word down.');
      expect(second.text).toContain('Returns a word for the user.');
    },
  );

  it.each(CHAT_MODES)(
    'has the other calls of the handoff turn made, in a %s chat',
    async (mode) => {
      const message = calling('write_down', { word: 'salt' }) + TO_SCRIBE;
      const { reply, frames } = await runChat(mode, client, { message });
      expect(reply).toMatchObject({
        agent: 'scribe',
        tool_calls: [{ tool_name: 'write_down', status: 'completed' }],
      });
      expect(handoffsIn(frames)).toEqual(
        mode === 'plain' ? [] : [{ from: 'guide', to: 'scribe' }],
      );
      expect(callLog.entries()).toHaveLength(1);
      expect(await tookTurns()).toEqual(['gpt-4o', 'gpt-4.1']);
      expect((await turns())[1].text).toContain('salt');
      const reported = frames.filter(({ event }) =>
        /^tool_(call|result)$/.test(event),
      );
      if (mode !== 'plain')
        expect(reported.map(({ event }) => event)).toEqual([
          'tool_call',
          'tool_result',
        ]);
    },
  );

  it.each(CHAT_MODES)(
    'calls only its own tools and hands over only to its own agents, in a %s chat',
    async (mode) => {
      const message = calling('say', { word: 'salt' }) + TO_GUIDE;
      const { reply } = await runChat(mode, client, { message });
      expect(reply).toMatchObject({
        agent: 'guide',
        tool_called: false,
        tool_calls: [
          { tool_name: 'say', status: null, invocation_id: null },
          { tool_name: 'transfer_to_guide', status: null },
        ],
      });
      expect(await tookTurns()).toEqual(['gpt-4o', 'gpt-4o']);
      expect((await turns())[1].text).toContain('UNKNOWN_TOOL');
      expect((await turns())[1].text).toContain('There is: write_down.');
    },
  );

  it('that received a handoff continues when its worker is killed in its first turn', async () => {
    await stand.fault({ kind: 'hang', match: { model: 'gpt-4.1' } });
    const end = await begin(
      calling('write_down', { word: 'salt' }) + TO_SCRIBE,
    );
    await until(
      'the second turn of the model',
      async (saw) => saw(await turns()).length === 2,
    );
    await replaceWorker();
    await stand.clearFaults();
    const { reply } = await end();
    expect(reply).toMatchObject({
      agent: 'scribe',
      status: 'completed',
      tool_calls: [{ tool_name: 'write_down', status: 'completed' }],
    });
    expect(await tookTurns()).toEqual(['gpt-4o', 'gpt-4.1', 'gpt-4.1']);
    expect(callLog.entries()).toHaveLength(1);
  });

  it('that received a handoff continues when its worker is killed while its tool runs', async () => {
    await stand.configure({ research_ms: 2_000 });
    const end = await begin(`Kimchi in detail ${TO_SCRIBE}`);
    await untilResearchRuns(stand);
    await replaceWorker();
    const { reply, frames } = await end();
    expect(reply).toMatchObject({
      agent: 'scribe',
      status: 'completed',
      tool_calls: [{ tool_name: 'deep_research', status: 'completed' }],
    });
    expect(await tookTurns()).toEqual(['gpt-4o', 'gpt-4.1', 'gpt-4.1']);
    expect((await stand.stats()).creates).toBe(1);
    for (const one of ['handoff', 'tool_call', 'tool_result', 'completed'])
      expect(frames.filter(({ event }) => event === one)).toHaveLength(1);
  });
});

describe.each(ENGINES)('with the engine "%s", agents', (engine) => {
  let upstream: ScriptedUpstream;
  let stand: Stand;

  beforeAll(async () => {
    upstream = await ScriptedUpstream.start();
    stand = await Stand.start({
      env: {
        LITELLM_BASE_URL: upstream.url,
        RELAY_AGENTS_CONFIG,
        RELAY_CHAT_ENGINES: engine,
        RELAY_MAX_TURNS: String(MAX_TURNS),
      },
    });
  });
  afterAll(async () => {
    await stand.stop();
    await upstream.close();
  });

  /** A turn that hands over, whatever its input is. */
  const handsOver = (to: string, turn: number) => {
    const name = `transfer_to_${to}`;
    const text = JSON.stringify({ tool_name: name, arguments: {} });
    const call = {
      type: 'function_call',
      id: `fc_${turn}`,
      call_id: `call_${turn}`,
      name,
      arguments: '{}',
      status: 'completed',
    };
    const receivedText = {
      type: 'message',
      id: `msg_${turn}`,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text, annotations: [] }],
    };
    return {
      id: `resp_${turn}`,
      object: 'response',
      status: 'completed',
      output: [engine === 'prompt' ? receivedText : call],
      usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    };
  };

  it.each(['plain', 'background'] as const)(
    'that hand over to each other are stopped after RELAY_MAX_TURNS, in a %s chat',
    async (mode) => {
      const names = Array.from({ length: MAX_TURNS + 2 }, (_, turn) =>
        turn % 2 === 0 ? 'scribe' : 'guide',
      );
      upstream.play(...names.map(handsOver));
      const { reply } = await runChat(mode, stand.client(), {
        message: 'Hello!',
      });
      expect(reply).toMatchObject({
        status: 'failed',
        error: { code: 'max_turns_exceeded' },
        tool_calls: [],
        agent: 'scribe',
      });
      expect(upstream.bodies).toHaveLength(MAX_TURNS);
      expect(upstream.bodies.map(({ model }) => model)).toEqual(
        names
          .slice(0, MAX_TURNS)
          .map((to) => (to === 'scribe' ? 'gpt-4o' : 'gpt-4.1')),
      );
    },
  );
});
