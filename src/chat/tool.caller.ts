import { Injectable, Logger } from '@nestjs/common';
import type { CallerIdentity } from '../auth/caller';
import { AppConfig } from '../config/config';
import { AppError } from '../errors';
import type { InvocationRecord } from '../tool-invocations/invocation.record';
import {
  endsLog,
  isFinal,
  type LogEvent,
} from '../tool-invocations/invocation';
import type { Accepted } from '../tool-invocations/invocation.intake';
import { ToolInvocationsService } from '../tool-invocations/tool-invocations.service';
import { timeLimit } from '../tool-invocations/time-limit';
import type { Tool } from '../tools/tool';
import type { TellChat } from './chat.event';
import {
  type Asked,
  type CalledTool,
  failed,
  refused,
  reported,
} from './called.tool';
import type { ChatRequestDto } from './chat.dto';
import { completeArguments } from './tool.arguments';

/** The request that a call belongs to. */
export interface ChatContext {
  request: ChatRequestDto;
  caller: CallerIdentity;
  requestId?: string;
  /** Told what happens, while it does. */
  tell?: TellChat;
  /** Ends the wait for a tool; the tool goes on. */
  until: AbortSignal;
}

/** Told what the invocation of one call does. */
export interface CallWatcher {
  began(invocation: CalledTool['invocation']): void;
  event(invocationId: string, event: LogEvent): void;
}

/** Makes a call of a model. Whatever goes wrong is an outcome, never an error: no chat fails because a tool does. */
@Injectable()
export class ToolCaller {
  private readonly log = new Logger('Chat');

  constructor(
    private readonly invocations: ToolInvocationsService,
    private readonly config: AppConfig,
  ) {}

  async call(
    asked: Asked & { tool: Tool },
    context: ChatContext,
    watcher?: CallWatcher,
  ): Promise<CalledTool> {
    const { tool, arguments: args } = asked;
    if (!args) {
      const message = 'The arguments must be one JSON object.';
      return refused(asked, 'INVALID_ARGUMENTS', message);
    }
    let accepted: Accepted;
    try {
      accepted = await this.invocations.submit({
        tool: tool.name,
        arguments: completeArguments(tool, args, context.request),
        mode: 'background',
        priority: context.request.priority,
        caller: context.caller,
        requestId: context.requestId,
      });
    } catch (error) {
      if (error instanceof AppError && error.code === 'validation_failed') {
        return refused(asked, 'INVALID_ARGUMENTS', faultsOf(error));
      }
      this.warn(tool, codeOf(error));
      return failed(asked, null, error instanceof AppError ? error : null);
    }
    const { token } = accepted;
    const { id, status: begun } = accepted.record;
    watcher?.began({ id, token, status: begun });
    const record = await this.end(tool, accepted, context.until, watcher);
    const { status } = record;
    const invocation = { id, token, status };
    if (!isFinal(status)) {
      return { ...asked, outcome: 'unfinished', output: [], invocation };
    }
    if (isUsable(record)) return reported(asked, invocation, record);
    this.warn(tool, record.error?.code ?? status);
    return failed(asked, invocation, record.error, record);
  }

  private async end(
    tool: Tool,
    { record }: Accepted,
    until: AbortSignal,
    watcher?: CallWatcher,
  ): Promise<InvocationRecord> {
    const { timeoutMs } = this.config.research;
    const limit = timeLimit(timeoutMs, until);
    try {
      if (watcher) await this.watch(record.id, watcher, limit.signal);
      return await this.invocations.wait(record.id, timeoutMs, limit.signal);
    } catch (error) {
      this.warn(tool, codeOf(error));
      // Someone deleted it, which ends it. Otherwise it goes on, whether it can be looked at now or not.
      const gone =
        error instanceof AppError && error.code === 'invocation_not_found';
      return gone ? { ...record, status: 'cancelled' } : record;
    } finally {
      limit.clear();
    }
  }

  /** Until its last event, which says no more than the result does. */
  private async watch(
    id: string,
    watcher: CallWatcher,
    signal: AbortSignal,
  ): Promise<void> {
    for await (const event of this.invocations.follow(id, 0, signal)) {
      if (endsLog(event)) return;
      watcher.event(id, event);
    }
  }

  /** Codes only: what a user asked is in no log. */
  private warn({ name }: Tool, code: string): void {
    this.log.warn(`A call of ${name} failed: ${code}`);
  }
}

function isUsable({ status, text, contents }: InvocationRecord): boolean {
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
