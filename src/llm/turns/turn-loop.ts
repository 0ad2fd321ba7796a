import {
  Conversation,
  type ConversationRequest,
  type SaidTurn,
} from './conversation';
import type { CalledTurn, ModelAnswer } from '../model.types';
import type { DeltaEmitter } from './delta.emitter';
import type { ToolChoice } from './tool.choice';

export interface ModelTurn extends SaidTurn {
  /** Takes up what the calls gave, for the next turn. */
  add(outputs: CalledTurn['outputs']): void;
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
