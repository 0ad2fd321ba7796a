import { AppError } from '../errors';
import {
  addUsage,
  type CalledTurn,
  type FunctionCall,
  type ModelAnswer,
  type ModelRequest,
  type ToldUsage,
} from './model.answer';
import {
  type Citation,
  distinctSources,
  type Source,
} from '../message/citation';
import type { ImagePart } from '../message/message';
import { located } from './response.sources';
import type { Telling } from './telling';

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

/** What a conversation needs of the request that it is for. */
export type ConversationRequest = Pick<
  ModelRequest,
  'callTools' | 'signal' | 'maxTurns'
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
    private readonly telling: Telling,
    maxTurns: number,
  ) {
    this.maxTurns = request.maxTurns ?? maxTurns;
  }

  /** @throws AppError if the turn came to nothing, or the signal's reason. */
  async take<Turn extends SaidTurn>(
    takeTurn: (last: boolean) => Promise<Turn>,
  ): Promise<Turn> {
    this.turns += 1;
    const last = this.turns === this.maxTurns;
    this.telling.beginTurn();
    const turn = await takeTurn(last);
    this.request.signal.throwIfAborted();
    const { answer } = this;
    answer.responseId = turn.id || answer.responseId;
    answer.usage = addUsage(answer.usage, turn);
    const calls = turn.calls();
    const { text, thinking, images = [], ...found } = turn.said();
    const said =
      text === null ? null : this.telling.complete(text, thinking, images);
    this.note(images, found.sources);
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
    const { responseId, usage, contents, sources } = this.answer;
    const asked = { text: this.text, responseId, usage, contents, sources };
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
