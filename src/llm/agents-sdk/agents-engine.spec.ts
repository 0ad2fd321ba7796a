import { callToolsInParallel } from '../../../test/support/chat/parallel-tool-calls';
import { LearntModels } from '../models/learnt-models';
import {
  type ScriptedReply,
  ScriptedUpstream,
} from '../../../test/support/upstream/scripted-upstream';
import { loadConfig } from '../../config/load-config';
import type { Part } from '../../platform/message/message';
import { AgentsEngine } from './agents-engine';
import { AgentsFailure } from './agents-run';
import { CompletionsEngine } from '../completions/completions-engine';
import { toCompletionMessages } from '../completions/completions-messages';
import type { FunctionCall, ModelRequest } from '../turns/model.types';
import { ResponsesEngine } from '../responses/responses-engine';
import { toInputItems } from '../responses/responses-input';
import { UpstreamClient } from '../upstream/upstream.client';

const PARAMETERS = {
  type: 'object',
  properties: { q: { type: ['string', 'null'] }, free: { type: 'object' } },
  required: ['q', 'free'],
  additionalProperties: false,
};
const PNG: Part = { type: 'image', image: { data: 'AAAA' } };

type Body = Record<'input' | 'messages' | 'tools', object[]>;
/** `[id, name, arguments]` */
type Call = [id: string | undefined, name: string, args: string];

/** The reply of a model in each protocol. */
const PROTOCOLS = {
  Responses: {
    engine: ResponsesEngine,
    calling: (...calls: Call[]) => ({
      id: 'resp_1',
      output: [
        { type: 'reasoning', id: 'rs_1', summary: null },
        { type: 'message', content: 'I look.' },
        ...calls.map(([call_id, name, args]) => ({
          type: 'function_call',
          call_id,
          name,
          arguments: args,
        })),
      ],
    }),
    saying: (text: string) => ({
      id: 'resp_2',
      output: [{ type: 'message', content: [{ text }] }],
    }),
  },
  'Chat Completions': {
    engine: CompletionsEngine,
    calling: (...calls: Call[]) => ({
      id: 'chatcmpl_1',
      choices: [
        {
          message: {
            content: 'I look.',
            tool_calls: calls.map(([id, name, args]) => ({
              id,
              function: { name, arguments: args },
            })),
          },
        },
      ],
    }),
    saying: (content: string) => ({
      id: 'chatcmpl_2',
      choices: [{ message: { content } }],
    }),
  },
};
const BOTH = ['Responses', 'Chat Completions'] as const;

describe(AgentsEngine.name, () => {
  let script: ScriptedUpstream;
  let upstream: UpstreamClient;

  beforeAll(async () => {
    script = await ScriptedUpstream.start(true);
  });
  beforeEach(() => {
    upstream = new UpstreamClient(loadConfig({ LITELLM_BASE_URL: script.url }));
  });
  afterEach(() => upstream.onApplicationShutdown());
  afterAll(() => script.close());

  const run = async (
    protocol: (typeof BOTH)[number],
    replies: ScriptedReply[],
    more: Partial<ModelRequest> = {},
    env = {},
  ) => {
    script.play(...replies);
    const turns: FunctionCall[][] = [];
    const { engine: Engine } = PROTOCOLS[protocol];
    const engine = new AgentsEngine(
      new Engine(upstream, loadConfig(env), new LearntModels()),
    );
    const answer = await engine.run({
      model: 'm',
      input: [{ role: 'user', contents: [{ type: 'text', text: 'hi' }] }],
      tools: [{ name: 'f', description: 'F.', parameters: PARAMETERS }],
      callTools: async (calls) => {
        turns.push([...calls]);
        return {
          outputs: calls.map(({ name }) => [{ type: 'text', text: name }]),
        };
      },
      signal: new AbortController().signal,
      ...more,
    });
    return { answer, turns, bodies: script.bodies as unknown as Body[] };
  };

  describe.each(BOTH)('over %s', (protocol) => {
    const { calling, saying } = PROTOCOLS[protocol];

    it('sends tools with their schemas unchanged, and no extra fields', async () => {
      const { answer, bodies } = await run(protocol, [saying('Done.')], {
        tools: [
          { name: 'f', description: 'F.', parameters: PARAMETERS },
          { name: 'g', description: '', parameters: {}, strict: false },
        ],
      });
      expect(answer).toMatchObject({ text: 'Done.', failure: null });
      const tools = [
        { name: 'f', description: 'F.', parameters: PARAMETERS, strict: true },
        { name: 'g', description: '', parameters: {}, strict: false },
      ];
      const type = 'function';
      expect(bodies[0]).toEqual({
        model: 'm',
        ...(protocol === 'Responses'
          ? {
              input: [{ type: 'message', role: 'user', content: 'hi' }],
              max_output_tokens: 16_384,
              tools: tools.map((tool) => ({ type, ...tool })),
            }
          : {
              messages: [{ role: 'user', content: 'hi' }],
              max_tokens: 16_384,
              tools: tools.map((tool) => ({ type, function: tool })),
            }),
      });
      const { bodies: without } = await run(protocol, [saying('Done.')], {
        tools: [],
      });
      expect(Object.keys(without[0]).sort()).toEqual(
        protocol === 'Responses'
          ? ['input', 'max_output_tokens', 'model']
          : ['max_tokens', 'messages', 'model'],
      );
    });

    it('runs the calls of a turn together, including unknown tools and arguments as written', async () => {
      const { answer, turns, bodies } = await run(protocol, [
        calling(
          ['a', 'f', '{"q": "ki'],
          ['b', 'weather.get', '{}'],
          ['c', 'f', '{"q":1}'],
        ),
        saying('Done.'),
      ]);
      expect(answer).toMatchObject({ text: 'Done.', failure: null });
      expect(turns).toEqual([
        [
          { callId: 'a', name: 'f', arguments: '{"q": "ki' },
          { callId: 'b', name: 'weather.get', arguments: '{}' },
          { callId: 'c', name: 'f', arguments: '{"q":1}' },
        ],
      ]);
      const sent = JSON.stringify(bodies[1]);
      expect(sent).toContain('I look.');
      if (protocol === 'Chat Completions')
        expect(bodies[1].messages[1]).toMatchObject({ content: 'I look.' });
    });

    it('runs every call, even if its id is missing or repeats one of an earlier turn', async () => {
      const { answer, turns } = await run(protocol, [
        calling(['a', 'f', '{}'], ['', 'f', '{}'], ['a', 'f', '{}']),
        calling(['a', 'f', '{}'], ['b', 'g', '{}']),
        calling(['b', 'g', '{}']),
        saying('Done.'),
      ]);
      expect(answer).toMatchObject({ text: 'Done.', failure: null });
      expect(turns.map((calls) => calls.length)).toEqual([3, 2, 1]);
      const ids = turns.flat().map(({ callId }) => callId);
      expect(new Set(ids).size).toBe(6);
      expect(ids).not.toContain('');
    });

    it.each([[[['a', 'f', '{}']]], [[['a', 'g', '{}']]]] as [Call[]][])(
      'takes no further turn after `done` for %j',
      async (calls) => {
        const { answer, bodies } = await run(
          protocol,
          [calling(...calls), saying('Done.')],
          { callTools: async () => ({ outputs: [[]], done: true }) },
        );
        expect(answer).toMatchObject({ text: null, failure: null });
        expect(bodies).toHaveLength(1);
      },
    );

    it('instructs the model to answer without tools in its last turn, and runs no call of it', async () => {
      const replies = [1, 2].map(() => calling(['a', 'f', '{}']));
      const env = { RELAY_MAX_TURNS: '2' };
      const { answer, turns, bodies } = await run(protocol, replies, {}, env);
      expect(answer).toMatchObject({ text: 'I look.', failure: null });
      expect(turns).toHaveLength(1);
      expect(bodies).toMatchObject([{}, { tool_choice: 'none' }]);
    });

    it('sends results with their images, like the other engines', async () => {
      const outputs = [
        [{ type: 'text' as const, text: 'A map:' }, PNG],
        [{ type: 'value' as const, value: { celsius: 3 } }],
      ];
      const { answer, bodies } = await run(
        protocol,
        [
          calling(['a', 'f', '{}'], ['b', 'f', '{}']),
          calling(['c', 'f', '{}'], ['d', 'f', '{}']),
          saying('Done.'),
        ],
        { callTools: async () => ({ outputs }) },
      );
      expect(answer.failure).toBeNull();
      for (const ids of [
        ['a', 'b'],
        ['c', 'd'],
      ]) {
        const results = ids.map((id, at) => ({
          role: 'tool' as const,
          tool_call_id: id,
          contents: outputs[at],
        }));
        const sent =
          protocol === 'Responses'
            ? toInputItems(results)
            : toCompletionMessages(results);
        const all = bodies[2].input ?? bodies[2].messages;
        const from = all.findIndex((item) =>
          JSON.stringify(item).includes(
            protocol === 'Responses'
              ? `"type":"function_call_output","call_id":"${ids[0]}"`
              : `"tool_call_id":"${ids[0]}"`,
          ),
        );
        expect(all.slice(from, from + sent.length)).toMatchObject(sent);
      }
    });

    it('rejects with the error that a tool call threw', async () => {
      const reason = new Error('the caller is gone');
      const callTools = async () => {
        throw reason;
      };
      for (const name of ['f', 'g'])
        await expect(
          run(protocol, [calling(['a', name, '{}'])], { callTools }),
        ).rejects.toBe(reason);
    });
  });

  it('reports a failure of the SDK without its cause', async () => {
    const { calling } = PROTOCOLS.Responses;
    const { output, ...reply } = calling(['a', 'f', '{}']);
    const strange = { type: 'computer_call', call_id: 'secret' };
    const { answer, turns } = await run('Responses', [
      { ...reply, output: [strange, ...output] },
    ]);
    expect(turns).toEqual([]);
    expect(answer.text).toBeNull();
    expect(answer.failure).toBeInstanceOf(AgentsFailure);
    expect(answer.failure!.message).toBe('Internal error.');
  });

  it('reports a failed turn like the other engines, also after other turns', async () => {
    const { calling } = PROTOCOLS.Responses;
    const { answer, turns } = await run('Responses', [
      { ...calling(['a', 'f', '{}']), usage: { input_tokens: 1 } },
      { id: 'resp_2', status: 'failed' },
    ]);
    expect(turns).toHaveLength(1);
    expect(answer).toMatchObject({
      text: null,
      failure: { code: 'upstream_failed' },
      responseId: 'resp_2',
      usage: { total_tokens: 1 },
    });
    expect(answer.failure).not.toBeInstanceOf(AgentsFailure);
  });

  it('calls each tool once, however often the SDK invokes it', async () => {
    const { calling, saying } = PROTOCOLS.Responses;
    const callTool = jest.fn(async () => 'out');
    await run(
      'Responses',
      [calling(['a', 'f', '{}'], ['b', 'f', '{}']), saying('Done.')],
      { callTools: callToolsInParallel(callTool) },
    );
    expect(callTool).toHaveBeenCalledTimes(2);
  });
});
