/** Whether a turn has to call a tool, or which one. */
export type ToolChoice = 'auto' | 'none' | 'required' | { name: string };

/** As a field of a request over the Responses API; absent where the model decides, or there is nothing to choose from. */
export function responsesChoice(
  choice: ToolChoice,
  tools: readonly object[],
): { tool_choice?: string | object } {
  if (choice === 'auto' || tools.length === 0) return {};
  if (typeof choice === 'string') return { tool_choice: choice };
  return { tool_choice: { type: 'function', name: choice.name } };
}

/** The same over Chat Completions. */
export function completionsChoice(
  choice: ToolChoice,
  tools: readonly object[],
): { tool_choice?: string | object } {
  if (typeof choice === 'string') return responsesChoice(choice, tools);
  if (tools.length === 0) return {};
  return { tool_choice: { type: 'function', function: { name: choice.name } } };
}

/** The same in words, for a model that is told of its tools in the prompt. */
export function choiceInWords(choice: ToolChoice): string {
  if (choice === 'required')
    return '\n\nCall at least one tool in this answer.';
  if (typeof choice === 'string') return '';
  return `\n\nCall ${choice.name} in this answer.`;
}
