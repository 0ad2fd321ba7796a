import type { GuardrailContext } from '../../tools/guardrails/guardrail';
import type { Guardrails } from '../../tools/guardrails/guardrails';
import { GuardrailTripped } from '../../tools/guardrails/tripwire';
import type { Tool } from '../../tools/tool';
import type { ChatRequest } from '../dto/chat.dto';
import type { CompletedToolCall, RequestedCall } from '../turns/tool-call';
import { completeArguments } from './tool-call-arguments';
import type { ResolvedCall } from './tool-call-invoker';

type Call = RequestedCall & { tool: Tool };

interface Guarding {
  guardrails: Guardrails;
  guarded: GuardrailContext;
  context: { request: ChatRequest };
}

/** What is known of a call that a guardrail refused before it ran. */
export function unstarted(call: Call): CompletedToolCall {
  const nothing = { arguments: null, output: [], invocation: null };
  return { ...call, ...nothing, outcome: 'refused' };
}

/** Runs a call between the guardrails of its tool. Of a refused one it returns nothing that a guardrail has not passed. */
export async function guardedCall(
  { guardrails, guarded, context }: Guarding,
  call: Call,
  run: (call: ResolvedCall) => Promise<CompletedToolCall>,
): Promise<{ result: CompletedToolCall; tripped?: GuardrailTripped }> {
  const { tool, arguments: args } = call;
  let result = unstarted(call);
  try {
    const completed = args && completeArguments(tool, args, context.request);
    const values = { arguments: args, completed };
    const passed = await guardrails.toolInput(tool.name, values, guarded);
    result = await run({ ...call, ...passed });
    const { output, report, error } = result;
    const texts = { output, report, cause: error?.message };
    const { cause, ...seen } = await guardrails.toolOutput(
      tool.name,
      texts,
      guarded,
    );
    const checked = error && { error: { ...error, message: cause! } };
    // Citations are positions in the text that the guardrail replaced.
    const replaced = seen.report !== report && { citations: undefined };
    return { result: { ...result, ...seen, ...checked, ...replaced } };
  } catch (error) {
    if (!(error instanceof GuardrailTripped)) throw error;
    const cleared = { output: [], report: undefined, error: undefined };
    return { result: { ...result, ...cleared }, tripped: error };
  }
}
