import type { AppConfig } from '../../config/config';
import type { CallerIdentity } from '../../platform/auth/caller';
import type { Mode, Priority, RunMetadata } from '../record/run';
import { traceOfRecord } from '../../platform/tracing/tracing';
import type { FieldsOf, SubmittedField } from '../record/run-fields';
import type { RunRecord } from '../record/run-record';
import type { Suspension } from '../record/suspension';

export interface Accepted {
  record: RunRecord;
  /** Opens the record; returned only here. */
  token: string;
  replayed: boolean;
}

/** What is to run, and for whom. */
export interface Work {
  tool: string;
  arguments: Record<string, unknown>;
  caller: CallerIdentity;
  priority?: Priority;
  /** Of the caller: shown in the record and in webhooks, and nowhere else. */
  metadata?: RunMetadata | null;
  /** `X-Request-Id` of the request that it belongs to. */
  requestId?: string;
  /** Headers of that request that go on to the model endpoint. */
  forwarded?: Readonly<Record<string, string>>;
  /** Given to the tool besides its arguments. */
  toolContext?: Readonly<Record<string, unknown>>;
  /** More fields of the record. */
  fields?: FieldsOf<string>;
}

/** What a caller asks for now. */
export interface Submission extends Work {
  mode: Mode;
  /** Where the end is announced, if not to where the API key's always are. */
  webhook?: string;
  /** Repeating it returns the same run. */
  idempotency?: { key: string; body: unknown };
  /** Writes what the run begins with, before there is a record. Safe to repeat. Returns more fields of the record. */
  prepare?: (id: string) => Promise<FieldsOf<string>>;
}

/** What begins later on behalf of an accepted run, from which it has all else. */
export interface ScheduledRun extends Pick<Work, 'tool' | 'arguments'> {
  id: string;
  dueMs: number;
  /** The accepted run cannot end without it: it is neither listed nor announced, and never refused. */
  isPart: boolean;
}

/** What waits for a person before any worker gets it. */
export interface ParkedRun extends Work {
  awaiting: Suspension;
}

/** What an accepted run cannot end without, so it is never refused. */
export interface NeededRun extends Work {
  id: string;
  /** Hashes of tokens that open it, besides its own. */
  openedBy: readonly string[];
}

/** What the submitter writes for each of them. */
export interface Writing extends Omit<Submission, 'idempotency'> {
  dueMs?: number;
  openedBy?: readonly string[];
  awaiting?: Suspension;
  /** Capacity never refuses it. */
  isNeeded?: boolean;
  /** An accepted run repeats it under the same id after a failure, so it is never rolled back. */
  isRepeated?: boolean;
}

/** What the record holds of it. */
export function submittedFields(
  run: Writing,
  webhook: string,
  tokens: readonly string[],
): FieldsOf<SubmittedField> {
  const { caller, arguments: args, forwarded, toolContext, metadata } = run;
  const { deliverable_format: format } = args;
  return {
    tool: run.tool,
    mode: run.mode,
    args: JSON.stringify(args),
    format: typeof format === 'string' ? format : '',
    caller: caller.name ?? '',
    ...(caller.account && { account: caller.account }),
    ...(caller.scopes && { scopes: caller.scopes.join(' ') }),
    ...(metadata && { metadata: JSON.stringify(metadata) }),
    priority: run.priority ?? 'normal',
    ...(run.isNeeded && { needed: '1' }),
    request_id: run.requestId ?? '',
    ...traceOfRecord(),
    ...(forwarded && { forwarded: JSON.stringify(forwarded) }),
    ...(toolContext && { tool_context: JSON.stringify(toolContext) }),
    due_ms: String(run.dueMs ?? ''),
    webhook,
    tokens: tokens.join(','),
  };
}

/** Callers without a name have a listing only on a loopback service without keys, where they are the user of the machine. */
export function hasListing(
  { name }: CallerIdentity,
  { auth, http }: AppConfig,
): boolean {
  return name !== undefined || (http.loopback && !auth.required);
}
