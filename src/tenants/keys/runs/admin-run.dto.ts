import { ApiProperty } from '@nestjs/swagger';
import { rfc3339 } from '../../../platform/rfc3339';
import { StepsDto } from '../../../runs/http/run-parts.dto';
import { CostDto } from '../../../runs/http/run-usage.dto';
import { isFinal, PRIORITIES, type Priority } from '../../../runs/record/run';
import type { RunFields } from '../../../runs/record/run-fields';
import type { LogEvent } from '../../../runs/record/run-event';
import type { RunRecord } from '../../../runs/record/run-record';
import {
  WAITING_FOR,
  type WaitingFor,
} from '../../../runs/record/shown/waiting';
import { storedNumber, storedTime } from '../../../runs/record/stored-fields';
import { AdminRunDto, toAdminRun } from './admin-runs.dto';

/** What is read of a record in addition to what its caller sees. */
export const OPERATED_FIELDS = [
  'event_ms',
  'deadline_ms',
  'worker',
  'lease_ms',
  'fence',
  'attempts',
  'takeovers',
  'purchases',
  'crashes',
  'cancel',
] as const;

export class RunLogLineDto {
  /** RFC 3339, UTC. */
  at: string;

  /** Words, codes and numbers; nothing that a caller or a model has written. */
  text: string;
}

/** Where a run is: to tell one that goes on from one that is stuck. */
export class AdminRunDetailDto extends AdminRunDto {
  @ApiProperty({ enum: PRIORITIES })
  priority: Priority;

  /** What it waits for, as its record says it; null: it has ended, or goes on. */
  @ApiProperty({ enum: WAITING_FOR, nullable: true })
  waiting_for: WaitingFor | null;

  /** What it has cost and reserved; null where it is not known. */
  cost: CostDto | null;

  /** Of a run of the agent that has ended: steps, those that were repeated, and those that may have been paid for twice. */
  steps: StepsDto | null;

  /** Its last event: a step such as `web_search`, `waiting` for the model endpoint, else its type, such as `status`, `output_text` or `completed`. */
  stage: string | null;

  /** Of its last event; null for what an earlier version has written. */
  last_event_at: string | null;

  /** Since it was submitted, or due; of one that has ended, until then. */
  age_seconds: number;

  /** When it is to begin, if not at once. */
  due_at: string | null;

  /** When its worker ends it, once it has begun; later by what it waits for decisions. */
  deadline_at: string | null;

  /** How often a worker began to carry it, and again after a loss, a restart or a fault; `log` says why each one ended. Null before the first, and for what an earlier version began. */
  attempts: number | null;

  /** How often another worker went on after one that had disappeared. */
  takeovers: number;

  /** Requests that may each have bought a response at the model endpoint, none of them refused. Null where none was sent, and for a chat and a run of the agent, which has `steps`. */
  purchases: number | null;

  /** How often a worker has taken it up, each look at what it waits for included. */
  claims: number;

  /** How many of its workers have disappeared since its last progress. */
  workers_lost: number;

  /** The process that holds it, by a random name; null: none does. */
  worker: string | null;

  /** Renewed by its worker; once it has passed another worker carries on. */
  lease_expires_at: string | null;

  /** Why an operator has ended it. */
  cancel_reason: string | null;

  /** When its record goes; null while it has not ended, and while it is kept. */
  expires_at: string | null;

  kept: boolean;

  /** It is to end, and its worker has not ended it yet. */
  cancel_requested: boolean;

  /** At the model endpoint. */
  upstream_response_id: string | null;

  /** What its workers did with it, oldest first: the newest 50 lines, while the queue has its job. */
  log: RunLogLineDto[];
}

export function toAdminRunDetail(
  record: RunRecord,
  fields: RunFields,
  last: LogEvent | undefined,
  log: readonly string[],
  now: number,
): AdminRunDetailDto {
  const { createdMs, dueMs, completedMs, priority, status } = record;
  const holds = !isFinal(status) && fields.worker !== '';
  const from = Math.max(createdMs, dueMs ?? 0);
  const seconds = ((completedMs ?? now) - from) / 1_000;
  return Object.assign(toAdminRun(record), {
    priority,
    waiting_for: record.waitingFor,
    cost: record.cost,
    steps: record.steps,
    stage: last ? stageOf(last) : null,
    last_event_at: rfc3339(storedTime(fields.event_ms)),
    age_seconds: Math.max(0, Math.round(seconds)),
    due_at: rfc3339(dueMs),
    deadline_at: rfc3339(storedTime(fields.deadline_ms)),
    attempts: storedNumber(fields.attempts) || null,
    takeovers: storedNumber(fields.takeovers),
    purchases: fields.purchases ? storedNumber(fields.purchases) : null,
    claims: storedNumber(fields.fence),
    workers_lost: storedNumber(fields.crashes),
    worker: holds ? (fields.worker ?? null) : null,
    lease_expires_at: holds ? rfc3339(storedTime(fields.lease_ms)) : null,
    cancel_reason: record.cancelReason,
    expires_at: rfc3339(record.expiresMs),
    kept: record.isKept,
    cancel_requested: fields.cancel === '1' && !isFinal(status),
    upstream_response_id: record.upstreamId,
    log: log.flatMap(lineOf),
  });
}

/** `<time> <text>`. */
function lineOf(line: string): RunLogLineDto[] {
  const [, at, text] = /^(\d\S{0,29}) (.{1,300})/.exec(line) ?? [];
  return text ? [{ at, text }] : [];
}

/** Its name alone: what is in an event may be of a caller or a model. */
function stageOf({ type, data }: LogEvent): string {
  if (type !== 'progress') return type;
  const [, kind = type] = /"kind":"([a-z_]{1,40})"/.exec(data) ?? [];
  return kind;
}
