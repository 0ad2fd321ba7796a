import { isObject, jsonObject } from './api-error.js';
import { Clock, type CallOptions } from './clock.js';
import { SondeApiError } from './errors.js';
import { DEEP_RESEARCH_TOOL } from './deep-research-tool.js';
import type { SondeClient } from './sonde-client.js';
import type {
  DeepResearchArguments,
  DeliverableFormat,
  Invocation,
} from './types.js';

export interface ToolCallingOptions extends CallOptions {
  /** Runs the research. It never learns the key of the model endpoint. */
  sonde: SondeClient;
  /** For the research. */
  systemPrompt?: string;
  /** Put before the prompt. */
  context?: string[];
  /** Of the research, unless the model chooses one itself. */
  deliverableFormat?: DeliverableFormat;
  /** Told of the research as soon as it is submitted. */
  onInvocation?: (invocation: Invocation) => void;
}

/** All fields are always there; null where nothing applies. */
export interface ToolCallingResult {
  final_text: string;
  tool_called: boolean;
  /** Of the last turn of the model; null if that one failed. */
  response_id: string | null;
  /** Of the first turn, if there was a second. */
  previous_response_id: string | null;
  tool_call_id: string | null;
  invocation_id: string | null;
  invocation_token: string | null;
  upstream_response_id: string | null;
  /** What the research gave. */
  research_summary: string | null;
}

/** One turn of the model. */
export interface Turn {
  id: string;
  output_text: string;
  response: Record<string, unknown>;
}

type AskModel = (body: object, options: CallOptions) => Promise<Turn>;

/** A submission is answered at once; it is not to use up the time of the research, in milliseconds. */
const SUBMITTING = 60_000;
export const RESEARCH_FAILED = 'deep_research failed. Please retry later.';
const INVALID_ARGUMENTS = JSON.stringify({ code: 'INVALID_ARGUMENTS' });

/** Lets the model decide whether it needs a research, runs it, and lets the model answer. */
export async function withToolCalling(
  ask: AskModel,
  input: string,
  { timeoutMs = 3_600_000, signal, ...options }: ToolCallingOptions,
): Promise<ToolCallingResult> {
  const clock = new Clock(timeoutMs, signal);
  const limits = () => ({ timeoutMs: Math.max(1, clock.rest), signal });
  try {
    const first = await ask(
      { input, tools: [DEEP_RESEARCH_TOOL], parallel_tool_calls: false },
      limits(),
    );
    const call = callIn(first.response);
    if (call === undefined) return withoutCall(first);
    const { output, record } = await research(call.arguments, options, limits);
    const result = {
      tool_called: true,
      previous_response_id: first.id,
      tool_call_id: call.call_id,
      invocation_id: record?.invocation_id ?? null,
      invocation_token: record?.invocation_token ?? null,
      upstream_response_id: record?.upstream_response_id ?? null,
      research_summary: output,
    };
    const told = {
      type: 'function_call_output',
      call_id: call.call_id,
      output,
    };
    const last = await ask(
      { previous_response_id: first.id, input: [told] },
      limits(),
    ).catch(() => {
      signal?.throwIfAborted();
      // What was paid for is not lost with a turn that only retells it.
      return undefined;
    });
    const answered = last !== undefined && last.output_text.trim() !== '';
    return {
      ...result,
      final_text: answered ? last.output_text : output,
      response_id: answered ? last.id : null,
    };
  } finally {
    clock.stop();
  }
}

/** What the model is told, and the record if there is one. */
async function research(
  text: string,
  options: Omit<ToolCallingOptions, keyof CallOptions>,
  limits: () => { timeoutMs: number; signal: AbortSignal | undefined },
): Promise<{ output: string; record?: Invocation }> {
  const chosen = jsonObject(text);
  if (chosen === undefined) return { output: INVALID_ARGUMENTS };
  const { sonde, systemPrompt, deliverableFormat, onInvocation } = options;
  const all = Object.entries({
    ...chosen,
    system_prompt: systemPrompt,
    deliverable_format: chosen.deliverable_format ?? deliverableFormat,
  }).filter(([, value]) => value !== undefined && value !== null);
  const args = Object.fromEntries(all) as unknown as DeepResearchArguments;
  let record: Invocation;
  try {
    const { timeoutMs, signal } = limits();
    record = await sonde.submit('deep_research', args, {
      timeoutMs: Math.min(SUBMITTING, timeoutMs),
      signal,
    });
  } catch (error) {
    if (error instanceof SondeApiError) return { output: RESEARCH_FAILED };
    throw error;
  }
  onInvocation?.(record);
  record = await sonde.wait(record, limits());
  const usable =
    record.status === 'completed' || record.status === 'incomplete';
  const output = (usable && record.output_text) || RESEARCH_FAILED;
  return { output, record };
}

function callIn(
  response: Record<string, unknown>,
): { call_id: string; arguments: string } | undefined {
  const { output } = response;
  if (!Array.isArray(output)) return undefined;
  return output.find(
    (item) =>
      isObject(item) &&
      item.type === 'function_call' &&
      item.name === DEEP_RESEARCH_TOOL.name,
  ) as { call_id: string; arguments: string } | undefined;
}

function withoutCall({ id, output_text }: Turn): ToolCallingResult {
  return {
    final_text: output_text,
    tool_called: false,
    response_id: id,
    previous_response_id: null,
    tool_call_id: null,
    invocation_id: null,
    invocation_token: null,
    upstream_response_id: null,
    research_summary: null,
  };
}
