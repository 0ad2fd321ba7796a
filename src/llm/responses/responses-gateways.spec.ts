import type { Response } from 'openai/resources/responses/responses';
import { LearntModels } from '../models/learnt-models';
import { callToolsInParallel } from '../../../test/support/chat/parallel-tool-calls';
import { loadConfig } from '../../config/load-config';
import { addUsage } from '../turns/model.types';
import { ResponsesEngine } from './responses-engine';
import { contentOf } from '../turns/assistant-message';
import { fromOutputItems } from './responses-output';
import { readCalls } from './responses-output';
import type { UpstreamCall, UpstreamClient } from '../upstream/upstream.client';

/** Replies as gateways send them, which the types do not allow. */
const reply = (fields: object) => fields as Response;
const message = (content: object[], phase?: string) => ({
  type: 'message',
  role: 'assistant',
  phase,
  content,
});
const outputText = (text: string) => ({ type: 'output_text', text });

const readText = ({ output }: Response) =>
  contentOf(fromOutputItems(output)).text;

describe(contentOf.name, () => {
  it('joins the texts of all parts and messages', () => {
    const output = [
      message([outputText('a'), outputText('b')]),
      message([outputText('c')]),
    ];
    expect(readText(reply({ output }))).toBe('abc');
  });

  it('omits commentary', () => {
    const output = [
      message([outputText('Let me see.')], 'commentary'),
      message([outputText('Here it is.')], 'final_answer'),
    ];
    expect(readText(reply({ output }))).toBe('Here it is.');
  });

  it('uses commentary if there is no other text', () => {
    const output = [message([outputText('Let me see.')], 'commentary')];
    expect(readText(reply({ output }))).toBe('Let me see.');
  });

  it('reads a refusal as text', () => {
    const refusal = { type: 'refusal', refusal: 'I cannot.' };
    expect(readText(reply({ output: [message([refusal])] }))).toBe('I cannot.');
  });

  it('reads parts of any type that contain a text', () => {
    const output = [message([{ type: 'text', text: 'guarded' }])];
    expect(readText(reply({ output }))).toBe('guarded');
  });

  it.each([
    ['no output', {}],
    ['no message', { output: [{ type: 'reasoning' }] }],
    ['no content', { output: [{ type: 'message' }] }],
    ['only blanks', { output: [message([outputText(' \n')])] }],
  ])('finds nothing in %s', (_, fields) => {
    expect(readText(reply(fields)).trim()).toBe('');
  });
});

describe(readCalls.name, () => {
  it('tolerates arguments that are an object, or missing, and a missing call id', () => {
    const output = [
      { type: 'reasoning' },
      { type: 'function_call', call_id: 'a', name: 'f', arguments: { x: 1 } },
      { type: 'function_call', id: 'b', name: 'g' },
    ];
    expect(readCalls(reply({ output }))).toEqual([
      { callId: 'a', name: 'f', arguments: '{"x":1}' },
      { callId: 'b', name: 'g', arguments: '{}' },
    ]);
  });
});

describe(addUsage.name, () => {
  it('adds up the fields that are present', () => {
    expect(addUsage(null, reply({}))).toBeNull();
    expect(addUsage(null, reply({ usage: null }))).toBeNull();
    const first = addUsage(null, reply({ usage: { input_tokens: 3 } }));
    expect(first).toEqual({
      input_tokens: 3,
      output_tokens: 0,
      total_tokens: 3,
    });
    const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 4 };
    expect(addUsage(first, reply({ usage }))).toEqual({
      input_tokens: 4,
      output_tokens: 2,
      total_tokens: 7,
    });
  });
});

describe(ResponsesEngine.name, () => {
  const config = loadConfig({});
  const call = {
    type: 'function_call',
    call_id: 'call_1',
    name: 'f',
    arguments: '{}',
  };
  const play = async (...replies: object[]) => {
    const inputs: unknown[] = [];
    const upstream = {
      reply: async ({ body }: UpstreamCall) => {
        inputs.push(structuredClone(body));
        return { body: replies.shift(), headers: {} };
      },
    } as unknown as UpstreamClient;
    const answer = await new ResponsesEngine(
      upstream,
      config,
      new LearntModels(),
    ).run({
      model: 'm',
      input: [{ role: 'user', contents: [{ type: 'text', text: 'hi' }] }],
      tools: [{ name: 'f', description: '', parameters: {} }],
      callTools: callToolsInParallel(async () => 'out'),
      signal: new AbortController().signal,
    });
    return { inputs, answer };
  };

  it('sends everything, reasoning included, to an endpoint that reports that it stores nothing', async () => {
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [] };
    const { inputs, answer } = await play(
      { id: 'resp_1', store: false, output: [reasoning, call] },
      { id: 'resp_2', store: false, output: [message([outputText('done')])] },
    );
    expect(answer.text).toBe('done');
    expect(inputs[1]).toMatchObject({
      input: [
        { role: 'user', content: 'hi' },
        reasoning,
        call,
        { type: 'function_call_output', call_id: 'call_1', output: 'out' },
      ],
    });
    expect(inputs[1]).not.toHaveProperty('previous_response_id');
  });

  it('sends everything to an endpoint whose responses have no id', async () => {
    const { inputs } = await play(
      { output: [call] },
      { output: [message([outputText('done')])] },
    );
    expect(inputs[1]).toMatchObject({ input: { length: 3 } });
  });

  it('fails when the model calls tools in its last turn', async () => {
    const turns = Array.from({ length: 12 }, (_, i) => ({
      id: `resp_${i}`,
      output: [call],
    }));
    const { inputs, answer } = await play(...turns);
    expect(inputs).toHaveLength(10);
    expect(answer).toMatchObject({
      text: null,
      failure: { code: 'max_turns_exceeded' },
      responseId: 'resp_9',
    });
  });
});
