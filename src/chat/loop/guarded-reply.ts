import type { Guardrails } from '../../tools/guardrails/guardrails';
import type { MessageDelta } from '../../platform/message/delta';
import { modelTextsOf, withModelTexts } from '../tools/approvals';
import type { ChatResult } from './chat-loop-parts';
import type { ChatReply } from '../dto/chat-response.dto';
import { errorDto } from '../turns/tool-call';
import type { ToolCallView } from '../turns/tool-call-view';
import { withText } from './chat-reply';

/**
 * With an output guardrail nothing of the reply was emitted before, so that a failure leaves no partial reply. The texts
 * of a required action and of calls that are handed back are checked too.
 */
export async function guardedReply(
  guardrails: Guardrails,
  result: ChatResult,
  guarded: Parameters<Guardrails['output']>[1],
  emit?: (delta: MessageDelta) => void,
): Promise<ChatResult> {
  if (!guardrails.guardsOutput) return result;
  const { content, research_summary, continuation, tool_calls } = result.reply;
  const action = modelTextsOf(result.requiredAction);
  const calls = result.reply.message?.tool_calls;
  const causes = [result.reply, ...tool_calls].map(
    ({ error }) => error?.message,
  );
  const texts = {
    content,
    research_summary,
    action,
    continuation,
    calls,
    causes,
  };
  const {
    action: passedAction,
    calls: passedCalls,
    causes: [cause, ...causesOfCalls],
    ...passedTexts
  } = await guardrails.output(texts, guarded);
  const requiredAction =
    result.requiredAction &&
    withModelTexts(result.requiredAction, passedAction);
  const reply = {
    ...result.reply,
    ...passedTexts,
    required_action: requiredAction,
    error: withMessage(result.reply.error, cause),
    tool_calls: tool_calls.map((call: ToolCallView, at) => ({
      ...call,
      error: withMessage(call.error, causesOfCalls[at]),
    })),
  };
  // Citations are positions in the text that the guardrail replaced.
  const cited = research_summary === null ? 'content' : 'research_summary';
  if (passedTexts[cited] !== result.reply[cited]) reply.citations = null;
  // Thinking is left out: no guardrail has checked it.
  reply.message &&= {
    ...withText(reply.message, reply.content ?? ''),
    ...(passedCalls && { tool_calls: passedCalls }),
  };
  if (reply.status === 'completed' && reply.content)
    emit?.({
      role: 'assistant',
      contents: [{ index: 0, type: 'text', text: reply.content }],
    });
  const answer = { ...result.answer, failure: null };
  return { answer, reply, requiredAction };
}

function withMessage(
  error: ChatReply['error'],
  message?: string,
): ChatReply['error'] {
  return error && errorDto(error, message);
}
