import { AppError, type ErrorCode } from '../../platform/errors';
import {
  addUsage,
  type ToolOutputs,
  type FunctionCall,
  joinThinking,
  type ModelAnswer,
  type ModelRequest,
  type ReportedUsage,
} from './model.types';
import {
  type Citation,
  distinctSources,
  located,
  type Source,
} from '../../platform/message/citation';
import type { ImagePart } from '../../platform/message/message';
import type { DeltaEmitter } from './delta-emitter';
import type { ToolChoice } from './tool-choice';

/** The output of a model in one turn, independent of the protocol. */
export interface TurnOutput extends ReportedUsage {
  id?: string | null;
  /** @throws AppError if the reply reports that the model failed. */
  calls(): FunctionCall[];
  /** The content besides the calls. A null text, unlike an empty one, means that no answer is expected. */
  content(): {
    text: string | null;
    thinking?: string;
    /** Images that hosted tools generated. */
    images?: ImagePart[];
    sources?: Source[];
    /** Of the text. */
    citations?: Citation[];
    truncated?: boolean;
    /** A content filter stopped the text. */
    filtered?: boolean;
  };
}

export interface ModelTurn extends TurnOutput {
  /** Adds the results of the calls to the input of the next turn. */
  add(outputs: ToolOutputs['outputs']): void;
}

/** The part of a request that the loop needs. */
export type ConversationRequest = Pick<
  ModelRequest,
  'callTools' | 'signal' | 'maxTurns' | 'toolChoice'
>;

/**
 * The state of a conversation: the answer so far, and the calls of its last turn. The caller decides when a turn is taken.
 */
export class Conversation {
  /** Its text is null until the last turn. */
  readonly answer: ModelAnswer = {
    text: null,
    failure: null,
    responseId: null,
    usage: null,
  };
  /** The calls of the last turn. If there are none, it was the answer. */
  calls: readonly FunctionCall[] = [];
  private turns = 0;
  private readonly maxTurns: number;
  /** The text of the last turn besides its calls. */
  private text = '';

  /** @param maxTurns in the last of them the model is instructed to answer without tools; the request may allow fewer. */
  constructor(
    private readonly request: ConversationRequest,
    private readonly emitter: DeltaEmitter,
    maxTurns: number,
  ) {
    this.maxTurns = request.maxTurns ?? maxTurns;
  }

  /** @throws AppError if the turn failed or is empty, or the signal's reason. */
  async take<Turn extends TurnOutput>(
    takeTurn: (last: boolean, choice: ToolChoice) => Promise<Turn>,
  ): Promise<Turn> {
    this.turns += 1;
    const last = this.turns === this.maxTurns;
    this.emitter.beginTurn();
    // Only the first turn is forced: a model that must call a tool in every turn never answers.
    const choice = (this.turns === 1 && this.request.toolChoice) || 'auto';
    const turn = await takeTurn(last, last ? 'none' : choice);
    this.request.signal.throwIfAborted();
    const { answer } = this;
    answer.responseId = turn.id || answer.responseId;
    answer.usage = addUsage(answer.usage, turn);
    const calls = turn.calls();
    const { text, thinking, images = [], ...found } = turn.content();
    const sent =
      text === null ? null : this.emitter.complete(text, thinking, images);
    this.addFound(images, found.sources);
    if (thinking) answer.thinking = joinThinking(answer.thinking, thinking);
    this.text = sent ?? '';
    this.calls = last ? [] : calls;
    if (this.calls.length === 0) {
      if (sent?.trim() === '' && !answer.contents)
        throw new AppError(
          calls.length > 0 ? 'max_turns_exceeded' : emptyCode(found),
        );
      answer.text = sent;
      if (found.truncated) answer.truncated = true;
      const { citations = [] } = found;
      if (text !== null && sent !== null && citations.length > 0)
        answer.citations = located(citations, text, sent);
    }
    return turn;
  }

  private addFound(images: ImagePart[], sources: Source[] = []): void {
    const { answer } = this;
    if (images.length > 0)
      answer.contents = [...(answer.contents ?? []), ...images];
    // Sources of a later turn come first: it is closer to the answer.
    if (sources.length > 0)
      answer.sources = distinctSources([...sources, ...(answer.sources ?? [])]);
  }

  /**
   * Runs the calls of the last turn.
   * @throws what `callTools` throws, or the signal's reason.
   */
  async call(): Promise<ToolOutputs> {
    this.emitter.beginCalls();
    const { text: _, failure: __, citations: ___, ...found } = this.answer;
    const progress = { text: this.text, ...found };
    const results = await this.request.callTools(this.calls, progress);
    this.request.signal.throwIfAborted();
    return results;
  }

  /**
   * The answer of a conversation that ended with an error.
   * @throws the signal's reason, or an error that is not an AppError.
   */
  failed(error: unknown): ModelAnswer {
    this.request.signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    return { ...this.answer, text: null, failure: error };
  }
}

/** Why there is no text. */
function emptyCode({
  truncated,
  filtered,
}: Partial<ReturnType<TurnOutput['content']>>): ErrorCode {
  if (truncated) return 'max_output_tokens';
  return filtered ? 'content_filter' : 'empty_output';
}

/**
 * Takes turns, and runs the calls of each, until the model answers.
 * @throws the signal's reason, or what `callTools` throws. A failed turn is part of the answer.
 */
export async function converse(
  request: ConversationRequest,
  emitter: DeltaEmitter,
  maxTurns: number,
  takeTurn: (last: boolean, choice: ToolChoice) => Promise<ModelTurn>,
): Promise<ModelAnswer> {
  const conversation = new Conversation(request, emitter, maxTurns);
  try {
    for (;;) {
      const turn = await conversation.take(takeTurn);
      if (conversation.calls.length === 0) return conversation.answer;
      const { outputs, done } = await conversation.call();
      if (done) return conversation.answer;
      turn.add(outputs);
    }
  } catch (error) {
    return conversation.failed(error);
  }
}
