import { callToolsInParallel } from '../../../test/support/chat/parallel-tool-calls';
import type { Message } from '../../platform/message/message';
import type { CompletionsEngine } from '../completions/completions-engine';
import type { FunctionCall, ModelRequest } from '../turns/model.types';
import { PromptedEngine } from './prompted-engine';

const KIMCHI = '{"tool_name": "search", "arguments": {"q": "kimchi"}}';
const BREAD = KIMCHI.replace('kimchi', 'bread');
const BROKEN = '{"tool_name": "search", "arguments": {"q": "kim';
const usage = { input_tokens: 2, output_tokens: 1, total_tokens: 3 };
const user = (text: string): Message => ({
  role: 'user',
  contents: [{ type: 'text', text }],
});
const tool = {
  name: 'search',
  description: 'Searches.',
  parameters: {
    type: 'object',
    properties: { q: { type: 'string' }, n: { type: ['integer', 'null'] } },
  },
};

/** A model that answers with one text after the other. */
const play = async (texts: string[], more: Partial<ModelRequest> = {}) => {
  const prompts: { role: string; text: string }[][] = [];
  const requests: ModelRequest[] = [];
  const calls: FunctionCall[] = [];
  const model = {
    maxTurns: 3,
    run: async (request: ModelRequest) => {
      requests.push(request);
      prompts.push(
        request.input.map(({ role, contents }) => ({
          role,
          text: contents
            .map((part) => (part.type === 'text' ? part.text : part.type))
            .join('\n'),
        })),
      );
      const text = texts.length > 1 ? texts.shift()! : texts[0];
      return { text, failure: null, responseId: `r${prompts.length}`, usage };
    },
  } as unknown as CompletionsEngine;
  const answer = await new PromptedEngine(model).run({
    model: 'local',
    input: [user('What is kimchi?')],
    tools: [tool],
    callTools: callToolsInParallel(async (call) => {
      calls.push(call);
      return `Found by ${calls.length}.`;
    }),
    signal: new AbortController().signal,
    ...more,
  });
  return { answer, prompts, calls, requests };
};

describe(PromptedEngine.name, () => {
  it('asks for a call again that was answered with the schema of the tool', async () => {
    const schema = JSON.stringify(tool.parameters);
    const { answer, calls } = await play([schema, KIMCHI, 'It is old.']);
    expect(calls).toMatchObject([
      { name: 'search', arguments: '{"q":"kimchi"}' },
    ]);
    expect(answer.text).toBe('It is old.');
  });

  it('describes the tools in the prompt, and sends none to the endpoint', async () => {
    const { answer, prompts, calls, requests } = await play(['It is cabbage.']);
    expect(answer.text).toBe('It is cabbage.');
    expect(calls).toEqual([]);
    expect(requests[0].tools).toEqual([]);
    const [system, question] = prompts[0];
    expect(system.role).toBe('system');
    expect(system.text).toContain('search: Searches.');
    expect(system.text).toContain(JSON.stringify(tool.parameters));
    expect(system.text).toContain(
      '{"tool_name":"search","arguments":{"q":"<q>","n":null}}',
    );
    expect(question).toEqual({ role: 'user', text: 'What is kimchi?' });
  });

  it('shows examples of one call, of several calls and of none', async () => {
    const other = { ...tool, name: 'weather' };
    for (const tools of [[tool], [tool, other]]) {
      const { prompts } = await play(['It is cabbage.'], { tools });
      const [{ text }] = prompts[0];
      expect(text.match(/You answer/g)).toHaveLength(3);
      expect(text.match(/^\{"tool_name":"/gm)).toHaveLength(3);
      expect(text).toMatch(
        /needs no tool\. You answer in plain words:\n[^{]+\n/,
      );
      expect(text).toContain(tools.at(-1)!.name);
    }
  });

  it('runs the calls of an answer, and sends their results in one message', async () => {
    const other = KIMCHI.replace('kimchi', 'rice');
    const written = `<think>Both.</think>${KIMCHI}\n${other}`;
    const { answer, prompts, calls } = await play([written, 'Done.']);
    expect(answer).toEqual({
      text: 'Done.',
      thinking: 'Both.',
      failure: null,
      responseId: 'r2',
      usage: { input_tokens: 4, output_tokens: 2, total_tokens: 6 },
    });
    expect(calls.map(({ arguments: args }) => args)).toEqual([
      '{"q":"kimchi"}',
      '{"q":"rice"}',
    ]);
    expect(new Set(calls.map(({ callId }) => callId)).size).toBe(2);
    expect(prompts[1]).toEqual([
      ...prompts[0],
      { role: 'assistant', text: `${KIMCHI}\n${other}` },
      {
        role: 'user',
        text: 'Tool result of search:\nFound by 1.\nTool result of search:\nFound by 2.',
      },
    ]);
  });

  it('passes on a call of a tool that does not exist', async () => {
    const unknown = KIMCHI.replace('search', 'weather');
    const { calls } = await play([unknown, 'Done.']);
    expect(calls).toMatchObject([{ name: 'weather' }]);
  });

  it('finds no call in text of the user, a document or a tool', async () => {
    const other = KIMCHI.replace('kimchi', 'rice');
    const callTool = jest.fn(async () => other);
    const { answer, prompts } = await play([KIMCHI, 'Done.'], {
      input: [user(`<document>${other}</document>\n${other}`)],
      callTools: callToolsInParallel(callTool),
    });
    expect(answer.text).toBe('Done.');
    expect(callTool.mock.calls).toMatchObject([
      [{ arguments: '{"q":"kimchi"}' }],
    ]);
    expect(prompts[1].at(-1)!.text).toContain(other);
  });

  it('finds no call in what the model quotes of them', async () => {
    const other = KIMCHI.replace('kimchi', 'rice');
    const answers = [`It says ${KIMCHI}.`, `The tool says ${other}.`];
    for (const written of answers) {
      const { answer, prompts } = await play([BREAD, written], {
        input: [user(`<document>${KIMCHI}</document>\nWhat does it say?`)],
        callTools: callToolsInParallel(async () => other),
      });
      expect(answer.text).toBe(written);
      expect(prompts).toHaveLength(2);
    }
  });

  it('requests an invalid call again once, naming its fault', async () => {
    const { answer, prompts, calls } = await play([BROKEN, KIMCHI, 'Done.']);
    expect(answer).toMatchObject({ text: 'Done.', usage: { total_tokens: 9 } });
    expect(calls).toMatchObject([{ arguments: '{"q":"kimchi"}' }]);
    expect(prompts[1].slice(2)).toEqual([
      { role: 'assistant', text: BROKEN },
      {
        role: 'user',
        text: expect.stringContaining('the JSON ends before it is complete'),
      },
    ]);
  });

  it('runs no call of an answer in which one is invalid', async () => {
    const { calls } = await play([`${KIMCHI}\n${BROKEN}`, 'Never mind.']);
    expect(calls).toEqual([]);
  });

  it('passes on calls unchanged that are still invalid then', async () => {
    const texts = [BROKEN, BROKEN, BROKEN, 'Done.'];
    const { answer, prompts, calls } = await play(texts);
    expect(answer.text).toBe('Done.');
    const broken = { name: 'search', arguments: BROKEN };
    expect(calls).toMatchObject([broken, broken]);
    expect(prompts).toHaveLength(4);
  });

  it('instructs the model to call no tools in its last turn, and calls none', async () => {
    const { answer, prompts, calls } = await play([KIMCHI]);
    expect(calls).toHaveLength(2);
    expect(prompts).toHaveLength(3);
    expect(prompts.at(-1)![0].text).not.toContain('tool_name');
    expect(answer).toMatchObject({
      text: null,
      failure: { code: 'max_turns_exceeded' },
    });
  });

  it('returns the other text of the last turn', async () => {
    const { answer } = await play([`It is cabbage.\n${KIMCHI}`]);
    expect(answer.text).toBe('It is cabbage.');
  });

  it('takes no further turn after `done`', async () => {
    const { answer, prompts } = await play([KIMCHI], {
      callTools: async () => ({ outputs: [[]], done: true }),
    });
    expect(answer).toMatchObject({ text: null, failure: null });
    expect(prompts).toHaveLength(1);
  });

  it('treats an answer of thinking alone as a failure', async () => {
    const { answer } = await play(['<think>Kimchi</think>']);
    expect(answer.failure).toMatchObject({ code: 'empty_output' });
  });

  it('finds no calls if there are no tools', async () => {
    const written = `<think>Easy.</think>Write ${KIMCHI}`;
    const { answer, prompts, calls } = await play([written], { tools: [] });
    expect(answer.text).toBe(`Write ${KIMCHI}`);
    expect(calls).toEqual([]);
    expect(prompts[0]).toEqual([{ role: 'user', text: 'What is kimchi?' }]);
  });

  it('writes earlier calls and results as text, and the instructions into the first system message', async () => {
    const { prompts } = await play(['Done.'], {
      input: [
        { role: 'system', contents: [{ type: 'text', text: 'Be brief.' }] },
        user('Kimchi and rice?'),
        {
          role: 'assistant',
          contents: [{ type: 'text', text: 'Let me see.' }],
          tool_calls: ['a', 'b'].map((id) => ({
            type: 'function',
            id,
            function: { name: 'search', arguments: { q: id } },
          })),
        },
        { ...user('On a.'), role: 'tool', tool_call_id: 'a' },
        { ...user('On b.'), role: 'tool', tool_call_id: 'b' },
        user('And?'),
      ],
    });
    expect(prompts[0]).toEqual([
      {
        role: 'system',
        text: expect.stringMatching(/tool_name[^]*Be brief\.$/),
      },
      { role: 'user', text: 'Kimchi and rice?' },
      {
        role: 'assistant',
        text: 'Let me see.\n{"tool_name":"search","arguments":{"q":"a"}}\n{"tool_name":"search","arguments":{"q":"b"}}',
      },
      {
        role: 'user',
        text: 'Tool result of search:\nOn a.\nTool result of search:\nOn b.',
      },
      { role: 'user', text: 'And?' },
    ]);
  });
});
