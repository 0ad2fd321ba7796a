import { ApiProperty } from '@nestjs/swagger';
import {
  IsInt,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateBy,
} from 'class-validator';
import {
  MaxLength,
  MinLength,
} from '../../platform/http/validation/text-length';
import type { RunMetadata } from '../record/run';
import { Metadata } from './metadata';

const TIME =
  /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

/** A time of RFC 3339, or the date of a day in UTC. */
const Time = (): PropertyDecorator =>
  ValidateBy({
    name: 'isTime',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' &&
        TIME.test(value) &&
        !Number.isNaN(Date.parse(value)),
      defaultMessage: () =>
        'must be a time, such as 2027-01-31T09:00:00Z or 2027-01-31',
    },
  });

/** What all listings have in common. */
export class PageQueryDto {
  /** How many at the most. */
  @ApiProperty({ type: 'integer' })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 20;
}

/** What the listings of a caller have in common. */
export class RunListQueryDto extends PageQueryDto {
  /** Only those that were created at this time or later. */
  @ApiProperty({ format: 'date-time' })
  @IsOptional()
  @Time()
  from?: string;

  /** Only those that were created before this time. */
  @ApiProperty({ format: 'date-time' })
  @IsOptional()
  @Time()
  to?: string;

  /** Only those with all of these pairs: `metadata[key]=value`. */
  @Metadata()
  metadata?: RunMetadata;

  /**
   * Only those whose question or report has this text, in upper or lower case: in the first 1,000 characters of the question,
   * and the first 100,000 bytes of the report.
   */
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(200)
  search?: string;
}

export class RunListDto {
  /** One request looks through 1,000 runs, and through 10 MB of reports: a page may have fewer than `limit`, even none, and be followed by another. */
  has_more: boolean;

  /** Pass it as `cursor` to get the next page. */
  next_cursor: string | null;
}

/** The members of a page besides its data. */
export function pageEnd(
  nextCursor: string | null,
): Pick<RunListDto, keyof RunListDto> {
  return { has_more: nextCursor !== null, next_cursor: nextCursor };
}
