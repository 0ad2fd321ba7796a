import { isObject, jsonObject } from './http/api-error.js';
import { Clock, type CallOptions } from './http/clock.js';
import { SondeApiError } from './errors.js';
import { DEEP_RESEARCH_TOOL } from './deep-research-tool.js';
import type { ChatError } from './chat-types.js';
import type { SondeClient } from './sonde-client.js';
import type {
  DeepResearchArguments,
  DeliverableFormat,
  Invocation,
} from './types.js';

export interface ToolCallingOptions extends CallOptions {
  /** Runs the research. It is never sent the key of the model endpoint. */
  sonde: SondeClient;
  /** Instructions for the research. */
  systemPrompt?: string;
  /** Prepended to the prompt. */
  context?: string[];
  /** Format of the report, unless the model chooses one. */
  deliverableFormat?: DeliverableFormat;
  /** Called with the record as soon as the research is submitted. */
  onInvocation?: (invocation: Invocation) => void;
}

/** All fields are always present; null where not applicable. */
export interface ToolCallingResult {
  final_text: string;
  tool_called: boolean;
  /** Id of the model's last turn; null if that turn failed. */
  response_id: string | null;
  /** Id of the first turn, if there was a second. */
  previous_response_id: string | null;
  tool_call_id: string | null;
  invocation_id: string | null;
  invocation_token: string | null;
  upstream_response_id: string | null;
  /** The report of the research. */
  research_summary: string | null;
  /** Why the research failed. The model was told that it did, and answered all the same. */
  error: ChatError | null;
}

/** One turn of the model. */
export interface Turn {
  id: string;
  output_text: string;
  response: Record<string, unknown>;
}

type RequestTurn = (body: object, options: CallOptions) => Promise<Turn>;

/** Limits the submission, so that it cannot use up the time of the research, in milliseconds. */
const SUBMIT_TIMEOUT_MS = 60_000;
export const RESEARCH_FAILED = 'deep_research failed. Please retry later.';
const INVALID_ARGUMENTS = JSON.stringify({ code: 'INVALID_ARGUMENTS' });

/** Lets the model decide whether research is needed, runs it, and returns the model's answer. */
export async function withToolCalling(
  requestTurn: RequestTurn,
  input: string,
  { timeoutMs = 3_600_000, signal, ...options }: ToolCallingOptions,
): Promise<ToolCallingResult> {
  const clock = new Clock(timeoutMs, signal);
  const limits = () => ({ timeoutMs: Math.max(1, clock.remaining), signal });
  try {
    const first = await requestTurn(
      { input, tools: [DEEP_RESEARCH_TOOL], parallel_tool_calls: false },
      limits(),
    );
    const call = findCall(first.response);
    if (call === undefined) return resultWithoutCall(first);
    const { output, record, error } = await research(
      call.arguments,
      options,
      limits,
    );
    const result = {
      tool_called: true,
      previous_response_id: first.id,
      tool_call_id: call.call_id,
      invocation_id: record?.invocation_id ?? null,
      invocation_token: record?.invocation_token ?? null,
      upstream_response_id: record?.upstream_response_id ?? null,
      research_summary: output,
      error: error ?? null,
    };
    const toolOutput = {
      type: 'function_call_output',
      call_id: call.call_id,
      output,
    };
    const last = await requestTurn(
      { previous_response_id: first.id, input: [toolOutput] },
      limits(),
    ).catch(() => {
      signal?.throwIfAborted();
      // If only the last turn fails, the report is returned: the research is already paid for.
      return undefined;
    });
    const hasText = last !== undefined && last.output_text.trim() !== '';
    return {
      ...result,
      final_text: hasText ? last.output_text : output,
      response_id: hasText ? last.id : null,
    };
  } finally {
    clock.stop();
  }
}

/** Returns the output for the model, the record if one was created, and why there is no report. */
async function research(
  text: string,
  options: Omit<ToolCallingOptions, keyof CallOptions>,
  limits: () => { timeoutMs: number; signal: AbortSignal | undefined },
): Promise<{ output: string; record?: Invocation; error?: ChatError }> {
  const parsed = jsonObject(text);
  if (parsed === undefined) return { output: INVALID_ARGUMENTS };
  const { sonde, systemPrompt, deliverableFormat, onInvocation } = options;
  const fields = Object.entries({
    ...parsed,
    system_prompt: systemPrompt,
    deliverable_format: parsed.deliverable_format ?? deliverableFormat,
  }).filter(([, value]) => value !== undefined && value !== null);
  const args = Object.fromEntries(fields) as unknown as DeepResearchArguments;
  let record: Invocation;
  try {
    const { timeoutMs, signal } = limits();
    record = await sonde.submit('deep_research', args, {
      timeoutMs: Math.min(SUBMIT_TIMEOUT_MS, timeoutMs),
      signal,
    });
  } catch (error) {
    if (!(error instanceof SondeApiError)) throw error;
    return { output: RESEARCH_FAILED, error: refusalOf(error) };
  }
  onInvocation?.(record);
  record = await sonde.wait(record, limits());
  const usable =
    record.status === 'completed' || record.status === 'incomplete';
  if (usable && record.output_text)
    return { output: record.output_text, record };
  return { output: RESEARCH_FAILED, record, error: causeOf(record) };
}

function refusalOf({ code, message, status }: SondeApiError): ChatError {
  const retryable = status === 408 || status === 429 || status >= 500;
  return { code, message, retryable };
}

function causeOf({ status, error, error_message }: Invocation): ChatError {
  return {
    code: error?.code ?? status,
    message: error_message ?? `The research has the status ${status}.`,
    retryable: error?.retryable ?? false,
  };
}

function findCall(
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

function resultWithoutCall({ id, output_text }: Turn): ToolCallingResult {
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
    error: null,
  };
}
