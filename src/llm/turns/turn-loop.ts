import { AppError } from '../../errors';
import {
  addUsage,
  type CalledTurn,
  type FunctionCall,
  joinThinking,
  type ModelAnswer,
  type ModelRequest,
  type ToldUsage,
} from '../model.types';
import {
  type Citation,
  distinctSources,
  located,
  type Source,
} from '../../message/citation';
import type { ImagePart } from '../../message/message';
import type { DeltaEmitter } from './delta.emitter';
import type { ToolChoice } from './tool.choice';

/** What a model said in one turn, in the terms of no particular protocol. */
export interface SaidTurn extends ToldUsage {
  id?: string | null;
  /** @throws AppError if the model says itself that it could not finish. */
  calls(): FunctionCall[];
  /** Besides the calls. No text, unlike an empty one, is none to wait for. */
  said(): {
    text: string | null;
    thinking?: string;
    /** What hosted tools made of it. */
    images?: ImagePart[];
    sources?: Source[];
    /** Of the text. */
    citations?: Citation[];
  };
}

export interface ModelTurn extends SaidTurn {
  /** Adds the results of the calls to the input of the next turn. */
  add(outputs: CalledTurn['outputs']): void;
}

/** What a conversation needs of the request that it is for. */
export type ConversationRequest = Pick<
  ModelRequest,
  'callTools' | 'signal' | 'maxTurns' | 'toolChoice'
>;

/** What came of the turns so far, whoever asks for them. */
export class Conversation {
  /** Its text is null until a turn was the last. */
  readonly answer: ModelAnswer = {
    text: null,
    failure: null,
    responseId: null,
    usage: null,
  };
  /** Of the last turn. None: it was the answer. */
  calls: readonly FunctionCall[] = [];
  private turns = 0;
  private readonly maxTurns: number;
  /** What the model said besides its calls. */
  private text = '';

  /** @param maxTurns in the last of them the model is told to answer without tools; the request may allow fewer. */
  constructor(
    private readonly request: ConversationRequest,
    private readonly telling: DeltaEmitter,
    maxTurns: number,
  ) {
    this.maxTurns = request.maxTurns ?? maxTurns;
  }

  /** @throws AppError if the turn came to nothing, or the signal's reason. */
  async take<Turn extends SaidTurn>(
    takeTurn: (last: boolean, choice: ToolChoice) => Promise<Turn>,
  ): Promise<Turn> {
    this.turns += 1;
    const last = this.turns === this.maxTurns;
    this.telling.beginTurn();
    // Only the first turn: one that has to call in every turn would never answer.
    const asked = (this.turns === 1 && this.request.toolChoice) || 'auto';
    const turn = await takeTurn(last, last ? 'none' : asked);
    this.request.signal.throwIfAborted();
    const { answer } = this;
    answer.responseId = turn.id || answer.responseId;
    answer.usage = addUsage(answer.usage, turn);
    const calls = turn.calls();
    const { text, thinking, images = [], ...found } = turn.said();
    const said =
      text === null ? null : this.telling.complete(text, thinking, images);
    this.note(images, found.sources);
    if (thinking) answer.thinking = joinThinking(answer.thinking, thinking);
    this.text = said ?? '';
    this.calls = last ? [] : calls;
    if (this.calls.length === 0) {
      if (said?.trim() === '' && !answer.contents)
        throw new AppError(
          calls.length > 0 ? 'max_turns_exceeded' : 'empty_output',
        );
      answer.text = said;
      const { citations = [] } = found;
      if (text !== null && said !== null && citations.length > 0)
        answer.citations = located(citations, text, said);
    }
    return turn;
  }

  private note(images: ImagePart[], sources: Source[] = []): void {
    const { answer } = this;
    if (images.length > 0)
      answer.contents = [...(answer.contents ?? []), ...images];
    // A later turn is nearer to the answer: what it cites comes first.
    if (sources.length > 0)
      answer.sources = distinctSources([...sources, ...(answer.sources ?? [])]);
  }

  /**
   * Makes the calls of the last turn.
   * @throws what `callTools` throws, or the signal's reason.
   */
  async call(): Promise<CalledTurn> {
    this.telling.beginCalls();
    const { text: _, failure: __, citations: ___, ...found } = this.answer;
    const asked = { text: this.text, ...found };
    const called = await this.request.callTools(this.calls, asked);
    this.request.signal.throwIfAborted();
    return called;
  }

  /**
   * The answer of a conversation that ended with an error.
   * @throws the signal's reason, or what is no failing turn.
   */
  failed(error: unknown): ModelAnswer {
    this.request.signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    return { ...this.answer, text: null, failure: error };
  }
}

/**
 * Turn after turn, with the calls of each made in between, until the model answers.
 * @throws the signal's reason, or what `callTools` throws. A failing turn is part of the answer.
 */
export async function converse(
  request: ConversationRequest,
  telling: DeltaEmitter,
  maxTurns: number,
  takeTurn: (last: boolean, choice: ToolChoice) => Promise<ModelTurn>,
): Promise<ModelAnswer> {
  const conversation = new Conversation(request, telling, maxTurns);
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
