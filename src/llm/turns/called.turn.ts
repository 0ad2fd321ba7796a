import type { Message } from '../../message/message';
import type { CalledTurn, FunctionCall } from '../model.types';

/** What the calls of a turn gave, as the messages that a history would hold. */
export function resultMessages(
  calls: readonly Pick<FunctionCall, 'callId'>[],
  outputs: CalledTurn['outputs'],
): Message[] {
  return calls.map(({ callId }, at) => ({
    role: 'tool',
    tool_call_id: callId,
    contents: [...outputs[at]],
  }));
}
