import { AgentsEngine } from '../src/llm/agents-sdk/agents-engine';
import type { CompletionsEngine } from '../src/llm/completions/completions-engine';
import type { FunctionCall, ModelRequest } from '../src/llm/turns/model.types';
import { PromptedEngine } from '../src/llm/prompted/prompted-engine';
import type { ResponsesEngine } from '../src/llm/responses/responses-engine';
import type { Case } from './cases';
import { describe, fits, resultOf, TOOL_NAMES } from './tools';

interface Protocols {
  responses: ResponsesEngine;
  completions: CompletionsEngine;
}
type Engine = (protocols: Protocols) => Pick<ResponsesEngine, 'run'>;

export const ENGINES: Readonly<Record<string, Engine>> = {
  agents: ({ responses }) => new AgentsEngine(responses),
  'agents-completions': ({ completions }) => new AgentsEngine(completions),
  responses: ({ responses }) => responses,
  completions: ({ completions }) => completions,
  prompt: ({ responses }) => new PromptedEngine(responses),
  'prompt-completions': ({ completions }) => new PromptedEngine(completions),
};

/** Maximum turns of one case. The last one is without tools. */
export const MAX_TURNS = 4;
const TIMEOUT = 'upstream_timeout';
const SYSTEM = `You are an assistant with tools. Answer in the language of the user.
Use your tools.
Where a question needs none of them, answer it directly.`;
const FAILED = '{"error": {"code": "TOOL_ERROR", "message": "Try again."}}';
/** Parts of a call that a reply must never contain. */
const MARKS =
  /<\/?tool_call|\[TOOL_CALLS\]|<\|(?:channel|python_tag|tool_call)|<function=|^\s*(?:```json\s*)?\{\s*"(?:tool_name|name)"\s*:[^]*"(?:arguments|parameters)"/;

/** The result of one case. */
export interface Outcome {
  passed: boolean;
  /** Whether all arguments were valid; undefined if nothing was called. */
  valid?: boolean;
  /** The endpoint did not answer in time, which says nothing of what the model would call. */
  timedOut?: true;
  /** The error, or the reason of the failure. */
  fault?: string;
}

/** @throws errors that are not a failed turn, e.g. the exceeded call limit. */
export async function attempt(
  engine: ReturnType<Engine>,
  model: string,
  testCase: Case,
): Promise<Outcome> {
  const calls: FunctionCall[] = [];
  let failing = testCase.aspect === 'after an error';
  const callTools: ModelRequest['callTools'] = async (made) => {
    calls.push(...made);
    const text = failing ? FAILED : undefined;
    failing = false;
    const outputs = made.map(({ name }) => [
      { type: 'text' as const, text: text ?? resultOf(name) },
    ]);
    return { outputs };
  };
  const answer = await engine.run({
    model,
    input: [message('system', SYSTEM), message('user', testCase.question)],
    tools: TOOL_NAMES.map(describe),
    callTools,
    maxTurns: MAX_TURNS,
    signal: new AbortController().signal,
  });
  const valid = calls.every((call) => fits(call.name, call.arguments));
  const fault =
    answer.failure?.code ??
    wrongCalls(testCase, calls) ??
    shown(testCase, answer.text);
  return {
    passed: fault === undefined,
    ...(answer.failure?.code === TIMEOUT && { timedOut: true }),
    ...(calls.length > 0 && { valid }),
    ...(fault !== undefined && { fault }),
  };
}

function wrongCalls(
  { calls: wanted, aspect }: Case,
  made: readonly FunctionCall[],
) {
  const names = made.map(({ name }) => name);
  const unwanted = names.some((name) => !wanted.some((one) => one === name));
  if (unwanted) return `called ${[...new Set(names)].join(', ').slice(0, 100)}`;
  const missing = wanted.find((name) => !names.includes(name));
  if (missing) return `did not call ${missing}`;
  const fewer = aspect === 'right tool' && names.length < wanted.length;
  return fewer ? 'called too little' : undefined;
}

function shown({ question }: Case, text: string | null): string | undefined {
  if (!text?.trim()) return 'empty reply';
  const isQuoted = MARKS.test(question) || question.includes('tool_name');
  return MARKS.test(text) && !isQuoted ? 'showed a call' : undefined;
}

const message = (role: 'system' | 'user', text: string) => ({
  role,
  contents: [{ type: 'text' as const, text }],
});
