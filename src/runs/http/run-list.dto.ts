import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import {
  MaxLength,
  MinLength,
} from '../../platform/http/validation/text-length';

/** What the listings of a caller have in common. */
export class RunListQueryDto {
  /** How many at the most. */
  @ApiProperty({ type: 'integer' })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 20;

  /** Only those whose question, of which the first 1,000 characters are kept, has this text, in upper or lower case. */
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(200)
  search?: string;
}

export class RunListDto {
  /** One request looks through 1,000 runs: a page may have fewer than `limit`, even none, and be followed by another. */
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
