import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../platform/auth/caller';
import { AppError } from '../../platform/errors';
import { Suspension } from '../../runs/record/suspension';
import type { Accepted } from '../../runs/submit/run-submitter';
import type { Work } from '../../runs/submit/submission';
import type { RunRecord } from '../../runs/record/run-record';
import { RunsService } from '../../runs/runs.service';
import type { ChatRequest } from '../dto/chat.dto';
import { chatInput } from '../loop/chat-input';
import { ChatOptions } from '../loop/chat-options';
import { CHAT } from './chat-kind';
import type { ChatOrigin } from '../loop/chat-runner';
import type { ChatReply } from '../dto/chat-response.dto';
import type { Turn } from '../turns/chat-turn';
import {
  type Decision,
  pendingCallIds,
  type RequiredAction,
  writeDecisions,
} from '../tools/approvals';
import { writeReply, writeTurns } from './chat-record-codec';

/** How a chat is asked for that is to be kept. */
export interface ChatSubmission {
  request: ChatRequest;
  origin: ChatOrigin;
  mode: 'foreground' | 'background';
  idempotency?: { key: string; body: unknown };
}

/** A chat that an accepted run cannot end without. */
export interface NeededChat extends Pick<ChatSubmission, 'request' | 'origin'> {
  id: string;
  openedBy: readonly string[];
}

/** A chat that waits for a person, and its reply until then. */
interface WaitingChat {
  turns: readonly Turn[];
  requiredAction: RequiredAction;
  reply: ChatReply;
}

type ParkedChat = ChatReply & { chat_id: string };

/** The chats that are on record: each is an invocation that no caller of tools can see, and is listed with the chats. */
@Injectable()
export class ChatSubmitter {
  constructor(
    private readonly invocations: RunsService,
    private readonly options: ChatOptions,
  ) {}

  /**
   * Accepts a chat. When this returns, a worker will carry it to its end.
   * @throws AppError `validation_failed`, `capacity_exceeded`, or what is wrong with the idempotency key.
   */
  submit({ request, origin, ...rest }: ChatSubmission): Promise<Accepted> {
    this.check(request, origin);
    const work = workOf(request, origin);
    return this.invocations.submitChecked('chat_', { ...rest, ...work });
  }

  /** The same for one that is never refused. Safe to repeat with the same id. */
  continue({ request, origin, ...rest }: NeededChat): Promise<Accepted> {
    this.check(request, origin);
    return this.invocations.continue({ ...rest, ...workOf(request, origin) });
  }

  /**
   * Accepts a chat that was begun elsewhere and waits for a person.
   * @throws AppError `capacity_exceeded`.
   */
  async park(
    request: ChatRequest,
    origin: ChatOrigin,
    { turns, requiredAction, reply }: WaitingChat,
  ): Promise<ParkedChat> {
    const { record, token } = await this.invocations.park('chat_', {
      ...workOf(request, origin, writeTurns(turns)),
      awaiting: new Suspension(
        pendingCallIds(requiredAction),
        requiredAction,
        writeReply(reply),
      ),
    });
    // From now on its token opens what its tools did; theirs are on no record.
    const made = turns.flatMap(({ results }) =>
      results.flatMap((result) => result?.invocation?.id ?? []),
    );
    await this.invocations.share(made, record);
    return { ...reply, chat_id: record.id, invocation_token: token };
  }

  /** Ends a chat whose client disconnected before it received the id. */
  async forget({ chat_id }: ParkedChat): Promise<void> {
    await this.invocations.remove(await this.invocations.read(chat_id));
  }

  /** @throws AppError `chat_not_found`, `invalid_invocation_token`. */
  open(
    id: string,
    caller: CallerIdentity,
    token: string | undefined,
  ): Promise<RunRecord> {
    return this.invocations.open(id, caller, token, 'chat_');
  }

  /**
   * Records what a person decided; a worker continues once nothing is left to decide.
   * @param list the field of the request that holds them.
   * @throws AppError `validation_failed`, `not_waiting`, `decision_conflict`.
   */
  async decide(
    record: RunRecord,
    given: readonly { call_id: string; decision: Decision }[],
    list: string,
  ): Promise<RunRecord> {
    const reply = record.response as ChatReply | null;
    const awaited = reply?.required_action;
    if (record.status !== 'requires_action' || !awaited)
      throw new AppError('not_waiting');
    const decisions = writeDecisions(awaited, given, list);
    await this.invocations.decide(record, decisions, list);
    return this.invocations.read(record.id);
  }

  /** Validates the input now: a worker could report its faults to no caller. */
  private check(request: ChatRequest, { caller }: ChatOrigin): void {
    chatInput(request);
    this.options.check(request, caller.scopes);
  }
}

function workOf(
  { metadata, ...request }: ChatRequest,
  { caller, requestId, forwarded, excludedTools }: ChatOrigin,
  fields: Record<string, string> = {},
): Work {
  const more = excludedTools && { without: JSON.stringify(excludedTools) };
  return {
    tool: CHAT,
    arguments: request,
    metadata,
    priority: request.priority,
    caller,
    requestId,
    forwarded,
    fields: { ...fields, ...more },
  };
}
