import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { OptionalBody } from '../../platform/http/validation/own-form';
import { CitationDto, SourceDto } from '../../runs/http/citation.dto';
import { rfc3339 } from '../../platform/rfc3339';
import { STATUSES, type Status } from '../../runs/record/run';
import type { RunRecord } from '../../runs/record/run-record';
import { titleOf } from '../../runs/record/shown/run-title';
import type { Share } from './shares.store';

const DAY_SECONDS = 86_400;

@OptionalBody()
export class CreateShareDto {
  /** For how long the link opens the report, at most as long as the record is kept. */
  @ApiProperty({ type: 'integer', default: 7 * DAY_SECONDS })
  @IsOptional()
  @IsInt()
  @Min(60)
  @Max(90 * DAY_SECONDS)
  expires_in_seconds: number = 7 * DAY_SECONDS;
}

export class ShareDto {
  share_id: string;

  created_at: string;

  expires_at: string;
}

export class CreatedShareDto extends ShareDto {
  /** Opens the report at `GET /api/v1/shared`. Only in this reply: only its hash is kept. */
  share_token: string;
}

export class ShareListDto {
  /** Those that have not expired, oldest first. */
  data: ShareDto[];
}

/** What a link opens: the report and its sources, and nothing else of the record. */
export class SharedReportDto {
  /** At most nine words, of the heading of the report; null without one, as the question is not shared. */
  title: string | null;

  @ApiProperty({ enum: STATUSES })
  status: Status;

  deliverable_format: string | null;

  output_text: string;

  citations: CitationDto[] | null;

  sources: SourceDto[] | null;

  completed_at: string | null;

  /** When the link expires. */
  expires_at: string;
}

export function toShareDto({ id, createdMs, expiresMs }: Share): ShareDto {
  return {
    share_id: id,
    created_at: rfc3339(createdMs)!,
    expires_at: rfc3339(expiresMs)!,
  };
}

export function toSharedReport(
  record: RunRecord,
  { expiresMs }: Share,
): SharedReportDto {
  return {
    title: titleOf(null, record.text),
    status: record.status,
    deliverable_format: record.deliverableFormat,
    output_text: record.text ?? '',
    citations: record.citations,
    sources: record.sources,
    completed_at: rfc3339(record.completedMs),
    expires_at: rfc3339(expiresMs)!,
  };
}
