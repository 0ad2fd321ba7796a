import { rfc3339 } from '../runs/http/run.dto';
import type { RunRecord } from '../runs/record/run.record';
import { CHAT_FAILED, openReply } from './loop/chat.reply';
import type { RequiredAction } from './tools/approvals';
import type {
  KeptChatReply,
  ChatReply,
  ChatStatus,
} from './dto/chat-response.dto';

/** The chat of a record. */
export function chatView(
  record: RunRecord,
  token: string | null = null,
): KeptChatReply {
  const status = record.status as ChatStatus;
  const kept = record.response as ChatReply | null;
  // One that goes on says no longer what it waited for.
  const holds =
    kept !== null &&
    (kept.status === status || (isOver(status) && isOver(kept.status)));
  const { error } = record;
  const waits = status === 'requires_action' && kept?.required_action;
  return {
    ...openReply(status),
    ...(holds && kept),
    ...(waits && { required_action: leftOf(waits, record.undecided) }),
    ...(!holds && status === 'failed' && { content: CHAT_FAILED }),
    ...(error && { error }),
    status,
    chat_id: record.id,
    invocation_token: token,
    created_at: rfc3339(record.createdMs)!,
    started_at: rfc3339(record.startedMs),
    completed_at: rfc3339(record.completedMs),
    expires_at: rfc3339(record.expiresMs),
  };
}

/** Without what is decided. */
function leftOf(
  { approvals = [], questions = [] }: Partial<RequiredAction>,
  undecided: readonly string[],
): RequiredAction {
  const isLeft = ({ call_id }: { call_id: string }) =>
    undecided.includes(call_id);
  return {
    approvals: approvals.filter(isLeft),
    questions: questions.filter(isLeft),
  };
}

function isOver(status: ChatStatus): boolean {
  return status === 'completed' || status === 'failed';
}
