import { Injectable, Logger } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { AppError, type ErrorCode } from '../../platform/errors';
import { isRepeatable, type Tool, type ToolContext } from '../../tools/tool';
import { ToolError } from '../../tools/tool-error';
import { ToolRegistry } from '../../tools/tool-registry';
import { toContents } from '../../tools/tool-result';
import { toolScope } from '../../tools/tool-scope';
import type { ActiveRun, StopReason } from '../../runs/worker/active-run';
import { type Claim, type Finish, RunStore } from '../../runs/store/run.store';
import {
  ended,
  type Outcome,
  Rescheduled,
} from '../../runs/worker/run-outcome';
import { RunLost } from '../../runs/worker/run-writer';
import { ToolRunWriter } from './tool-run-writer';

/** What cannot be repeated may come to its end while its worker leaves, which has to end MCP servers after that. */
const SHUTDOWN_GRACE_MS = 5_000;

/** Maximum length of a tool's error message: a model reads it, and the record holds it twice. */
const MAX_MESSAGE = 2_000;

/** What a tool came to: a value, an error of its own, or nothing, because it was stopped. */
type Work = { value: unknown } | { error: unknown } | { stopped: StopReason };

/** Runs the tools that have no workers of their own. No tool does harm beyond its own invocation. */
@Injectable()
export class ToolExecutor {
  private readonly log = new Logger('Tools');

  constructor(
    private readonly store: RunStore,
    private readonly registry: ToolRegistry,
    private readonly config: AppConfig,
  ) {}

  async run(claim: Claim, run: ActiveRun): Promise<Outcome> {
    const { fields } = claim;
    // It was done, and its worker died before it could say so.
    if (fields.contents) return { status: 'completed' };
    // Another process, whose servers have answered, may have accepted it.
    const tool = await this.registry.whenFound(fields.tool, run.signal);
    const reason = run.signal.reason as StopReason | undefined;
    if (!tool?.run)
      return reason ? stoppedOutcome(reason, true) : failed('tool_unavailable');
    // It was begun before, and its outcome is unknown.
    if (claim.fence !== '1' && !isRepeatable(tool))
      return failed('tool_interrupted');
    // Claimed but never begun, what cannot be repeated would count as begun: it may as well come to its end.
    if (reason && (reason !== 'shutdown' || isRepeatable(tool)))
      return stoppedOutcome(reason, isRepeatable(tool));
    const kind = tool.source.startsWith('mcp:') ? 'mcp' : 'tool';
    const writer = new ToolRunWriter(this.store, claim, kind, run.signal);
    const work = await this.work(tool, claim, run, writer);
    writer.close();
    if ('stopped' in work)
      return stoppedOutcome(work.stopped, isRepeatable(tool));
    if ('error' in work) return this.failure(tool, work.error);
    return this.keep(tool, work.value, writer);
  }

  /** Never waits for a tool longer than its invocation may take, whether it heeds its signal or not. */
  private async work(
    tool: Tool,
    { id, fields }: Claim,
    run: ActiveRun,
    writer: ToolRunWriter,
  ): Promise<Work> {
    const controller = new AbortController();
    const context: ToolContext = {
      tenant: fields.caller || undefined,
      requestId: fields.request_id || undefined,
      invocationId: id,
      ...(fields.tool_context && {
        toolContext: JSON.parse(
          fields.tool_context,
        ) as ToolContext['toolContext'],
      }),
      signal: controller.signal,
      progress: (detail, of) => writer.progress(detail, of),
    };
    const stopped = new Promise<Work>((resolve) => {
      const stop = (): void => {
        const reason = run.signal.reason as StopReason;
        const end = (): void => {
          controller.abort(reason);
          resolve({ stopped: reason });
        };
        if (reason === 'shutdown' && !isRepeatable(tool))
          setTimeout(end, SHUTDOWN_GRACE_MS).unref();
        else end();
      };
      if (run.signal.aborted) stop();
      else run.signal.addEventListener('abort', stop, { once: true });
    });
    const args = JSON.parse(fields.args) as Record<string, unknown>;
    const done = new Promise<Work>((resolve) => {
      const fail = (error: unknown): void => resolve({ error });
      toolScope.run(fail, () => {
        Promise.resolve()
          .then(() => tool.run!(args, context))
          .then((value) => resolve({ value }), fail);
      });
    });
    return Promise.race([done, stopped]);
  }

  private async keep(
    tool: Tool,
    value: unknown,
    writer: ToolRunWriter,
  ): Promise<Outcome> {
    try {
      const contents = toContents(value);
      const { maxOutputBytes } = this.config.runs;
      // As JSON they may be somewhat longer than as the text that is limited.
      if (JSON.stringify(contents).length > 2 * maxOutputBytes)
        return failed('output_too_large');
      await writer.result(contents);
      return { status: 'completed' };
    } catch (error) {
      if (error instanceof ToolError) return this.failure(tool, error);
      if (error instanceof AppError) return failed(error.code);
      if (error instanceof RunLost) return 'lost';
      // The run was stopped while Redis was unavailable: the next worker to claim it ends it.
      if (error instanceof Error && error.name === 'AbortError') return 'lost';
      throw error;
    }
  }

  /** Names only: arguments and results never reach a log line. */
  private failure(tool: Tool, error: unknown): Finish {
    if (error instanceof ToolError) {
      this.log.warn(`${tool.name} failed: ${error.code}`);
      return failedWith(error.code, error.message);
    }
    if (error instanceof AppError) {
      this.log.warn(`${tool.name} failed: ${error.code}`);
      return failedWith(error.code.toUpperCase(), error.message, error.code);
    }
    this.log.warn(`${tool.name} failed unexpectedly`);
    this.log.debug(error);
    return failed('tool_failed');
  }
}

function stoppedOutcome(reason: StopReason, repeatable: boolean): Outcome {
  switch (reason) {
    case 'lost':
      return 'lost';
    case 'cancel':
      return ended('cancelled', 'cancelled');
    case 'deadline':
      return failed('tool_timeout');
    case 'shutdown':
      return repeatable ? new Rescheduled(0) : failed('tool_interrupted');
  }
}

function failed(code: ErrorCode): Finish {
  const { error } = ended('failed', code);
  return failedWith(code.toUpperCase(), error!.message, code);
}

/** The end of a failed run, with the error that the model reads. */
function failedWith(
  code: string,
  words: string,
  recorded = recordedCode(code),
): Finish {
  const message = String(words).slice(0, MAX_MESSAGE).toWellFormed();
  const contents = [{ type: 'value', value: { code, message } }];
  return {
    status: 'failed',
    error: { code: recorded, message },
    fields: { contents: JSON.stringify(contents) },
  };
}

/** A tool's own codes are for the model; a record has those of the service. */
function recordedCode(code: string): ErrorCode {
  switch (code) {
    case 'TOOL_TIMEOUT':
      return 'tool_timeout';
    case 'TOOL_UNAVAILABLE':
      return 'tool_unavailable';
    case 'TOOL_INTERRUPTED':
      return 'tool_interrupted';
    default:
      return 'tool_failed';
  }
}
