import type { AppError } from '../../platform/errors';
import { rfc3339 } from '../../platform/rfc3339';
import type { RunRecord } from '../../runs/record/run-record';
import type {
  ChatReply,
  ChatStatus,
  RecordedChatReply,
} from '../dto/chat-response.dto';
import type { RequiredAction } from '../tools/approvals';
import type { ToolCallView } from '../turns/tool-call-view';
import { failureText, openReply } from './chat-reply';

/** Workers of earlier releases stored calls without this field. */
const NO_ERROR = { error: null };

/** The reply of a chat on record. */
export function chatView(
  record: RunRecord,
  token: string | null = null,
): RecordedChatReply {
  const status = record.status as ChatStatus;
  const stored = record.response as ChatReply | null;
  // A reply stored while the chat waited for a decision is out of date once the chat continues.
  const isCurrent =
    stored !== null &&
    (stored.status === status || (isOver(status) && isOver(stored.status)));
  const { error } = record;
  const action = status === 'requires_action' && stored?.required_action;
  const reply = { ...openReply(status), ...(isCurrent && stored) };
  return {
    ...reply,
    tool_calls: reply.tool_calls.map((call: ToolCallView) => ({
      ...NO_ERROR,
      ...call,
    })),
    ...(action && { required_action: undecided(action, record.undecided) }),
    ...(!isCurrent && status === 'failed' && { content: failureText(error) }),
    ...(error && { error }),
    status,
    chat_id: record.id,
    // Not what a guardrail has kept from the model.
    question: stored?.guardrail?.stage === 'input' ? null : record.question,
    metadata: record.metadata,
    invocation_token: token,
    created_at: rfc3339(record.createdMs)!,
    started_at: rfc3339(record.startedMs),
    completed_at: rfc3339(record.completedMs),
    expires_at: rfc3339(record.expiresMs),
  };
}

/** The reply as it was last known, with the error that ended the wait for it. */
export function failedWait(
  reply: RecordedChatReply,
  { code, message, retryable }: AppError,
): RecordedChatReply {
  return {
    ...reply,
    // A chat is deleted by its owner, and a running one is cancelled by that.
    ...(code === 'chat_not_found' && { status: 'cancelled' }),
    error: { code, message, retryable },
  };
}

/** The action without the calls that are decided already. */
function undecided(
  { approvals = [], questions = [] }: Partial<RequiredAction>,
  callIds: readonly string[],
): RequiredAction {
  const isUndecided = ({ call_id }: { call_id: string }) =>
    callIds.includes(call_id);
  return {
    approvals: approvals.filter(isUndecided),
    questions: questions.filter(isUndecided),
  };
}

function isOver(status: ChatStatus): boolean {
  return status === 'completed' || status === 'failed';
}
