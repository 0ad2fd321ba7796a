import { urlsIn } from '../../tools/guardrails/citations/bare-urls';
import { type CompletedToolCall, isToolCall } from './tool-call';

/** Whether the results so far determine the reply, so that the model takes no further turn. */
export function isSettled(calls: readonly CompletedToolCall[]): boolean {
  return unfinishedCalls(calls).length > 0 || fatalCall(calls) !== undefined;
}

/** Whether the tool results of a turn are the reply. */
export function isDirect(turn: readonly CompletedToolCall[]): boolean {
  return turn.every(
    ({ tool, outcome }) => tool?.returnDirect && outcome === 'reported',
  );
}

export function unfinishedCalls(
  calls: readonly CompletedToolCall[],
): CompletedToolCall[] {
  return calls.filter(({ outcome }) => outcome === 'unfinished');
}

/** The first call of a tool with `onError: fail` whose every run failed; none while any call is unfinished. */
export function fatalCall(
  calls: readonly CompletedToolCall[],
): CompletedToolCall | undefined {
  if (unfinishedCalls(calls).length > 0) return undefined;
  const run = toolRuns(calls);
  return run.find(
    ({ tool, toolName }) =>
      tool?.onError === 'fail' &&
      run
        .filter((call) => call.toolName === toolName)
        .every(({ outcome }) => outcome === 'failed'),
  );
}

/** The calls for which a tool was run, or was to be run. */
export function toolRuns(
  calls: readonly CompletedToolCall[],
): CompletedToolCall[] {
  return calls.filter((call) => isToolCall(call) && call.outcome !== 'refused');
}

/** Every URL that the model received from its calls. */
export function consultedUrls(calls: readonly CompletedToolCall[]): string[] {
  return calls.flatMap(({ output, consulted = [] }) => [
    ...urlsIn(output),
    ...consulted,
  ]);
}
