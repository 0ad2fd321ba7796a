import { Injectable, Logger } from '@nestjs/common';
import type { CallerIdentity } from '../../auth/caller';
import { AppError } from '../../errors';
import type { RunRecord } from '../../runs/record/run.record';
import { endsLog, isFinal, type LogEvent } from '../../runs/run';
import type { Accepted } from '../../runs/submit/run.submitter';
import { RunsService } from '../../runs/runs.service';
import type { Tool } from '../../tools/tool';
import type { ToolCallWait } from './tool-call.wait';
import {
  type Asked,
  type CompletedToolCall,
  failed,
  refused,
  reported,
} from './tool-call';
import type { ChatRequest } from '../dto/chat.dto';

/** The request that a call belongs to. */
export interface ChatContext {
  request: ChatRequest;
  caller: CallerIdentity;
  requestId?: string;
  /** Headers that go on to the model endpoint. */
  forwarded?: Readonly<Record<string, string>>;
  /** Ends the wait for a tool; the tool goes on. */
  until: AbortSignal;
  /** Of a chat whose client waits. */
  wait?: ToolCallWait;
  /** The chat waits for its tools however long they take, and its tokens open what they do. */
  durable?: { openedBy: readonly string[] };
}

/** A call that can be made. */
export interface CheckedCall extends Asked {
  tool: Tool;
  /** The arguments, with what the caller of the chat adds to them. */
  given: Record<string, unknown> | null;
}

/** One call that is told of, and perhaps made for the second time. */
export interface CallWatcher {
  /** The same again finds what was begun already. */
  readonly invocationId?: string;
  /** The last event that was told of. */
  readonly seenSeq?: number;
  began(
    call: Pick<CompletedToolCall, 'arguments' | 'invocation'>,
  ): Promise<void> | void;
  event(invocationId: string, event: LogEvent): Promise<void> | void;
}

/** Makes a call of a model. Whatever goes wrong is an outcome, never an error: no chat fails because a tool does. */
@Injectable()
export class ToolCallInvoker {
  private readonly log = new Logger('Chat');

  constructor(private readonly invocations: RunsService) {}

  /** By the clock that ids of invocations go by. */
  now(): number {
    return this.invocations.now();
  }

  async call(
    { given, ...asked }: CheckedCall,
    context: ChatContext,
    watcher?: CallWatcher,
  ): Promise<CompletedToolCall> {
    const { tool } = asked;
    if (!given) {
      const message = 'The arguments must be one JSON object.';
      return refused(asked, 'INVALID_ARGUMENTS', message);
    }
    let accepted: Accepted;
    try {
      accepted = await this.invocations.submit({
        id: watcher?.invocationId,
        tool: tool.name,
        arguments: given,
        mode: 'background',
        priority: context.request.priority,
        caller: context.caller,
        requestId: context.requestId,
        forwarded: context.forwarded,
        toolContext: context.request.tool_context ?? undefined,
        openedBy: context.durable?.openedBy,
        needed: context.durable !== undefined,
      });
    } catch (error) {
      if (error instanceof AppError && error.code === 'validation_failed') {
        return refused(asked, 'INVALID_ARGUMENTS', faultsOf(error));
      }
      // No fault of the call: later it can be made.
      if (context.durable && !(error instanceof AppError)) throw error;
      this.warn(tool, codeOf(error));
      return failed(asked, null, error instanceof AppError ? error : null);
    }
    // What is kept is opened with the token of the chat.
    const token = context.durable ? '' : accepted.token;
    const { id, status: begun } = accepted.record;
    const invoked = { id, token, status: begun };
    await watcher?.began({ ...asked, invocation: invoked });
    const record = await this.end(tool, accepted, context, watcher);
    const { status } = record;
    const invocation = { id, token, status };
    if (!isFinal(status)) {
      const ending = await this.invocations.isEnding(id).catch(() => false);
      const more = { output: [], invocation, ...(ending && { ending }) };
      return { ...asked, outcome: 'unfinished', ...more };
    }
    if (isUsable(record)) return reported(asked, invocation, record);
    this.warn(tool, record.error?.code ?? status);
    return failed(asked, invocation, record.error, record);
  }

  private async end(
    tool: Tool,
    { record }: Accepted,
    { until, durable, wait }: ChatContext,
    watcher?: CallWatcher,
  ): Promise<RunRecord> {
    const limit = wait?.limit(this.invocations, record.id, until);
    const signal = limit?.signal ?? until;
    try {
      if (watcher) await this.watch(record.id, watcher, signal);
      return await this.invocations.settled(record.id, signal);
    } catch (error) {
      // Someone deleted it, which ends it. Otherwise it goes on, whether it can be looked at now or not.
      const gone =
        error instanceof AppError && error.code === 'invocation_not_found';
      if (durable && !gone) throw error;
      this.warn(tool, codeOf(error));
      return gone ? { ...record, status: 'cancelled' } : record;
    } finally {
      limit?.clear();
    }
  }

  /** Until its last event, which says no more than the result does. */
  private async watch(
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

  /** Codes only: what a user asked is in no log. */
  private warn({ name }: Tool, code: string): void {
    this.log.warn(`A call of ${name} failed: ${code}`);
  }
}

function isUsable({ status, text, contents }: RunRecord): boolean {
  if (status === 'completed' && contents) return true;
  return (status === 'completed' || status === 'incomplete') && !!text?.trim();
}

function faultsOf({ errors = [], message }: AppError): string {
  const faults = errors.map(
    ({ path, message: fault }) => `${path.replace('arguments.', '')}: ${fault}`,
  );
  return faults.join('; ') || message;
}

function codeOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  return error instanceof Error ? error.name : 'internal_error';
}
