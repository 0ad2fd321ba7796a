import { AppError } from '../errors';
import { textOf } from '../message/part.text';
import {
  addUsage,
  type FunctionCall,
  type ModelAnswer,
  type ModelRequest,
  type ToldUsage,
} from './model.answer';

/** Turns of one conversation at the most. In the last one the model is told to answer without tools. */
export const MAX_TURNS = 10;

/** One turn of a model, in the terms of no particular protocol. */
export interface ModelTurn extends ToldUsage {
  id?: string | null;
  /** @throws AppError if the model says itself that it could not finish. */
  calls(): FunctionCall[];
  /**
   * Null if there is none to wait for.
   * @throws AppError `empty_output`.
   */
  text(): string | null;
  /** Takes up what the calls gave, in their order, for the next turn. */
  add(outputs: string[]): void;
}

/**
 * Turn after turn, with the calls of each made in between, until the model answers.
 * @throws the signal's reason, or what `callTool` throws. A failing turn is part of the answer.
 */
export async function converse(
  request: Pick<ModelRequest, 'callTools' | 'signal'>,
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
      const turn = await takeTurn(last);
      answer.responseId = turn.id || answer.responseId;
      answer.usage = addUsage(answer.usage, turn);
      const calls = turn.calls();
      if (calls.length === 0 || last) return { ...answer, text: turn.text() };
      const { outputs, done } = await request.callTools(calls);
      signal.throwIfAborted();
      if (done) return answer;
      turn.add(outputs.map(textOf));
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    return { ...answer, failure: error };
  }
}
