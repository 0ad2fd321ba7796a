import { Injectable, Logger } from '@nestjs/common';
import type { CallerIdentity } from '../../platform/auth/caller';
import { isResearch } from '../../platform/auth/scopes';
import { AppError } from '../../platform/errors';
import type { RunRecord } from '../../runs/record/run-record';
import { isFinal } from '../../runs/record/run';
import { endsLog } from '../../runs/record/run-event';
import {
  AdoptedRuns,
  type RepeatableRequest,
} from '../../runs/repeats/adopted-runs';
import { RunsService } from '../../runs/runs.service';
import type { Accepted } from '../../runs/submit/run-submitter';
import type { Submission, Work } from '../../runs/submit/submission';
import { timeLimit } from '../../runs/record/time-limit';
import type { Tool } from '../../tools/tool';
import type { ChatRequest } from '../dto/chat.dto';
import type { CallWatcher } from '../turns/chat-observer';
import {
  type CompletedToolCall,
  failedCall,
  refusedCall,
  reportedCall,
  type RequestedCall,
} from '../turns/tool-call';
import { describeFaults, NO_OBJECT } from './argument-faults';

/** The chat that a call belongs to. */
export interface ChatContext {
  request: ChatRequest;
  caller: CallerIdentity;
  requestId?: string;
  /** Headers for the model endpoint. */
  forwarded?: Readonly<Record<string, string>>;
  /** Ends the wait for a tool; its run continues. */
  waitSignal: AbortSignal;
  /** Set where the client waits for the reply. */
  wait?: ToolWait;
  /** Set where the client may repeat the request: whose body, and the number of each call of research, from 0. */
  repeatable?: Pick<RepeatableRequest, 'client' | 'body'> & {
    nth: () => number;
  };
  /** Set for a chat on record: it waits for its tools without a limit, and its tokens give access to their runs. */
  durable?: { openedBy: readonly string[] };
}

/** A call whose tool exists. */
export interface ResolvedCall extends RequestedCall {
  tool: Tool;
  /** The arguments, with those that the request of the chat adds. */
  completed: Record<string, unknown> | null;
}

/** Runs a tool for a call of the model. A failure is an outcome and never an error: no chat fails because a tool does. */
@Injectable()
export class ToolCallInvoker {
  private readonly log = new Logger('Chat');

  constructor(
    private readonly invocations: RunsService,
    private readonly adopted: AdoptedRuns,
  ) {}

  /** The clock from which ids of runs are made. */
  now(): number {
    return this.invocations.now();
  }

  async invoke(
    { completed, ...call }: ResolvedCall,
    context: ChatContext,
    watcher?: CallWatcher,
  ): Promise<CompletedToolCall> {
    const { tool } = call;
    if (!completed) {
      return refusedCall(call, 'INVALID_ARGUMENTS', NO_OBJECT);
    }
    let accepted: Accepted;
    try {
      accepted = await this.accept(tool.name, completed, context, watcher);
    } catch (error) {
      if (error instanceof AppError && error.code === 'validation_failed') {
        return refusedCall(call, 'INVALID_ARGUMENTS', describeFaults(error));
      }
      // The call is valid: a durable chat repeats it later.
      if (context.durable && !(error instanceof AppError)) throw error;
      this.warn(tool, codeOf(error));
      return failedCall(call, null, error instanceof AppError ? error : null);
    }
    // The token of a durable chat gives access to the run, so that the record stores no other.
    const token = context.durable ? '' : accepted.token;
    const { id, status: initial } = accepted.record;
    const started = { id, token, status: initial };
    await watcher?.started({ ...call, invocation: started });
    const record = await this.awaitEnd(tool, accepted, context, watcher);
    const { status } = record;
    const invocation = { id, token, status };
    if (!isFinal(status)) {
      const ending = await this.invocations.isEnding(id).catch(() => false);
      const rest = { output: [], invocation, ...(ending && { ending }) };
      return { ...call, outcome: 'unfinished', ...rest };
    }
    if (hasResult(record)) return reportedCall(call, invocation, record);
    this.warn(tool, record.error?.code ?? status);
    return failedCall(call, invocation, record.error, record);
  }

  /** The run of a durable chat is a part of it. */
  private async accept(
    tool: string,
    completed: Record<string, unknown>,
    context: ChatContext,
    { invocationId: id }: Pick<CallWatcher, 'invocationId'> = {},
  ): Promise<Accepted> {
    const { request, caller, requestId, forwarded, durable } = context;
    const work: Work = {
      tool,
      arguments: completed,
      priority: request.priority,
      caller,
      requestId,
      forwarded,
      toolContext: request.tool_context ?? undefined,
    };
    if (!durable || id === undefined) {
      const submission: Submission = { ...work, mode: 'background' };
      return this.acceptOnce(submission, context);
    }
    const args = this.invocations.check(work);
    const { openedBy } = durable;
    return this.invocations.continue({
      ...work,
      arguments: args,
      id,
      openedBy,
    });
  }

  /** A repeat of the chat gets the research of the first, whatever arguments its model calls it with. */
  private acceptOnce(
    submission: Submission,
    { repeatable, waitSignal: signal }: ChatContext,
  ): Promise<Accepted> {
    const { tool, caller } = submission;
    if (!repeatable || !isResearch(tool))
      return this.invocations.submit(submission);
    const { client, body, nth } = repeatable;
    const target = `chat ${nth()}`;
    return this.adopted.adopt({ caller, client, target, body, signal }, (key) =>
      this.invocations.submit({
        ...submission,
        idempotency: { key, body: null },
      }),
    );
  }

  private async awaitEnd(
    tool: Tool,
    { record }: Accepted,
    { waitSignal, durable, wait }: ChatContext,
    watcher?: CallWatcher,
  ): Promise<RunRecord> {
    const limit = wait?.limit(this.invocations, record.id, waitSignal);
    const signal = limit?.signal ?? waitSignal;
    try {
      if (watcher) await this.forwardEvents(record.id, watcher, signal);
      return await this.invocations.settled(record.id, signal);
    } catch (error) {
      // A deleted run was cancelled by its deletion. Any other run continues, even where its state cannot be read.
      const deleted =
        error instanceof AppError && error.code === 'invocation_not_found';
      if (durable && !deleted) throw error;
      this.warn(tool, codeOf(error));
      return deleted ? { ...record, status: 'cancelled' } : record;
    } finally {
      limit?.clear();
    }
  }

  /** Passes on all events but the last, whose content is in the result. */
  private async forwardEvents(
    id: string,
    watcher: CallWatcher,
    signal: AbortSignal,
  ): Promise<void> {
    const { seenSeq = 0 } = watcher;
    for await (const event of this.invocations.follow(id, seenSeq, signal)) {
      if (endsLog(event)) return;
      await watcher.event(id, event);
    }
  }

  /** Logs the code alone: the input of a user is never logged. */
  private warn({ name }: Tool, code: string): void {
    this.log.warn(`A call of ${name} failed: ${code}`);
  }
}

/** How long all tools of a chat together may delay its reply. The turns of the model have a time limit of their own. */
export class ToolWait {
  private endsAt?: number;

  /** @param isExact true where the client chose the limit: a run that ends soon does not extend it. */
  constructor(
    private readonly ms: number,
    private readonly isExact: boolean,
  ) {}

  /** The time limit of one wait. The time starts with the first. */
  limit(
    invocations: Pick<RunsService, 'hold'>,
    id: string,
    signal: AbortSignal,
  ): ReturnType<typeof timeLimit> {
    const now = performance.now();
    this.endsAt ??= now + this.ms;
    const leftMs = Math.max(0, this.endsAt - now);
    return this.isExact
      ? timeLimit(leftMs, signal)
      : invocations.hold(id, leftMs, signal);
  }
}

function hasResult({ status, text, contents }: RunRecord): boolean {
  if (status === 'completed' && contents) return true;
  return (status === 'completed' || status === 'incomplete') && !!text?.trim();
}

function codeOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  return error instanceof Error ? error.name : 'internal_error';
}
