import { ApiProperty } from '@nestjs/swagger';
import { rfc3339 } from '../../platform/rfc3339';
import {
  MODES,
  PRIORITIES,
  STATUSES,
  type Mode,
  type Priority,
  type RunMetadata,
  type Status,
} from '../record/run';
import type { RunRecord } from '../record/run-record';
import { titleOf } from '../record/shown/run-title';
import { WAITING_FOR, type WaitingFor } from '../record/shown/waiting';
import {
  InvocationErrorDto,
  ProgressDto,
  StepsDto,
  WebhookDeliveryDto,
} from './run-parts.dto';
import { CitationDto, SourceDto } from './citation.dto';
import { ApiMetadata } from './metadata';
import { CostDto, InheritedDto, RunUsageDto } from './run-usage.dto';
import { PlanDto, RequiredPlanDto, RunLimitsDto } from './plan.dto';

/** One invocation of a tool. Absent values are null, never missing. */
export class InvocationDto {
  invocation_id: string;

  tool_name: string;

  /** The research question, at most its first 1,000 characters; null for other tools. */
  question: string | null;

  /** At most nine words: of the heading of the report, or else of the question; null for other tools. */
  title: string | null;

  @ApiProperty({ enum: MODES })
  mode: Mode;

  @ApiProperty({ enum: STATUSES })
  status: Status;

  deliverable_format: string | null;

  /** As it was given. */
  @ApiMetadata()
  metadata: RunMetadata | null;

  @ApiProperty({ enum: PRIORITIES })
  priority: Priority;

  /** Among those of the same key that wait to begin, from 1; null once it has begun. */
  queue_position: number | null;

  /**
   * Of a run that has not ended: its `time`, a `place`, the `budget` of its key, a `worker` because none is connected, the
   * `endpoint` of a model or a search, or an `approval`. Null: it goes on.
   */
  @ApiProperty({ enum: WAITING_FOR, nullable: true })
  waiting_for: WaitingFor | null;

  /** Opens this record. Only in the reply to the submission: only its hash is kept. */
  invocation_token: string | null;

  /** As soon as the upstream has answered. */
  upstream_response_id: string | null;

  /** When completed or incomplete. */
  output_text: string | null;

  citations: CitationDto[] | null;

  /** Every source that was consulted, cited or not. */
  sources: SourceDto[] | null;

  usage: RunUsageDto | null;

  /** Null where neither the gateway nor the configured prices say it. */
  cost: CostDto | null;

  progress: ProgressDto | null;

  /** The raw response object of the upstream, once finished. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  response: object | null;

  /** The result of a tool as the model receives it, in parts of the message format; null for research. */
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    nullable: true,
  })
  contents: object[] | null;

  /** What carries research: `hosted`, `agent` or `plain`; null for other tools. */
  engine: string | null;

  /**
   * Of research by the engines `hosted` and `plain`, once its model has ended: whether any search is on record. Null where
   * that is not known.
   */
  searched: boolean | null;

  /** Of the same: the output is a question to the caller instead of a report. */
  asks: boolean | null;

  /** The model that it was done with, once it has ended. */
  model: string | null;

  /** Of a run of the agent, once it has ended. */
  steps: StepsDto | null;

  /** The limits at which a run of the agent stopped, e.g. `max_pages`. */
  limits_reached: string[] | null;

  /** The run of the agent that it continues. */
  continued_from: string | null;

  /** The research that it follows up. */
  parent: string | null;

  /** What follows it up, oldest first: at most the last hundred, of which some may have expired. */
  follow_ups: string[];

  /** What the runs whose steps it begins with have used; `usage` and `cost` do not have it again. Null: it begins anew. */
  inherited: InheritedDto | null;

  /** Of a run of the agent, before it searches. */
  plan: PlanDto | null;

  /** Of a run of the agent, once it has a plan. */
  limits: RunLimitsDto | null;

  /** While it is `requires_action`: what is to be decided. */
  required_action: RequiredPlanDto | null;

  /** Safe to show. */
  error_message: string | null;

  error: InvocationErrorDto | null;

  /** Why an operator of the service has ended it, if one has and says so. */
  cancel_reason: string | null;

  /** Where the end is announced. */
  webhook: WebhookDeliveryDto | null;

  /** RFC 3339, UTC. */
  created_at: string;

  /** When it is to begin, if not at once. */
  due_at: string | null;

  started_at: string | null;

  completed_at: string | null;

  /** When the record will be forgotten; null while it has not ended, and while it is kept. */
  expires_at: string | null;

  /** It is kept until it is let go, see `/keep`. */
  kept: boolean;
}

export function toInvocationDto(
  record: RunRecord,
  token: string | null = null,
): InvocationDto {
  return {
    invocation_id: record.id,
    tool_name: record.tool,
    question: record.question,
    title: titleOf(record.question, record.text),
    mode: record.mode,
    status: record.status,
    deliverable_format: record.deliverableFormat,
    metadata: record.metadata,
    priority: record.priority,
    queue_position: record.queuePosition,
    waiting_for: record.waitingFor,
    invocation_token: token,
    upstream_response_id: record.upstreamId,
    output_text: record.text,
    citations: record.citations,
    sources: record.sources,
    usage: record.usage,
    cost: record.cost,
    progress: record.progress,
    response: record.response,
    contents: record.contents,
    engine: record.engine,
    searched: record.searched,
    asks: record.asks,
    model: record.model,
    steps: record.steps,
    limits_reached: record.limitsReached,
    continued_from: record.continuedFrom,
    parent: record.parent,
    follow_ups: record.followUps,
    inherited: record.inherited,
    plan: record.plan,
    limits: record.limits,
    required_action:
      record.status === 'requires_action' && record.plan
        ? { plan: record.plan }
        : null,
    error_message: record.error?.message ?? null,
    error: record.error
      ? { code: record.error.code, retryable: record.error.retryable }
      : null,
    cancel_reason: record.cancelReason,
    webhook:
      record.webhook === undefined
        ? null
        : { url: withoutQuery(record.webhook), ...record.webhookDelivery },
    created_at: rfc3339(record.createdMs)!,
    due_at: rfc3339(record.dueMs),
    started_at: rfc3339(record.startedMs),
    completed_at: rfc3339(record.completedMs),
    expires_at: rfc3339(record.expiresMs),
    kept: record.isKept,
  };
}

function withoutQuery(text: string): string {
  const { origin, pathname, search } = new URL(text);
  return `${origin}${pathname}${search && '?…'}`;
}
