import { callToolsInParallel } from '../../test/support/chat/parallel-tool-calls';
import { LearntModels } from './models/learnt-models';
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
import type { FunctionCall, ModelRequest } from './turns/model.types';
import { PromptedEngine } from './prompted/prompted-engine';
import { ResponsesEngine } from './responses/responses-engine';
import { UpstreamClient } from './upstream/upstream.client';

let script: ScriptedUpstream;
let upstream: UpstreamClient;
const config = () => loadConfig({ LITELLM_BASE_URL: script.url });
const responses = () =>
  new ResponsesEngine(upstream, config(), new LearntModels());
const completions = () =>
  new CompletionsEngine(upstream, config(), new LearntModels());
const prompt = () => new PromptedEngine(completions());

/** The deltas, calls and answer of a conversation for these replies of the endpoint. */
const run = async (
  engine: Pick<ResponsesEngine, 'run'>,
  replies: ScriptedReply[],
  more: Partial<ModelRequest> = {},
) => {
  script.play(...replies);
  const deltas: MessageDelta[] = [];
  const calls: Omit<FunctionCall, 'callId'>[] = [];
  const answer = await engine.run({
    model: 'm',
    input: [{ role: 'user', contents: [{ type: 'text', text: 'hi' }] }],
    tools: [{ name: 'f', description: '', parameters: {} }],
    callTools: callToolsInParallel(async ({ name, arguments: args }) => {
      calls.push({ name, arguments: args });
      return 'out';
    }),
    onDelta: (delta) => deltas.push(delta),
    signal: new AbortController().signal,
    ...more,
  });
  const message =
    deltas.length > 0
      ? finish(deltas.reduce(accumulate, EMPTY_DELTA))
      : { contents: [], thinking: undefined };
  const texts = message.contents.map((part) =>
    part.type === 'text' ? part.text : part,
  );
  return { answer, calls, texts, thinking: message.thinking, deltas };
};

beforeAll(async () => {
  script = await ScriptedUpstream.start();
});
beforeEach(() => {
  upstream = new UpstreamClient(config());
});
afterEach(() => upstream.onApplicationShutdown());
afterAll(() => script.close());

describe('streams of Responses', () => {
  const textItem = (text: string, more: object = {}) => ({
    type: 'message',
    content: [{ type: 'output_text', text }],
    ...more,
  });
  const call = (arguments_: string, call_id = 'a') => ({
    type: 'function_call',
    call_id,
    name: 'f',
    arguments: arguments_,
  });
  const delta = (text: string, output_index = 0) => ({
    type: 'response.output_text.delta',
    output_index,
    content_index: 0,
    delta: text,
  });
  const summary = (text: string, summary_index = 0) => ({
    type: 'response.reasoning_summary_text.delta',
    output_index: 0,
    summary_index,
    delta: text,
  });
  const done = (...output: object[]) => ({
    type: 'response.completed',
    response: { id: 'resp_1', status: 'completed', output },
  });

  it('send the text of each turn as a part of its own, and thinking separately', async () => {
    const { answer, calls, texts, thinking } = await run(responses(), [
      [
        summary('Should '),
        summary('I?'),
        summary('Yes.', 1),
        delta('I look '),
        delta('it up.'),
        done(textItem('I look it up.'), call('{"q":1}'), call('{"q":2}', 'b')),
      ],
      [
        summary('So.'),
        delta('It is '),
        delta('so.'),
        done(textItem('It is so.')),
      ],
    ]);
    expect(calls).toEqual([
      { name: 'f', arguments: '{"q":1}' },
      { name: 'f', arguments: '{"q":2}' },
    ]);
    expect(texts).toEqual(['I look it up.', 'It is so.']);
    expect(thinking).toBe('Should I?\n\nYes.\n\nSo.');
    expect(answer.text).toBe('It is so.');
  });

  it('treat commentary as thinking', async () => {
    const item = textItem('', { phase: 'commentary' });
    const { answer, texts, thinking } = await run(responses(), [
      [
        { type: 'response.output_item.added', output_index: 0, item },
        delta('Let me see.'),
        delta('Done.', 1),
        done(
          textItem('Let me see.', { phase: 'commentary' }),
          textItem('Done.'),
        ),
      ],
    ]);
    expect(thinking).toBe('Let me see.');
    expect(texts).toEqual(['Done.']);
    expect(answer.text).toBe('Done.');
  });

  it('may mark a text as commentary only at the end', async () => {
    const { answer, texts } = await run(responses(), [
      [
        delta('Let me see.'),
        delta('Done.', 1),
        done(
          textItem('Let me see.', { phase: 'commentary' }),
          textItem('Done.'),
        ),
      ],
    ]);
    expect(answer.failure).toBeNull();
    expect(texts).toEqual([answer.text]);
  });

  it('may omit all deltas, or the last ones', async () => {
    const whole = textItem('It is so.');
    for (const deltas of [[], [delta('It is')], [delta('It is so. \n')]]) {
      const { answer, texts } = await run(responses(), [
        [...deltas, done(whole)],
      ]);
      expect(answer.text!.trim()).toBe('It is so.');
      expect(texts).toEqual([answer.text]);
    }
  });

  it('may omit the output of the whole response', async () => {
    const item = textItem('It is so.');
    const { answer, texts } = await run(responses(), [
      [
        delta('It is so.'),
        { type: 'response.output_item.done', output_index: 0, item },
        done(),
      ],
    ]);
    expect(answer.text).toBe('It is so.');
    expect(texts).toEqual(['It is so.']);
  });

  it('send a refusal as text', async () => {
    const refusal = 'I cannot.';
    const content = [{ type: 'refusal', refusal }];
    const { answer, texts } = await run(responses(), [
      [
        { type: 'response.refusal.delta', output_index: 0, delta: refusal },
        done({ type: 'message', content }),
      ],
    ]);
    expect(answer.text).toBe(refusal);
    expect(texts).toEqual([refusal]);
  });

  it('may be plain JSON replies', async () => {
    const thought = {
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'Hm.' }],
    };
    const { answer, calls, texts, thinking } = await run(responses(), [
      done(thought, textItem('I look.'), call('{}')).response,
      done(textItem('It is so.')).response,
    ]);
    expect(calls).toHaveLength(1);
    expect(texts).toEqual(['I look.', 'It is so.']);
    expect(thinking).toBe('Hm.');
    expect(answer.text).toBe('It is so.');
  });

  it('are not repeated in full after a delta of the turn was sent, even for an endpoint that may be stateless', async () => {
    const forgotten = { error: { message: 'not found', code: 404 } };
    const { answer, texts } = await run(responses(), [
      [done(call('{}'))],
      [delta('It is'), forgotten],
    ]);
    expect(answer.failure).toMatchObject({ fault: { status: 404 } });
    expect(texts).toEqual(['It is']);
    expect(script.bodies).toHaveLength(2);
  });

  it.each([
    ['a piece was lost', [delta('It is'), done(textItem('It was so.'))]],
    ['it never ends', [delta('It is so.')]],
    ['it ends without a response', [{ type: 'response.completed' }]],
  ])('are a failure where %s', async (_, frames) => {
    const { answer } = await run(responses(), [frames, frames, frames]);
    expect(answer).toMatchObject({
      text: null,
      failure: { code: 'upstream_error' },
    });
  });
});

describe('streams of Chat Completions', () => {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    id: 'chatcmpl_1',
    choices: [{ index: 0, delta, finish_reason }],
  });
  const call = (fields: object) => chunk({ tool_calls: [fields] });
  const stop = chunk({}, 'stop');
  const answered = [chunk({ content: 'It is ' }), chunk({ content: 'so.' })];

  it('send the text of each turn as a part of its own, and join its calls from interleaved fragments', async () => {
    const first = (index: number, id: string) =>
      call({ index, id, function: { name: 'f', arguments: '' } });
    const rest = (index: number, args: string) =>
      call({ index, function: { arguments: args } });
    const { answer, calls, texts, thinking } = await run(completions(), [
      [
        chunk({ role: 'assistant', content: '' }),
        chunk({ reasoning_content: 'Should ' }),
        chunk({ reasoning_content: 'I?' }),
        chunk({ content: 'I look ' }),
        chunk({ content: 'it up.' }),
        first(0, 'a'),
        first(1, 'b'),
        rest(1, '{"q"'),
        rest(0, '{"q":'),
        rest(1, ':2}'),
        rest(0, '1}'),
        chunk({}, 'tool_calls'),
      ],
      [chunk({ reasoning: 'So.' }), ...answered, stop],
    ]);
    expect(calls).toEqual([
      { name: 'f', arguments: '{"q":1}' },
      { name: 'f', arguments: '{"q":2}' },
    ]);
    expect(texts).toEqual(['I look it up.', 'It is so.']);
    expect(thinking).toBe('Should I?\n\nSo.');
    expect(answer).toMatchObject({
      text: 'It is so.',
      responseId: 'chatcmpl_1',
      usage: null,
    });
    expect(script.bodies[1].messages).toMatchObject([
      { role: 'user' },
      { content: 'I look it up.', tool_calls: [{ id: 'a' }, { id: 'b' }] },
      { role: 'tool', tool_call_id: 'a' },
      { role: 'tool', tool_call_id: 'b' },
    ]);
  });

  it('may send each call whole, without an index or an id, and finish with `stop`', async () => {
    const whole = { function: { name: 'f', arguments: { q: 1 } } };
    const { calls, texts } = await run(completions(), [
      [call(whole), call(whole), stop],
      [...answered, stop],
    ]);
    expect(calls).toHaveLength(2);
    expect(calls[0].arguments).toBe('{"q":1}');
    expect(texts).toEqual(['It is so.']);
  });

  it('may carry the usage with the last chunk, after it, or with every chunk', async () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    const last = { ...stop, usage };
    const all = answered.map((one) => ({ ...one, usage }));
    const after = { choices: [], usage };
    for (const frames of [
      [...answered, last],
      [...answered, stop, after],
      [...all, last],
    ]) {
      const { answer } = await run(completions(), [frames]);
      expect(answer).toMatchObject({
        text: 'It is so.',
        usage: { total_tokens: 3 },
      });
    }
  });

  it('may be plain JSON replies', async () => {
    const message = { content: 'It is so.', reasoning_content: 'Hm.' };
    const { answer, texts, thinking } = await run(completions(), [
      { choices: [{ message, finish_reason: 'stop' }] },
    ]);
    expect(answer.text).toBe('It is so.');
    expect(texts).toEqual(['It is so.']);
    expect(thinking).toBe('Hm.');
  });

  it('send a refusal as text', async () => {
    const { answer, texts } = await run(completions(), [
      [chunk({ refusal: 'I ' }), chunk({ refusal: 'cannot.' }), stop],
    ]);
    expect(answer.text).toBe('I cannot.');
    expect(texts).toEqual(['I cannot.']);
  });

  it.each([
    ['upstream_error', { error: 'the runner has died' }],
    ['upstream_error', { object: 'error', message: 'the runner has died' }],
    ['upstream_rate_limited', { error: { message: 'slow', code: '429' } }],
    ['upstream_quota_exceeded', { error: { code: 'insufficient_quota' } }],
    ['upstream_rejected', { error: { message: 'no', code: 400 } }],
  ])('are a failure, %s, where they carry %j', async (code, frame) => {
    const { answer, texts } = await run(completions(), [
      [...answered, frame, stop],
    ]);
    expect(answer).toMatchObject({ text: null, failure: { code } });
    expect(texts).toEqual(['It is so.']);
    expect(JSON.stringify(answer)).not.toContain('runner');
  });

  it('fail without a finish reason', async () => {
    const { answer } = await run(completions(), [answered]);
    expect(answer.failure).toMatchObject({ code: 'upstream_error' });
  });
});

describe('streams of a model whose tools are described in the prompt', () => {
  const CALL = '{"tool_name": "f", "arguments": {"q": 1}}';
  const BROKEN = '{"tool_name": "f", "arguments": {"q": ';
  /** One character in each chunk. */
  const textOf = (text: string) => [
    ...Array.from(text, (content) => ({ choices: [{ delta: { content } }] })),
    { choices: [{ delta: {}, finish_reason: 'stop' }] },
  ];

  it('send the text and thinking besides calls, and nothing of the calls', async () => {
    const { answer, calls, texts, thinking } = await run(prompt(), [
      textOf(`<think>Hm.</think>I look it up.\n\`\`\`json\n${CALL}\n\`\`\``),
      textOf('It is {"so": [1]}, `{` and [2].'),
    ]);
    expect(calls).toEqual([{ name: 'f', arguments: '{"q":1}' }]);
    expect(texts).toEqual(['I look it up.', 'It is {"so": [1]}, `{` and [2].']);
    expect(thinking).toBe('Hm.');
    expect(answer.text).toBe(texts[1]);
  });

  it('send quotations of the user as text, not as calls', async () => {
    const input: ModelRequest['input'] = [
      { role: 'user', contents: [{ type: 'text', text: CALL }] },
    ];
    const quote = `It says ${CALL}.`;
    const { calls, texts } = await run(prompt(), [textOf(quote)], { input });
    expect(calls).toEqual([]);
    expect(texts).toEqual([quote]);
  });

  it.each([
    ['repeats all', `I look.\n${CALL}`, ['I look.', 'Done.'], 1],
    ['repeats nothing', CALL, ['I look.', 'Done.'], 1],
    ['continues', `I look. Now.\n${CALL}`, ['I look. Now.', 'Done.'], 1],
    [
      'writes another text',
      `Sorry.\n${CALL}`,
      ['I look.', 'Sorry.', 'Done.'],
      1,
    ],
    ['repeats a part', `I\n${CALL}`, ['I look.', 'Done.'], 1],
    ['answers instead', 'I know it.', ['I look.', 'I know it.'], 0],
    ['answers with a part of it', 'I', ['I look.', 'I'], 0],
    ['answers with the same', 'I look.', ['I look.'], 0],
  ])(
    'send nothing twice when a repaired answer %s',
    async (_, again, expected, made) => {
      const { answer, calls, texts } = await run(prompt(), [
        textOf(`I look.\n${BROKEN}`),
        textOf(again),
        textOf('Done.'),
      ]);
      expect(calls).toHaveLength(made);
      expect(texts).toEqual(expected);
      expect(answer.text).toBe(expected.at(-1));
    },
  );

  it('fail if the last turn contains only a call, or nothing', async () => {
    const turns = Array.from({ length: 10 }, () => textOf(CALL));
    const { answer, texts } = await run(prompt(), turns);
    expect(answer.failure).toMatchObject({ code: 'max_turns_exceeded' });
    expect(texts).toEqual([]);
    const nothing = await run(prompt(), [textOf('<think>Hm.</think>')]);
    expect(nothing.answer.failure).toMatchObject({ code: 'empty_output' });
    expect(nothing.thinking).toBe('Hm.');
  });
});
