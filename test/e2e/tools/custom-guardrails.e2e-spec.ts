import {
  calling,
  runChat,
  type ChatFrame,
  readChat,
  deltaText,
  answering,
  CHAT_MODES,
} from '../../support/chat/chats';
import type { Client } from '../../support/client';
import { ToolCallLog } from '../../support/tool-call-log';
import { Stand } from '../../support/processes/stand';
import {
  Toolbox,
  testGuardrails,
  testTools,
} from '../../support/processes/toolbox';
import { until } from '../../support/until';

const ENGINES = ['agents', 'responses', 'prompt'];
const UNANSWERED = 'This cannot be answered.';
const RESEARCH = calling('deep_research', {
  research_question: 'Kimchi in detail',
});
const SECRET = 'sk-guardrail-secret';

describe.each(ENGINES)(
  'with the engine "%s", a guardrail of RELAY_TOOLS_DIR',
  (engine) => {
    const callLog = new ToolCallLog();
    let stand: Stand;
    let client: Client;

    const start =
      (...files: string[]) =>
      async () => {
        const toolbox = new Toolbox(
          testTools('plain.tool.ts'),
          testGuardrails(...files),
        );
        stand = await Stand.start({
          researchMs: 50,
          toolbox,
          env: {
            ...callLog.env,
            RELAY_CHAT_ENGINES: engine,
            RELAY_TOOLS_DIR: toolbox.more,
          },
        });
        client = stand.client();
      };
    const stop = () => stand.stop();
    const reset = async () => {
      callLog.clear();
      await stand.reset();
    };
    const turns = async () =>
      (await stand.requests()).map(({ body }) => JSON.stringify(body));
    const logged = () =>
      [...stand.apis, ...stand.workers].map(({ output }) => output).join('\n');
    const tripped = (name: string, stage: string, tool_name?: string) => ({
      status: 'completed',
      research_summary: null,
      guardrail: { name, stage, tool_name: tool_name ?? null },
      error: null,
    });

    afterAll(() => callLog.remove());

    describe('for tools', () => {
      beforeAll(start('tools.guardrail.ts'));
      afterEach(reset);
      afterAll(stop);

      it.each(CHAT_MODES)('rejects a request in a %s chat', async (mode) => {
        const message = 'What of the magpie?';
        const { reply, bytes } = await runChat(mode, client, { message });
        expect(reply).toMatchObject({
          ...tripped('birds', 'input'),
          content: 'No birds.',
          tool_called: false,
        });
        expect(bytes).not.toContain('magpie');
        expect(await turns()).toEqual([]);
      });

      it.each(CHAT_MODES)(
        'blocks a call with rejected arguments, in a %s chat',
        async (mode) => {
          const message = calling('write_down', { word: 'a hawk' });
          const { reply, frames, bytes } = await runChat(mode, client, {
            message,
          });
          expect(reply).toMatchObject({
            ...tripped('calls', 'tool_input', 'write_down'),
            content: 'No calls.',
            tool_called: false,
            tool_name: null,
            tool_calls: [
              { tool_name: 'write_down', arguments: null, invocation_id: null },
            ],
            usage: { total_tokens: expect.any(Number) },
          });
          expect(callLog.entries()).toEqual([]);
          expect(await turns()).toHaveLength(1);
          expect(bytes).not.toContain('hawk');
          if (mode !== 'plain') expectOneEnd(frames);
        },
      );

      it.each(CHAT_MODES)(
        'checks the arguments that the request adds to a call, in a %s chat',
        async (mode) => {
          const documents = [{ title: 'Mine', text: 'Of the wren.' }];
          const system_prompt = 'Sing.';
          const more = { documents, system_prompt };
          await runChat(mode, client, { message: RESEARCH, ...more });
          const researched = (await turns()).find((body) =>
            /"model":"o3-deep-research"/.test(body),
          );
          expect(researched).toContain('Of the [bird].');
          expect(researched).toContain('Sing.');
        },
      );

      it.each(CHAT_MODES)(
        'passes redacted arguments to a tool, in a %s chat',
        async (mode) => {
          const message = calling('write_down', { word: 'a wren' });
          const { reply, frames } = await runChat(mode, client, { message });
          expect(reply).toMatchObject({ status: 'completed', guardrail: null });
          expect(callLog.entries()).toEqual([
            expect.objectContaining({ word: 'a [bird]' }),
          ]);
          expect(reply.tool_calls).toMatchObject([
            { arguments: { word: 'a [bird]' }, status: 'completed' },
          ]);
          for (const { event, data } of frames)
            if (/^tool_(call|result)$/.test(event))
              expect(data.arguments).toEqual({ word: 'a [bird]' });
        },
      );

      it.each(CHAT_MODES)(
        'hides a rejected result from the model, in a %s chat',
        async (mode) => {
          const message = calling('find', { word: 'owl' });
          const { reply, frames, bytes } = await runChat(mode, client, {
            message,
          });
          expect(reply).toMatchObject({
            ...tripped('news', 'tool_output', 'find'),
            content: 'No news.',
            tool_called: true,
            tool_name: 'find',
            tool_calls: [{ status: 'failed' }],
          });
          expect(await turns()).toHaveLength(1);
          expect(bytes).not.toContain('no owl');
          if (mode !== 'plain') expectOneEnd(frames);
        },
      );

      it.each(CHAT_MODES)(
        'passes a redacted result to the model, in a %s chat',
        async (mode) => {
          const message = calling('find', { word: 'crow' });
          const { bytes } = await runChat(mode, client, { message });
          const [, second] = await turns();
          expect(second).toContain('There is [news].');
          expect(second + bytes).not.toContain('no crow');
        },
      );

      it.each(CHAT_MODES)(
        'redacts an answer that comes directly from a tool like the result, in a %s chat',
        async (mode) => {
          const say = (word: string) => calling('say', { word, times: 2 });
          const changed = await runChat(mode, client, { message: say('crow') });
          expect(changed.reply).toMatchObject({ content: '[news]' });
          expect(changed.bytes).not.toContain('crow crow');
          const refused = await runChat(mode, client, { message: say('owl') });
          expect(refused.reply).toMatchObject({
            ...tripped('news', 'tool_output', 'say'),
            content: 'No news.',
          });
          expect(refused.bytes).not.toContain('owl owl');
        },
      );

      it.each(CHAT_MODES)(
        'checks the report of research, in a %s chat',
        async (mode) => {
          const { reply, bytes } = await runChat(mode, client, {
            message: RESEARCH,
          });
          expect(reply.research_summary).toContain('chilli, [news], ginger');
          expect(reply.content).toContain('chilli, [news], ginger');
          expect(bytes).not.toContain('garlic');
          expect((await turns()).join()).not.toContain('chilli, garlic');
        },
      );

      it.each(CHAT_MODES)(
        'rejects when it fails, in a %s chat',
        async (mode) => {
          const message = 'What of the raven?';
          const { reply, bytes } = await runChat(mode, client, { message });
          expect(reply).toMatchObject({
            ...tripped('broken', 'input'),
            content: UNANSWERED,
          });
          expect(await turns()).toEqual([]);
          await until('the failure of the guardrail to be logged', (saw) =>
            saw(logged()).includes('The guardrail broken failed (input)'),
          );
          expect(bytes + logged()).not.toMatch(/raven|sk-guardrail-secret/);
        },
      );

      it('does not apply to calls over HTTP', async () => {
        const invoke = async (tool_name: string, word: string) =>
          (
            await client.post('/api/v1/tool-invocations', {
              tool_name,
              arguments: { word },
            })
          ).body;
        expect(await invoke('write_down', 'a hawk')).toMatchObject({
          status: 'completed',
          contents: [{ value: { word: 'a hawk' } }],
        });
        expect(await invoke('find', 'owl')).toMatchObject({
          contents: [{ value: { message: 'There is no owl.' } }],
        });
        const { body } = await client.research({
          research_question: 'Kimchi in detail',
        });
        expect(body.output_text).toContain('chilli, garlic');
      });
    });

    describe('for answers', () => {
      beforeAll(start('tools.guardrail.ts', 'answers.guardrail.ts'));
      afterEach(reset);
      afterAll(stop);

      it.each(CHAT_MODES)(
        'receives the output of the previous one, in a %s chat',
        async (mode) => {
          const message = answering('The stork and the crane.');
          const finishedChat = await runChat(mode, client, { message });
          const content = 'The [bird] and the [bird].';
          expect(finishedChat.reply).toMatchObject({
            content,
            guardrail: null,
          });
          expect(finishedChat.bytes).not.toMatch(/stork|crane/);
          if (mode !== 'plain')
            expect(deltaText(finishedChat.frames)).toBe(content);
        },
      );

      it.each(CHAT_MODES)(
        'removes a rejected answer completely in a %s chat',
        async (mode) => {
          const message = RESEARCH + answering('So it is said. A heron.');
          const { reply, frames, bytes } = await runChat(mode, client, {
            message,
          });
          expect(reply).toMatchObject({
            ...tripped('answers', 'output'),
            content: 'No herons.',
            tool_called: true,
          });
          expect(bytes).not.toMatch(/So it is said|heron\b|garlic|chilli/);
          if (mode !== 'plain') expectOneEnd(frames);
        },
      );

      it.each(CHAT_MODES)(
        'rejects when it fails, in a %s chat',
        async (mode) => {
          const message = answering('A raven.');
          const { reply, bytes } = await runChat(mode, client, { message });
          expect(reply).toMatchObject({
            ...tripped('broken-answers', 'output'),
            content: UNANSWERED,
          });
          expect(bytes + logged()).not.toMatch(new RegExp(`raven|${SECRET}`));
        },
      );

      it.each(CHAT_MODES)(
        'checks reports and answers of tools, in a %s chat',
        async (mode) => {
          const { reply, frames, bytes } = await runChat(mode, client, {
            message: RESEARCH,
          });
          for (const text of [reply.content, reply.research_summary])
            expect(text).toMatch(/chilli, \[(beings|news)\], ginger/);
          expect(bytes).not.toContain('garlic');
          if (mode !== 'plain') expect(deltaText(frames)).toBe(reply.content);
          const message = calling('say', { word: 'stork', times: 2 });
          const direct = await runChat(mode, client, { message });
          expect(direct.reply.content).toBe('[bird] [bird]');
          expect(direct.bytes).not.toContain('stork stork');
          if (mode !== 'plain')
            expect(deltaText(direct.frames)).toBe('[bird] [bird]');
        },
      );

      it.each(CHAT_MODES)(
        'lets the whole report be returned when the model fails after it, in a %s chat',
        async (mode) => {
          for (const body of ['function_call_output', 'Tool result of'])
            await stand.fault({
              kind: 'status',
              status: 401,
              count: 0,
              match: { body },
            });
          const { reply, frames } = await runChat(mode, client, {
            message: RESEARCH,
          });
          expect(reply).toMatchObject({
            status: 'completed',
            content: expect.stringContaining('chilli, [news], ginger'),
            error: { code: 'upstream_unauthorized' },
          });
          if (mode === 'plain') return;
          expectOneEnd(frames);
          expect(deltaText(frames)).toBe(reply.content);
        },
      );

      it('checks them when a worker was killed after its tool', async () => {
        const word = 'stork';
        const message =
          calling('write_down', { word }) + answering('A stork, a heron.');
        await stand.fault({
          kind: 'hang',
          match: {
            body:
              engine === 'prompt' ? 'Tool result of' : 'function_call_output',
          },
        });
        const { body } = await client.post('/api/v1/chat', {
          message,
          background: true,
        });
        await until(
          'two turns to be requested',
          async (saw) => saw(await turns()).length === 2,
        );
        await stand.killWorkers();
        await stand.addWorker();
        await stand.clearFaults();
        const { chat_id, invocation_token } = body;
        const finishedChat = await readChat(client, chat_id, invocation_token);
        expect(finishedChat.reply).toMatchObject({
          ...tripped('answers', 'output'),
          content: 'No herons.',
          tool_calls: [{ tool_name: 'write_down', status: 'completed' }],
        });
        expect(finishedChat.bytes).not.toContain('heron,');
        expect(finishedChat.bytes).not.toContain('A stork');
        expectOneEnd(finishedChat.frames);
        expect(callLog.entries()).toHaveLength(1);
      });
    });
  },
);

function expectOneEnd(frames: ChatFrame[]): void {
  const ends = frames.filter(({ event }) => /^(completed|error)$/.test(event));
  expect(ends.map(({ event }) => event)).toEqual(['completed']);
  expect(frames.at(-1)!.event).toBe('completed');
}
