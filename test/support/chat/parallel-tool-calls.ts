import type {
  FunctionCall,
  ModelRequest,
} from '../../../src/llm/turns/model.types';

/** Runs all calls of a turn in parallel, each with a text as its result. */
export function callToolsInParallel(
  callTool: (call: FunctionCall) => Promise<string>,
): ModelRequest['callTools'] {
  return async (calls) => ({
    outputs: await Promise.all(
      calls.map(async (call) => [{ type: 'text', text: await callTool(call) }]),
    ),
  });
}
