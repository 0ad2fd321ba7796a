import { ScriptedUpstream } from '../../test/support/upstream/scripted-upstream';
import { LearntModels } from './models/learnt-models';
import { loadConfig } from '../config/load-config';
import type { Message, Part } from '../platform/message/message';
import { CompletionsEngine } from './completions/completions-engine';
import { toCompletionMessages } from './completions/completions-messages';
import type { ModelRequest } from './turns/model.types';
import { PromptedEngine } from './prompted/prompted-engine';
import { ResponsesEngine } from './responses/responses-engine';
import { toInputItems } from './responses/responses-input';
import { UpstreamClient } from './upstream/upstream.client';

const text = (words: string): Part => ({ type: 'text', text: words });
const PNG: Part = { type: 'image', image: { data: 'AAAA' } };
const OUTPUTS = [
  [text('A map:'), PNG],
  [{ type: 'value' as const, value: { celsius: 3 } }],
];
const IDS = ['a', 'b'];

describe('the results of the calls of a turn', () => {
  let script: ScriptedUpstream;
  let upstream: UpstreamClient;

  beforeAll(async () => {
    script = await ScriptedUpstream.start();
  });
  beforeEach(() => {
    upstream = new UpstreamClient(loadConfig({ LITELLM_BASE_URL: script.url }));
  });
  afterEach(() => upstream.onApplicationShutdown());
  afterAll(() => script.close());

  const run = async (
    engine: Pick<ResponsesEngine, 'run'>,
    ...replies: object[]
  ) => {
    script.play(...replies);
    const callTools = jest.fn(async () => ({ outputs: OUTPUTS }));
    const request: ModelRequest = {
      model: 'm',
      input: [{ role: 'user', contents: [text('hi')] }],
      tools: [{ name: 'f', description: '', parameters: {} }],
      callTools,
      signal: new AbortController().signal,
    };
    const answer = await engine.run(request);
    expect(answer.text).toBe('Done.');
    expect(callTools).toHaveBeenCalledTimes(1);
    return script.bodies[1] as Record<'input' | 'messages', object[]>;
  };
  /** The same turn as part of a history. */
  const results: Message[] = IDS.map((id, at) => ({
    role: 'tool',
    tool_call_id: id,
    contents: OUTPUTS[at],
  }));

  it('are sent with their images over Responses, like a history', async () => {
    const call = { type: 'function_call', name: 'f', arguments: '{}' };
    const body = await run(
      new ResponsesEngine(upstream, loadConfig({}), new LearntModels()),
      { id: 'resp_1', output: IDS.map((call_id) => ({ ...call, call_id })) },
      { output: [{ type: 'message', content: [{ text: 'Done.' }] }] },
    );
    expect(body.input).toEqual([
      {
        type: 'function_call_output',
        call_id: 'a',
        output: [
          { type: 'input_text', text: 'A map:' },
          {
            type: 'input_image',
            image_url: 'data:image/png;base64,AAAA',
            detail: 'auto',
          },
        ],
      },
      {
        type: 'function_call_output',
        call_id: 'b',
        output: '{"celsius":3}',
      },
    ]);
    expect(body.input).toEqual(toInputItems(results));
  });

  it('are sent over Chat Completions with the images after all results, like a history', async () => {
    const call = { function: { name: 'f', arguments: '{}' } };
    const tool_calls = IDS.map((id) => ({ ...call, id }));
    const body = await run(
      new CompletionsEngine(upstream, loadConfig({}), new LearntModels()),
      { choices: [{ message: { tool_calls } }] },
      { choices: [{ message: { content: 'Done.' } }] },
    );
    const sent = body.messages.slice(2);
    expect(sent).toMatchObject([
      { role: 'tool', tool_call_id: 'a' },
      { role: 'tool', tool_call_id: 'b', content: '{"celsius":3}' },
      { role: 'user', content: [{ type: 'text' }, { type: 'image_url' }] },
    ]);
    expect(sent).toEqual(toCompletionMessages(results));
  });

  it('are sent by prompt with the images in the message of the results', async () => {
    const call = '{"tool_name": "f", "arguments": {}}';
    const body = await run(
      new PromptedEngine(
        new CompletionsEngine(upstream, loadConfig({}), new LearntModels()),
      ),
      { choices: [{ message: { content: `${call}\n${call}` } }] },
      { choices: [{ message: { content: 'Done.' } }] },
    );
    const url = 'data:image/png;base64,AAAA';
    expect(body.messages.at(-1)).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'Tool result of f:' },
        { type: 'text', text: 'A map:' },
        { type: 'image_url', image_url: { url } },
        { type: 'text', text: 'Tool result of f:' },
        { type: 'text', text: '{"celsius":3}' },
      ],
    });
  });
});
