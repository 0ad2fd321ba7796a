import type { z } from 'zod';
import type {
  JsonSchema,
  ToolDescription,
} from '../platform/message/tool-description';

/** Hints on what a tool does, in the terms of the Model Context Protocol. Absent: unknown, so the worst is assumed. */
export interface ToolAnnotations {
  title?: string;
  /** It changes nothing, so it may run again after a crash. */
  readOnlyHint?: boolean;
  /**
   * It may destroy something: a person approves each call by a model, and the calls of one turn run one after another.
   */
  destructiveHint?: boolean;
  /** Repeated calls with the same arguments change nothing more: within one request they run once. */
  idempotentHint?: boolean;
  /** It interacts with external systems. */
  openWorldHint?: boolean;
}

/** What a tool gets in addition to its arguments. Never shown to the model. */
export interface ToolContext {
  /** Name of the caller's API key; undefined for anonymous callers. */
  readonly tenant?: string;
  /** The `X-Request-Id` of the request that the call belongs to. */
  readonly requestId?: string;
  readonly invocationId: string;
  /** `tool_context` of the chat that the call belongs to; never shown to a model. Fits the schema of the tool, if it has one. */
  readonly toolContext?: Readonly<Record<string, unknown>>;
  /** Aborts when the invocation is cancelled, at its time limit, or when its worker shuts down. */
  readonly signal: AbortSignal;
  /** Reports progress to subscribers of the events. Cheap and safe to call at any rate: excess reports are dropped. */
  readonly progress: (
    detail: string,
    of?: { progress: number; total?: number },
  ) => void;
}

/** The context of a tool that declares a schema of it. */
export type ContextOf<C> =
  C extends z.ZodType<Record<string, unknown>>
    ? ToolContext & { readonly toolContext: z.infer<C> }
    : ToolContext;

/**
 * Whether a call needs approval.
 * @param args as the model chose them, not validated; null if they are not a JSON object.
 */
export type ApprovalRule = (
  args: Record<string, unknown> | null,
  call: CallOrigin,
) => boolean;

export interface CallOrigin {
  /** The model may have read text that neither its user nor the operator wrote and that caused the call. */
  readonly foreignText: boolean;
}

/** A tool from any source. */
export interface Tool {
  /** 1 to 64 letters, digits, `_` or `-`. */
  readonly name: string;
  readonly description: string;
  /** `builtin`, or `mcp:<server>`. */
  readonly source: string;
  /** Validates the arguments of a call and fills in defaults. */
  readonly argumentsSchema: z.ZodType<Record<string, unknown>>;
  /** All arguments that a caller of the API may pass. */
  readonly parameters: JsonSchema;
  readonly returns?: JsonSchema;
  readonly offered: ToolDescription;
  /** What `tool_context` of a request must be. A model is offered the tool where nothing is missing. */
  readonly contextSchema?: z.ZodType<Record<string, unknown>>;
  readonly annotations: ToolAnnotations;
  /** Its result is the reply, without a further turn of the model. Applies if all calls of a turn agree. */
  readonly returnDirect: boolean;
  /** Whether a call by a model needs approval by a person, as with `destructiveHint`. */
  readonly needsApproval?: boolean | ApprovalRule;
  /** The operator allows models to call it without approval, whatever its hints are. */
  readonly trusted?: boolean;
  /** `tell`: a failure is returned to the model, which may continue without the tool. `fail`: it ends the request. */
  readonly onError: 'tell' | 'fail';
  /** Undefined: the configured default. */
  readonly timeoutMs?: number;
  /** Hidden: neither listed nor callable. */
  readonly internal?: boolean;
  /** Offered to a model only where a request or the operator has documents, unless the request names it. */
  readonly needsDocuments?: boolean;
  /** Validates what the schema cannot express, e.g. an argument that no configured model supports. Throws AppError. */
  check?(args: Record<string, unknown>): void;
  /**
   * Executes a call. The result is text or one JSON value, a `ToolResult` for anything else, or undefined for "done".
   * Undefined if the tool has workers of its own, as research has.
   * @throws ToolError with what the model and the caller may see; the message of any other error is never shown.
   */
  run?(args: Record<string, unknown>, context: ToolContext): Promise<unknown>;
}

/** Whether a run can be repeated safely when its outcome is unknown. */
export function isRepeatable({ annotations }: Tool): boolean {
  return (
    annotations.readOnlyHint === true || annotations.idempotentHint === true
  );
}
