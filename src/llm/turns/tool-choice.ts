/** Whether a turn must call a tool, or which one. */
export type ToolChoice = 'auto' | 'none' | 'required' | { name: string };

/** The field of a request over the Responses API; absent if the model decides, or there are no tools. */
export function responsesChoice(
  choice: ToolChoice,
  tools: readonly object[],
): { tool_choice?: string | object } {
  if (choice === 'auto' || tools.length === 0) return {};
  if (typeof choice === 'string') return { tool_choice: choice };
  return { tool_choice: { type: 'function', name: choice.name } };
}

/** The field of a request over Chat Completions. */
export function completionsChoice(
  choice: ToolChoice,
  tools: readonly object[],
): { tool_choice?: string | object } {
  if (typeof choice === 'string') return responsesChoice(choice, tools);
  if (tools.length === 0) return {};
  return { tool_choice: { type: 'function', function: { name: choice.name } } };
}

/** The field of a request that forbids several calls in one turn; the same over both protocols. */
export function callsAtOnce(
  { parallelCalls }: { parallelCalls?: boolean },
  tools: readonly object[],
): { parallel_tool_calls?: false } {
  const single = parallelCalls === false && tools.length > 0;
  return single ? { parallel_tool_calls: false } : {};
}

/** The choice as a sentence, for a model whose tools are described in the prompt. */
export function choiceInWords(
  choice: ToolChoice,
  { parallelCalls }: { parallelCalls?: boolean } = {},
): string {
  if (parallelCalls === false)
    return `${choiceInWords(choice)}\n\nCall at most one tool in this answer.`;
  if (choice === 'required')
    return '\n\nCall at least one tool in this answer.';
  if (typeof choice === 'string') return '';
  return `\n\nCall ${choice.name} in this answer.`;
}
