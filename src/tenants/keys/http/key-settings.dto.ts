import {
  IsBoolean,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  Max,
  Min,
} from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import {
  LEAST_RETENTION_SECONDS,
  type LimitName,
  MAX_LIMIT,
} from '../../../config/settings/key-limits';
import { MergePatch } from '../../../platform/http/validation/validation-rules';
import { Nested } from '../../../platform/http/validation/nested-dto';
import type { SettingsChange } from '../settings-change';

const MAX_USD = 1_000_000_000;
const MAX_WEIGHT = 100;
const MAX_RETENTION_SECONDS = 365 * 86_400;

const Limit = (): PropertyDecorator =>
  applyDecorators(
    IsOptional(),
    IsInt(),
    Min(1),
    Max(MAX_LIMIT),
    ApiProperty({ type: 'integer', nullable: true, required: false }),
  );

const Dollars = (): PropertyDecorator =>
  applyDecorators(IsOptional(), IsNumber(), Min(0), Max(MAX_USD));

/** Of one key. null or absent: the limit of the service. */
@MergePatch()
export class KeyLimitsDto implements Partial<Record<LimitName, unknown>> {
  @Limit()
  requests_per_minute?: number | null;

  @Limit()
  body_bytes_per_minute?: number | null;

  /** Submissions of research. */
  @Limit()
  research_per_minute?: number | null;

  /** Without alarms. */
  @Limit()
  unfinished_runs?: number | null;

  /** Alarms that have not ended. */
  @Limit()
  parked_alarms?: number | null;

  /** Of what its runs hold, within the time that records are kept. */
  @Limit()
  stored_bytes?: number | null;

  /** Open event streams. */
  @Limit()
  followers?: number | null;

  /** Runs of research that have begun; others wait. */
  @Limit()
  concurrent_research?: number | null;

  /** Ended runs that are kept beyond their retention. */
  @Limit()
  kept_records?: number | null;

  /** Of memory that they take in all. */
  @Limit()
  kept_bytes?: number | null;
}

/** In US dollars, by UTC. null or absent: none. */
@MergePatch()
export class KeyBudgetDto {
  @Dollars()
  day_usd?: number | null;

  @Dollars()
  month_usd?: number | null;
}

/** What an administrator may set of a key besides its scopes. null removes a setting. */
export class KeySettingsDto implements SettingsChange {
  @IsOptional()
  @IsObject()
  @Nested(() => KeyLimitsDto)
  limits?: KeyLimitsDto | null;

  @IsOptional()
  @IsObject()
  @Nested(() => KeyBudgetDto)
  budget?: KeyBudgetDto | null;

  /** Of its turns at a model beside those of other keys. */
  @ApiProperty({ type: 'integer', nullable: true, required: false })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_WEIGHT)
  weight?: number | null;

  /** For how long its records are kept after their end. null or absent: as long as the service keeps them. */
  @ApiProperty({ type: 'integer', nullable: true, required: false })
  @IsOptional()
  @IsInt()
  @Min(LEAST_RETENTION_SECONDS)
  @Max(MAX_RETENTION_SECONDS)
  retention_seconds?: number | null;

  /** Whether its runs of high priority come before those of other keys. */
  @IsOptional()
  @IsBoolean()
  precedence?: boolean | null;
}
