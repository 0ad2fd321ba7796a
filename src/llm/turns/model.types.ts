import type { AppError } from '../../platform/errors';
import { countIn } from '../prices/amount';
import type { Spending } from '../prices/spending';
import type { Citation, Source } from '../../platform/message/citation';
import type { MessageDelta } from '../../platform/message/delta';
import type { ImagePart, Message, Part } from '../../platform/message/message';
import type { ToolDescription } from '../../platform/message/tool-description';
import type { Sampling } from './sampling';
import type { NewTextReader } from './text-reader';
import type { ToolChoice } from './tool-choice';

/** A function call by a model. */
export interface FunctionCall {
  callId: string;
  name: string;
  /** As the model wrote them: not necessarily valid JSON. */
  arguments: string;
}

export interface ModelRequest {
  model: string;
  input: readonly Message[];
  tools: readonly ToolDescription[];
  /**
   * Names of hosted tools to send besides, if the model supports them: only over Responses, and not to a model whose tools
   * are described in the prompt. Their work is not reported, except for the images that they generate.
   */
  hosted?: readonly string[];
  /** Whether an agent of the configuration takes the turns. */
  byAgent?: boolean;
  /** Runs all calls of a turn; there is at least one. */
  callTools(
    calls: readonly FunctionCall[],
    progress: TurnProgress,
  ): Promise<ToolOutputs>;
  /** Whether the first turn must call a tool. Later turns are free. */
  toolChoice?: ToolChoice;
  /** False: at most one call in a turn is requested of the model. */
  parallelCalls?: boolean;
  /** Of every turn. */
  sampling?: Sampling;
  /** Headers of every request to the endpoint, in lower case. */
  headers?: Readonly<Record<string, string>>;
  /** A lower limit than the configured one. In the last turn the model is instructed to answer without tools. */
  maxTurns?: number;
  /**
   * Receives the text and thinking of the model as they arrive, in deltas that add up to one message; must not throw. The
   * text of each turn is a part of its own with a higher index than those of earlier turns, and the last one is the answer.
   * Each image is a part of its own, at its position. Calls are not sent. After a delta was sent or a tool called, a failed
   * turn is not repeated, so that nothing is sent twice. Without it no stream is requested.
   */
  onDelta?: (delta: MessageDelta) => void;
  /** Reads the text of a model with function calling. Without it, all of it is text. */
  readText?: NewTextReader;
  /** Receives the cost of every reply, also of those that another attempt, engine or protocol replaces. */
  spending?: Spending;
  signal: AbortSignal;
}

/** The text of a turn that calls tools, and the state of the answer so far. */
export interface TurnProgress extends Pick<
  ModelAnswer,
  'responseId' | 'usage' | 'contents' | 'sources' | 'thinking'
> {
  text: string;
}

export interface ToolOutputs {
  /** The results, in the order of the calls. */
  outputs: readonly (readonly Part[])[];
  /** Ends the conversation: no further turn is taken. */
  done?: boolean;
}

export interface ModelAnswer {
  /** Null if a turn failed, or the conversation was ended after a call. */
  text: string | null;
  failure: AppError | null;
  /** Whether the text ends where the limit of the output was reached. */
  truncated?: boolean;
  /** Images that hosted tools generated, in the order in which they arrived. */
  contents?: ImagePart[];
  /** Pages that were consulted in any turn, those cited by the text first. */
  sources?: Source[];
  /** Of the text. */
  citations?: Citation[];
  /** Of all turns. */
  thinking?: string;
  /** Of the last response, and the sum of all. */
  responseId: string | null;
  usage: ModelUsage | null;
}

export interface ModelUsage {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
}

/** The usage that a gateway reports: any part may be missing. */
export interface ReportedUsage {
  usage?: Partial<ModelUsage> | null;
}

/** Maximum length of the thinking in a reply, in characters. */
const MAX_THINKING = 100_000;

/** Appends the thinking of a turn to that of earlier turns. */
export function joinThinking(before: string | undefined, next: string): string {
  const whole = before && next ? `${before}\n\n${next}` : before || next;
  return whole.slice(0, MAX_THINKING).toWellFormed();
}

/** Adds the usage of a turn. */
export function addUsage(
  sum: ModelUsage | null,
  { usage }: ReportedUsage,
): ModelUsage | null {
  if (!usage) return sum;
  const input = countIn(usage.input_tokens) ?? 0;
  const output = countIn(usage.output_tokens) ?? 0;
  return {
    input_tokens: (sum?.input_tokens ?? 0) + input,
    output_tokens: (sum?.output_tokens ?? 0) + output,
    total_tokens:
      (sum?.total_tokens ?? 0) +
      (countIn(usage.total_tokens) ?? input + output),
  };
}
