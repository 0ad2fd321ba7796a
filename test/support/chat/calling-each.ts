import type { FunctionCall, ModelRequest } from '../../../src/llm/model.types';

/** Makes the calls of a turn at once, each of which gives a text. */
export function callingEach(
  callTool: (call: FunctionCall) => Promise<string>,
): ModelRequest['callTools'] {
  return async (calls) => ({
    outputs: await Promise.all(
      calls.map(async (call) => [{ type: 'text', text: await callTool(call) }]),
    ),
  });
}
