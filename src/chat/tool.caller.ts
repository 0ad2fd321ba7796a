import { Injectable, Logger } from '@nestjs/common';
import type { CallerIdentity } from '../auth/caller';
import { AppConfig } from '../config/config';
import { AppError } from '../errors';
import type { InvocationRecord } from '../tool-invocations/invocation.record';
import { isFinal } from '../tool-invocations/invocation';
import type { Accepted } from '../tool-invocations/invocation.intake';
import { ToolInvocationsService } from '../tool-invocations/tool-invocations.service';
import type { Tool } from '../tools/tool';
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
  /** Ends the wait for a tool; the tool goes on. */
  until: AbortSignal;
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
    const record = await this.end(tool, accepted, context.until);
    const { id, status } = record;
    const invocation = { id, token: accepted.token, status };
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
  ): Promise<InvocationRecord> {
    const { timeoutMs } = this.config.research;
    try {
      return await this.invocations.wait(record.id, timeoutMs, until);
    } catch (error) {
      this.warn(tool, codeOf(error));
      // Someone deleted it, which ends it. Otherwise it goes on, whether it can be looked at now or not.
      const gone =
        error instanceof AppError && error.code === 'invocation_not_found';
      return gone ? { ...record, status: 'cancelled' } : record;
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
