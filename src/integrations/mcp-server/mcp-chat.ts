import type { JsonSchema } from '../../platform/message/tool-description';
import type { CallerIdentity } from '../../platform/auth/caller';
import type { RunRecord } from '../../runs/record/run-record';
import type { Accepted } from '../../runs/submit/run-submitter';
import type { Arguments } from './mcp-call';

export interface ChatSubmission {
  readonly args: Arguments;
  readonly caller: CallerIdentity;
  readonly requestId: string;
  readonly forwarded: Readonly<Record<string, string>> | undefined;
  readonly idempotencyKey: string;
}

/** The reply of a chat on record, as far as a client of this protocol needs it. */
export interface ChatView {
  readonly status: string;
  readonly content: string | null;
  readonly citations: object[] | null;
  readonly tool_calls: object[];
  readonly required_action: object | null;
  readonly usage: object | null;
  readonly cost: object | null;
  readonly error: { code: string; message: string; retryable: boolean } | null;
}

/** Chats, which a room above provides. */
export abstract class McpChat {
  abstract readonly parameters: JsonSchema;

  /** @throws AppError `validation_failed` that names each field after `arguments.`. */
  abstract submit(submission: ChatSubmission): Promise<Accepted>;

  abstract view(record: RunRecord): ChatView;
}
