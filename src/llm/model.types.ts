import type { AppError } from '../errors';
import type { Citation, Source } from '../message/citation';
import type { MessageDelta } from '../message/delta';
import type { ImagePart, Message, Part } from '../message/message';
import type { ToolDescription } from '../message/tool-description';
import type { ToolChoice } from './turns/tool.choice';

/** A call of a function by a model. */
export interface FunctionCall {
  callId: string;
  name: string;
  /** As the model wrote them: not necessarily JSON. */
  arguments: string;
}

export interface ModelRequest {
  model: string;
  input: readonly Message[];
  tools: readonly ToolDescription[];
  /**
   * Names of hosted tools that are offered besides, if the model takes them: only over Responses, and not where tools are
   * described in the prompt. What the endpoint does with them is not told but for the images that it makes.
   */
  hosted?: readonly string[];
  /** Whether an agent of the configuration takes the turns. */
  byAgent?: boolean;
  /** Makes all calls of a turn, which are one at the least. */
  callTools(
    calls: readonly FunctionCall[],
    asked: AskedTurn,
  ): Promise<CalledTurn>;
  /** Whether the first turn has to call a tool; later ones decide. */
  toolChoice?: ToolChoice;
  /** Headers that go along with every request to the endpoint, in lower case. */
  headers?: Readonly<Record<string, string>>;
  /** Fewer than are configured. In the last of them the model is told to answer without tools. */
  maxTurns?: number;
  /**
   * Told what the model says and thinks, as it comes, in deltas that add up to one message; must not throw. The text of
   * each turn is a part of its own: its index is higher than those of the turns before, and the last one is the answer.
   * So is each image, at the place where it was made.
   * What a model says besides its calls is told, the calls are not. Once something was told or a tool called, a turn that
   * fails in passing is not repeated, so that nothing is said twice. Without it the endpoint is not asked to stream.
   */
  tell?: (delta: MessageDelta) => void;
  signal: AbortSignal;
}

/** What a turn brought besides its calls, in the run so far. */
export interface AskedTurn extends Pick<
  ModelAnswer,
  'responseId' | 'usage' | 'contents' | 'sources' | 'thinking'
> {
  text: string;
}

export interface CalledTurn {
  /** What the model is told, in the order of the calls. */
  outputs: readonly (readonly Part[])[];
  /** No further turn is wanted. */
  done?: boolean;
}

export interface ModelAnswer {
  /** Null if a turn failed, or if no further one was wanted. */
  text: string | null;
  failure: AppError | null;
  /** Images that hosted tools made, in the order in which they came. */
  contents?: ImagePart[];
  /** Pages that were consulted in any turn, those that the text cites first. */
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

/** What a gateway tells of it: any part may be missing. */
export interface ToldUsage {
  usage?: Partial<ModelUsage> | null;
}

/** What a reply may hold of it; more helps nobody. */
const MAX_THINKING = 100_000;

/** The thinking of one turn after that of those before. */
export function joinThinking(before: string | undefined, next: string): string {
  const whole = before && next ? `${before}\n\n${next}` : before || next;
  return whole.slice(0, MAX_THINKING).toWellFormed();
}

/** The sum. */
export function addUsage(
  sum: ModelUsage | null,
  { usage }: ToldUsage,
): ModelUsage | null {
  if (!usage) return sum;
  const input = usage.input_tokens ?? 0;
  const output = usage.output_tokens ?? 0;
  return {
    input_tokens: (sum?.input_tokens ?? 0) + input,
    output_tokens: (sum?.output_tokens ?? 0) + output,
    total_tokens:
      (sum?.total_tokens ?? 0) + (usage.total_tokens ?? input + output),
  };
}
