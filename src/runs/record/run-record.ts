import type { CallerIdentity } from '../../platform/auth/caller';
import type { Citation, Source } from '../../platform/message/citation';
import type { Part } from '../../platform/message/message';
import {
  type Cost,
  type Inherited,
  isKnown,
  type Mode,
  PRIORITIES,
  type Priority,
  type Progress,
  type RunLimits,
  type RunMetadata,
  type Status,
  type Steps,
  type Usage,
  type WebhookStatus,
} from './run';
import { timeOf } from './run-id';
import { RECORD_SCHEMA } from './run-keys';
import {
  storedError,
  type StoredError,
  type StoredFields,
  storedList,
  storedNumber,
  storedFlag,
  storedObject,
  storedTime,
  storedUrl,
} from './stored-fields';
import type { WaitingFor } from './shown/waiting';
import { type RunPlan, storedPlan } from './stored-plan';

export interface RunRecord {
  id: string;
  /** Version of what the record holds. */
  schema: number;
  tool: string;
  /** The question, perhaps cut off; null for tools without one. */
  question: string | null;
  mode: Mode;
  status: Status;
  deliverableFormat: string | null;
  metadata: RunMetadata | null;
  priority: Priority;
  /** Where its end is announced. */
  webhook?: string;
  webhookDelivery: { status: WebhookStatus; attempts: number };
  /** Name of the API key that submitted it. */
  caller?: string;
  /** Of that key; undefined: all. The runs that this one begins have the same. */
  scopes?: string[];
  /** Of that key; undefined: of none. The runs that this one begins have the same. */
  account?: string;
  tokenHashes: string[];
  /** Of the last event. */
  seq: number;
  /** Among those of its account that wait to begin, from 1; null once it has begun. */
  queuePosition: number | null;
  /** Null: it has ended, or goes on. */
  waitingFor: WaitingFor | null;
  upstreamId: string | null;
  text: string | null;
  citations: Citation[] | null;
  sources: Source[] | null;
  usage: Usage | null;
  cost: Cost | null;
  progress: Progress | null;
  response: object | null;
  /** What a model gets of it, if that is more than the text. */
  contents: Part[] | null;
  /** What carries research; null for other tools, and for records of earlier versions. */
  engine: string | null;
  /** Null where it is not known. */
  searched: boolean | null;
  asks: boolean | null;
  model: string | null;
  steps: Steps | null;
  limitsReached: string[] | null;
  /** Id of the run that it continues. */
  continuedFrom: string | null;
  /** Id of the run whose report it follows up. */
  parent: string | null;
  /** Those that follow up its report, oldest first. */
  followUps: string[];
  inherited: Inherited | null;
  /** Of a run of the agent. */
  plan: RunPlan | null;
  limits: RunLimits | null;
  /** Keys of the decisions that it waits for. */
  undecided: string[];
  error: StoredError | null;
  /** Of an operator who has ended it. */
  cancelReason: string | null;
  /** `X-Request-Id` of the request that it belongs to. */
  requestId?: string;
  /** The context of its submission, as in the header of this name. */
  traceparent?: string;
  createdMs: number;
  /** When it is to begin, if not at once. */
  dueMs: number | null;
  startedMs: number | null;
  completedMs: number | null;
  expiresMs: number | null;
  /** It does not expire. */
  isKept: boolean;
}

export function toRecord(
  id: string,
  fields: StoredFields,
  text: string | null,
  queuePosition: number | null = null,
  waits: WaitingFor | null = null,
): RunRecord {
  return {
    id,
    schema: storedNumber(fields.schema) || 1,
    tool: fields.tool ?? '',
    question: fields.question || null,
    mode: fields.mode as Mode,
    status: fields.status as Status,
    deliverableFormat: fields.format || null,
    metadata: storedObject(fields.metadata),
    priority: toPriority(fields.priority),
    webhook: storedUrl(fields.webhook),
    webhookDelivery: {
      status: (fields.webhook_status || 'pending') as WebhookStatus,
      attempts: storedNumber(fields.webhook_attempts),
    },
    caller: fields.caller || undefined,
    scopes: scopesIn(fields),
    account: fields.account || undefined,
    tokenHashes: fields.tokens ? fields.tokens.split(',') : [],
    seq: storedNumber(fields.seq),
    queuePosition,
    waitingFor: waits,
    upstreamId: fields.upstream_id || null,
    text,
    citations: storedList(fields.citations),
    sources: storedList(fields.sources),
    usage: storedObject(fields.usage),
    cost: storedObject(fields.cost),
    progress: storedObject(fields.progress),
    response: storedObject(fields.response),
    contents: storedList(fields.contents),
    engine: fields.engine || null,
    searched: storedFlag(fields.searched),
    asks: storedFlag(fields.asks),
    model: fields.model || null,
    steps: storedObject(fields.steps),
    limitsReached: storedList(fields.limits_reached),
    continuedFrom: fields.continued_from || null,
    parent: fields.parent || null,
    followUps: fields.follow_ups?.split(' ').filter(Boolean) ?? [],
    inherited: storedObject(fields.inherited),
    plan: storedPlan(fields),
    limits: storedObject(fields.limits),
    undecided: storedList(fields.undecided) ?? [],
    error: storedError(fields),
    cancelReason: fields.cancel_reason || null,
    requestId: fields.request_id || undefined,
    traceparent: fields.traceparent || undefined,
    // An id begins with its time.
    createdMs: storedTime(fields.created_ms) ?? (timeOf(id) || 0),
    dueMs: storedTime(fields.due_ms),
    startedMs: storedTime(fields.started_ms),
    completedMs: storedTime(fields.completed_ms),
    expiresMs: storedTime(fields.expires_ms),
    isKept: fields.kept === '1',
  };
}

/** Whoever submitted a run, for the runs that it begins. */
export function ownerOf({
  caller: name,
  scopes,
  account,
}: Pick<RunRecord, 'caller' | 'scopes' | 'account'>): CallerIdentity {
  return { name, scopes, account };
}

/** The scopes of the key that submitted a run; undefined: all. */
export function scopesIn({ scopes }: StoredFields): string[] | undefined {
  return scopes ? scopes.split(' ') : undefined;
}

/** A priority that only a newer version knows counts as normal. */
export function toPriority(value: string | null | undefined): Priority {
  return PRIORITIES.find((known) => known === value) ?? 'normal';
}

/** A newer version of the service wrote it: it can be read and removed here, but not continued. */
export function isTooNew(schema: string | undefined, status: string): boolean {
  return storedNumber(schema) > RECORD_SCHEMA || !isKnown(status);
}
