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
  'crashes',
  'cancel',
] as const;

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

  /** How often a worker has begun or taken it over. */
  claims: number;

  /** How many of its workers have disappeared. */
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
}

export function toAdminRunDetail(
  record: RunRecord,
  fields: RunFields,
  last: LogEvent | undefined,
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
    claims: storedNumber(fields.fence),
    workers_lost: storedNumber(fields.crashes),
    worker: holds ? (fields.worker ?? null) : null,
    lease_expires_at: holds ? rfc3339(storedTime(fields.lease_ms)) : null,
    cancel_reason: record.cancelReason,
    expires_at: rfc3339(record.expiresMs),
    kept: record.isKept,
    cancel_requested: fields.cancel === '1' && !isFinal(status),
    upstream_response_id: record.upstreamId,
  });
}

/** Its name alone: what is in an event may be of a caller or a model. */
function stageOf({ type, data }: LogEvent): string {
  if (type !== 'progress') return type;
  const [, kind = type] = /"kind":"([a-z_]{1,40})"/.exec(data) ?? [];
  return kind;
}
