import { callToolsInParallel } from '../../test/support/chat/parallel-tool-calls';
import {
  type ScriptedReply,
  ScriptedUpstream,
} from '../../test/support/upstream/scripted-upstream';
import { loadConfig } from '../config/load-config';
import {
  accumulate,
  EMPTY_DELTA,
  type MessageDelta,
} from '../platform/message/delta';
import { finish } from '../platform/message/delta-finish';
import { CompletionsEngine } from './completions/completions-engine';
import { ModelClient } from './model.client';
import { LearntModels } from './models/learnt-models';
import { ResponsesEngine } from './responses/responses-engine';
import type { FunctionCall, ModelRequest } from './turns/model.types';
import { UpstreamClient } from './upstream/upstream.client';

const CALL = '{"tool": "deep_research", "input": {"q": "kimchi"}}';
const MADE = { name: 'deep_research', arguments: '{"q":"kimchi"}' };
const tool = {
  name: 'deep_research',
  description:
    'Researches a question on the web, and returns a report. '.repeat(20),
  parameters: {
    type: 'object',
    properties: { q: { type: 'string' } },
    required: ['q'],
    additionalProperties: false,
  },
};

type Protocol = 'Responses' | 'Chat Completions';
interface Reply {
  text: string;
  inputTokens?: number;
}

/** The reply in the form of the protocol; streamed in pieces of two characters. */
const replyOf = (
  protocol: Protocol,
  streamed: boolean,
  { text, inputTokens = 900 }: Reply,
): ScriptedReply => {
  const pieces = text.match(/[^]{1,2}/g) ?? [];
  if (protocol === 'Responses') {
    const usage = {
      input_tokens: inputTokens,
      output_tokens: 9,
      total_tokens: inputTokens + 9,
    };
    const content = [{ type: 'output_text', text, annotations: [] }];
    const message = { type: 'message', id: 'm1', role: 'assistant', content };
    const response = {
      id: 'r1',
      status: 'completed',
      usage,
      output: [message],
    };
    const delta = (piece: string, at: number) => ({
      type: 'response.output_text.delta',
      sequence_number: at,
      output_index: 0,
      content_index: 0,
      delta: piece,
    });
    return streamed
      ? [...pieces.map(delta), { type: 'response.completed', response }]
      : response;
  }
  const usage = {
    prompt_tokens: inputTokens,
    completion_tokens: 9,
    total_tokens: inputTokens + 9,
  };
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason }],
  });
  const message = { role: 'assistant', content: text };
  return streamed
    ? [
        ...pieces.map((content) => chunk({ content })),
        { ...chunk({}, 'stop'), usage },
      ]
    : {
        id: 'c1',
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        usage,
      };
};

describe('the text of a model with function calling', () => {
  let script: ScriptedUpstream;
  let upstream: UpstreamClient;
  let client: ModelClient;
  let learnt: LearntModels;

  beforeAll(async () => {
    script = await ScriptedUpstream.start();
  });
  afterAll(() => script.close());
  afterEach(() => upstream.onApplicationShutdown());

  const start = (protocol: Protocol, engines: string) => {
    const config = loadConfig({
      LITELLM_BASE_URL: script.url,
      RELAY_CHAT_ENGINES: engines,
    });
    upstream = new UpstreamClient(config);
    learnt = new LearntModels();
    const responses = new ResponsesEngine(upstream, config, learnt);
    const completions = new CompletionsEngine(upstream, config, learnt);
    const one = protocol === 'Responses' ? responses : completions;
    client = new ModelClient(
      one as ResponsesEngine,
      completions,
      learnt,
      config,
    );
  };

  const ask = async (
    protocol: Protocol,
    streamed: boolean,
    replies: Reply[],
    more: Partial<ModelRequest> = {},
  ) => {
    script.play(...replies.map((one) => replyOf(protocol, streamed, one)));
    const calls: Omit<FunctionCall, 'callId'>[] = [];
    const deltas: MessageDelta[] = [];
    const answer = await client.run({
      model: 'local',
      input: [{ role: 'user', contents: [{ type: 'text', text: 'Kimchi?' }] }],
      tools: [tool],
      callTools: callToolsInParallel(async (call) => {
        calls.push({ name: call.name, arguments: call.arguments });
        return 'It is old.';
      }),
      ...(streamed && { onDelta: (delta: MessageDelta) => deltas.push(delta) }),
      signal: new AbortController().signal,
      ...more,
    });
    const shown =
      deltas.length > 0 && finish(deltas.reduce(accumulate, EMPTY_DELTA));
    return { answer, calls, shown };
  };

  const ROUTES = (['Responses', 'Chat Completions'] as const).flatMap(
    (protocol) =>
      ['responses', 'agents'].flatMap((engine) =>
        [false, true].map((streamed) => [protocol, engine, streamed] as const),
      ),
  );

  describe.each(ROUTES)(
    'over %s, with the engine %s, streamed: %s',
    (protocol, engine, streamed) => {
      beforeEach(() => start(protocol, `${engine},prompt`));

      it('that is a call of an offered tool calls it, and is not shown', async () => {
        const { answer, calls, shown } = await ask(protocol, streamed, [
          { text: CALL },
          { text: 'Kimchi is old.' },
        ]);
        expect(calls).toEqual([MADE]);
        expect(answer).toMatchObject({ text: 'Kimchi is old.', failure: null });
        if (streamed)
          expect(shown).toMatchObject({
            contents: [{ text: 'Kimchi is old.' }],
          });
        const sent = JSON.stringify(script.bodies[1]);
        expect(sent).toContain('It is old.');
        expect(script.bodies[1]).not.toHaveProperty('previous_response_id');
        expect(sent).not.toContain('input\\":');
      });

      it('that shows JSON of something else stays as it is', async () => {
        const text = '{"tool": "hammer", "input": {"q": "kimchi"}}';
        const { answer, calls } = await ask(protocol, streamed, [{ text }]);
        expect(calls).toEqual([]);
        expect(answer.text).toBe(text);
      });

      it('is a call only where the caller allows one', async () => {
        const none = await ask(protocol, streamed, [{ text: CALL }], {
          toolChoice: 'none',
        });
        expect(none.answer.text).toBe(CALL);
        const format = await ask(protocol, streamed, [{ text: CALL }], {
          sampling: { format: { type: 'json_object' } },
        });
        expect(format.answer.text).toBe(CALL);
      });

      it('is one call where the caller allows one at a time', async () => {
        const { calls } = await ask(
          protocol,
          streamed,
          [{ text: `${CALL}\n${CALL}` }, { text: 'Old.' }],
          { parallelCalls: false },
        );
        expect(calls).toEqual([MADE]);
      });

      it('has its thinking taken out, with and without tools', async () => {
        for (const tools of [[tool], []]) {
          const { answer, shown } = await ask(
            protocol,
            streamed,
            [{ text: '<think>Hm.</think>\n\nKimchi is old.' }],
            { tools },
          );
          expect(answer).toMatchObject({
            text: 'Kimchi is old.',
            thinking: 'Hm.',
          });
          if (streamed)
            expect(shown).toMatchObject({
              contents: [{ text: 'Kimchi is old.' }],
              thinking: 'Hm.',
            });
        }
      });

      it('of an endpoint that dropped the tools is written again, with the tools in the prompt', async () => {
        const replies = [
          { text: 'I cannot search.', inputTokens: 31 },
          {
            text: '{"tool_name": "deep_research", "arguments": {"q": "kimchi"}}',
          },
          { text: 'Kimchi is old.' },
        ];
        const first = await ask(protocol, streamed, replies);
        const again = streamed
          ? await ask(protocol, streamed, replies.slice(1))
          : first;
        expect(again.calls).toEqual([MADE]);
        expect(again.answer.text).toBe('Kimchi is old.');
        await ask(protocol, streamed, [{ text: 'Hi.', inputTokens: 31 }]);
        expect(script.bodies).toHaveLength(1);
        expect(script.bodies[0]).not.toHaveProperty('tools');
      });

      it('of a model that calls its tools is never taken for one without them', async () => {
        await ask(protocol, streamed, [{ text: CALL }, { text: 'Old.' }]);
        const { answer } = await ask(protocol, streamed, [
          { text: 'Hello.', inputTokens: 31 },
        ]);
        expect(answer.text).toBe('Hello.');
        await ask(protocol, streamed, [{ text: 'Hello.' }]);
        expect(script.bodies[0]).toHaveProperty('tools');
      });
    },
  );
});
