import { createInput, questionOf } from './create-input';

const contextOf = (...items: object[]) =>
  questionOf(
    createInput.parse([{ role: 'user', content: 'Why?' }, ...items]),
    undefined,
  );

describe(questionOf.name, () => {
  it('has the result of a tool as context, with what was asked for', () => {
    expect(
      contextOf(
        {
          type: 'function_call',
          call_id: 'c1',
          name: 'get_weather',
          arguments: '{"city":"Seoul"}',
        },
        { type: 'function_call_output', call_id: 'c1', output: '3 degrees' },
      ),
    ).toEqual({
      research_question: 'Why?',
      context: [
        'Earlier result of the tool get_weather: for {"city":"Seoul"}\n3 degrees',
      ],
    });
  });

  it('knows a result of every form', () => {
    const { context } = contextOf(
      {
        type: 'mcp_call',
        id: 'm1',
        server_label: 'wiki',
        name: 'fetch',
        arguments: '{}',
        output: 'a page',
      },
      {
        type: 'code_interpreter_call',
        id: 'i1',
        container_id: 'x',
        code: '1 + 1',
        outputs: [{ type: 'logs', logs: '2' }],
      },
      {
        type: 'function_call_output',
        call_id: 'unknown',
        output: [
          { type: 'input_text', text: 'a' },
          { type: 'input_image', image_url: 'data:image/png;base64,AA' },
          { type: 'input_text', text: 'b' },
        ],
      },
    )!;
    expect(context).toEqual([
      'Earlier result of the tool fetch: for {}\na page',
      'Earlier result of the tool code_interpreter: for 1 + 1\n2',
      'Earlier result of the tool function: \na\nb',
    ]);
  });

  it('says nothing of a step without a result', () => {
    expect(
      contextOf(
        { type: 'reasoning', id: 'r1', summary: [] },
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
        { type: 'mcp_list_tools', id: 'l1', server_label: 'wiki', tools: [] },
        { type: 'web_search_call', id: 'w1', status: 'completed' },
      ),
    ).toEqual({ research_question: 'Why?' });
  });
});
