import { AppError } from '../errors';
import {
  addUsage,
  type CalledTurn,
  type FunctionCall,
  type ModelAnswer,
  type ModelRequest,
  type ToldUsage,
} from './model.answer';
import type { Telling } from './telling';

/** Turns of one conversation at the most. In the last one the model is told to answer without tools. */
export const MAX_TURNS = 10;

/** One turn of a model, in the terms of no particular protocol. */
export interface ModelTurn extends ToldUsage {
  id?: string | null;
  /** @throws AppError if the model says itself that it could not finish. */
  calls(): FunctionCall[];
  /** Besides the calls. No text, unlike an empty one, is none to wait for. */
  said(): { text: string | null; thinking?: string };
  /** Takes up what the calls gave, for the next turn. */
  add(outputs: CalledTurn['outputs']): void;
}

/**
 * Turn after turn, with the calls of each made in between, until the model answers.
 * @throws the signal's reason, or what `callTools` throws. A failing turn is part of the answer.
 */
export async function converse(
  request: Pick<ModelRequest, 'callTools' | 'signal'>,
  telling: Telling,
  takeTurn: (last: boolean) => Promise<ModelTurn>,
): Promise<ModelAnswer> {
  const { signal } = request;
  const answer: ModelAnswer = {
    text: null,
    failure: null,
    responseId: null,
    usage: null,
  };
  try {
    for (let count = 1; ; count += 1) {
      const last = count === MAX_TURNS;
      telling.beginTurn();
      const turn = await takeTurn(last);
      signal.throwIfAborted();
      answer.responseId = turn.id || answer.responseId;
      answer.usage = addUsage(answer.usage, turn);
      const calls = turn.calls();
      const { text, thinking } = turn.said();
      const said = text === null ? null : telling.complete(text, thinking);
      if (calls.length === 0 || last) {
        if (said?.trim() === '') throw new AppError('empty_output');
        return { ...answer, text: said };
      }
      telling.beginCalls();
      const { outputs, done } = await request.callTools(calls);
      signal.throwIfAborted();
      if (done) return answer;
      turn.add(outputs);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    return { ...answer, failure: error };
  }
}
