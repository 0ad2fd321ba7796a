import type { z } from 'zod';
import type { JsonSchema, ToolDescription } from '../message/tool-description';

/** Hints on what a tool does, in the terms of the Model Context Protocol. Absent: unknown, so the worst is assumed. */
export interface ToolAnnotations {
  title?: string;
  /** It changes nothing, so it may be run again after a crash. */
  readOnlyHint?: boolean;
  /** It may destroy something: a human has to approve each call by a model, and those of one turn are made one after the other. */
  destructiveHint?: boolean;
  /** The same arguments again change nothing more: repeated calls of one request are made once. */
  idempotentHint?: boolean;
  /** It reaches beyond this service. */
  openWorldHint?: boolean;
}

/** What a tool is given besides its arguments. Never shown to the model. */
export interface ToolContext {
  /** Name of the caller's API key; undefined for anonymous callers. */
  readonly tenant?: string;
  /** The `X-Request-Id` of the request that the call belongs to. */
  readonly requestId?: string;
  readonly invocationId: string;
  /** `tool_context` of the chat that the call belongs to; no model has seen it. */
  readonly toolContext?: Readonly<Record<string, unknown>>;
  /** Aborts when the invocation is cancelled, its time is up, or its worker leaves. */
  readonly signal: AbortSignal;
  /** Tells whoever follows the events how far it is. Cheap and safe to call at any rate: what comes too fast is left out. */
  readonly progress: (
    detail: string,
    of?: { progress: number; total?: number },
  ) => void;
}

/**
 * Whether a call needs approval.
 * @param args as the model chose them: not checked; null if they are no JSON object.
 */
export type ApprovalRule = (
  args: Record<string, unknown> | null,
  call: CallOrigin,
) => boolean;

export interface CallOrigin {
  /** The model may have read what neither its user nor the operator wrote, which may have made it call. */
  readonly foreignText: boolean;
}

/** A tool, wherever it comes from. */
export interface Tool {
  /** 1 to 64 letters, digits, `_` or `-`. */
  readonly name: string;
  readonly description: string;
  /** `builtin`, or `mcp:<server>`. */
  readonly source: string;
  /** Checks the arguments of a call and fills in defaults. */
  readonly argumentsSchema: z.ZodType<Record<string, unknown>>;
  /** All that a caller of the API may pass. */
  readonly parameters: JsonSchema;
  readonly returns?: JsonSchema;
  readonly offered: ToolDescription;
  readonly annotations: ToolAnnotations;
  /** Its result is the answer, and no further turn of the model is taken. Holds if all calls of a turn say so. */
  readonly returnDirect: boolean;
  /** Whether a human has to approve a call by a model, as it is with `destructiveHint`. */
  readonly needsApproval?: boolean | ApprovalRule;
  /** The operator lets models call it without approval, whatever its hints are. */
  readonly trusted?: boolean;
  /** Whether a failure is told to the model, which may go on without, or ends the request. */
  readonly onError: 'tell' | 'fail';
  /** Undefined: the configured default. */
  readonly timeoutMs?: number;
  /** Not for callers: neither offered nor listed. */
  readonly internal?: boolean;
  /** Faults that the schema cannot express, e.g. an argument that no configured model takes. Throws AppError. */
  check?(args: Record<string, unknown>): void;
  /**
   * Does the work. Text or one JSON value is the result, `ToolResult` anything else, undefined that it is done.
   * Undefined if the tool has workers of its own, as research has.
   * @throws ToolError what the model and the caller are told; the words of any other error are told to nobody.
   */
  run?(args: Record<string, unknown>, context: ToolContext): Promise<unknown>;
}

/** Whether it does no harm to run it again when nobody knows what came of the first time. */
export function isRepeatable({ annotations }: Tool): boolean {
  return (
    annotations.readOnlyHint === true || annotations.idempotentHint === true
  );
}
