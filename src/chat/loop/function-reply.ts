import type { ModelAnswer } from '../../llm/turns/model.types';
import type { ChatReply } from '../dto/chat-response.dto';
import type { CompletedToolCall } from '../turns/tool-call';
import { isResearch } from '../turns/tool-call';
import { callingMessage, openMessagesOf, type Turn } from '../turns/chat-turn';
import { replyOf } from './chat-reply';
import { foundBy, orNull } from './research-findings';

/** The reply of a chat whose last turn calls functions of the caller. */
export function functionReply(
  answer: ModelAnswer,
  completed: readonly CompletedToolCall[],
  turns: readonly Turn[],
): ChatReply {
  const { agent, text, calls, results } = turns.at(-1)!;
  const { thinking, contents } = answer;
  const message = callingMessage(
    text,
    calls.filter((_, at) => !results[at]),
  );
  return {
    ...replyOf(answer, completed),
    agent,
    content: text || null,
    message: { ...message, ...(thinking && { thinking }) },
    contents: orNull(contents),
    ...foundBy(completed.filter(isResearch), null),
    continuation: openMessagesOf(turns),
  };
}
