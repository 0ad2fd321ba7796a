import { ApiProperty } from '@nestjs/swagger';
import {
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
} from 'class-validator';
import { OptionalBody } from '../../../platform/http/validation/own-form';
import {
  MaxLength,
  MinLength,
} from '../../../platform/http/validation/text-length';
import { rfc3339 } from '../../../platform/rfc3339';
import { PageQueryDto, RunListDto } from '../../../runs/http/run-list.dto';
import { STATUSES, type Status } from '../../../runs/record/run';
import { prefixOf } from '../../../runs/record/run-id';
import type { RunRecord } from '../../../runs/record/run-record';

export class AdminRunsQueryDto extends PageQueryDto {
  /** Only runs of this status; `unfinished`: of every status that is not final. */
  @IsOptional()
  @IsIn([...STATUSES, 'unfinished'])
  status?: Status | 'unfinished';

  /** Only runs that ended with this error code. */
  @IsOptional()
  @Matches(/^[a-z_]{1,64}$/, { message: 'must be an error code' })
  code?: string;

  /** Only runs that keys of this name have begun. */
  @IsOptional()
  @Length(1, 128)
  key?: string;

  /** Only research that this carries: `hosted`, `agent` or `plain`. */
  @IsOptional()
  @Matches(/^[a-z]{1,32}$/, { message: 'must be the name of an engine' })
  engine?: string;

  /** Only runs that were submitted at least so many seconds ago. */
  @ApiProperty({ type: 'integer' })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(31_536_000)
  min_age_seconds?: number;

  @ApiProperty({ enum: ['newest', 'oldest'], default: 'newest' })
  @IsOptional()
  @IsIn(['newest', 'oldest'])
  order?: 'newest' | 'oldest';

  /** `next_cursor` of the page before. */
  @IsOptional()
  @Matches(/^[0-9a-f]{32}$/, { message: 'must be a next_cursor' })
  cursor?: string;
}

/** What an operator sees of a run: nothing that a caller or a model has written. */
export class AdminRunDto {
  @ApiProperty({ enum: ['invocation', 'chat'] })
  kind: 'invocation' | 'chat';

  id: string;

  /** Empty for a chat. */
  tool_name: string;

  /** The name of the key that has begun it; null without one. */
  key: string | null;

  @ApiProperty({ enum: STATUSES })
  status: Status;

  engine: string | null;

  model: string | null;

  error_code: string | null;

  /** US dollars; null where it is not known. */
  spent_usd: number | null;

  /** Among those of the same key that wait to begin, from 1. */
  queue_position: number | null;

  /** RFC 3339, UTC. */
  created_at: string;

  started_at: string | null;

  completed_at: string | null;
}

@OptionalBody()
export class CancelRunDto {
  /** Shown in the record, to whoever has begun the run. */
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(500)
  reason?: string;
}

export class AdminRunListDto extends RunListDto {
  data: AdminRunDto[];
}

/** Unfinished runs of one key. */
export class KeyRunsDto {
  /** Null: without a key. */
  key: string | null;

  /** Not begun. */
  queued: number;

  running: number;

  /** Until a person has decided something. */
  requires_action: number;
}

export class KeyRunsListDto {
  /** Keys with unfinished runs, those with most first. */
  data: KeyRunsDto[];

  /** Unfinished runs that were not counted: there are too many. */
  omitted: number;
}

export function toAdminRun(record: RunRecord): AdminRunDto {
  const isChat = prefixOf(record.id) === 'chat_';
  return {
    kind: isChat ? 'chat' : 'invocation',
    id: record.id,
    tool_name: isChat ? '' : record.tool,
    key: record.caller ?? null,
    status: record.status,
    engine: record.engine,
    model: record.model,
    error_code: record.error?.code ?? null,
    spent_usd: record.cost?.spent ?? null,
    queue_position: record.queuePosition,
    created_at: rfc3339(record.createdMs)!,
    started_at: rfc3339(record.startedMs),
    completed_at: rfc3339(record.completedMs),
  };
}
