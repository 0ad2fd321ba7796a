import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

/** What the listings of a caller have in common. */
export class RunListQueryDto {
  /** How many at the most. */
  @ApiProperty({ type: 'integer' })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 20;
}

export class RunListDto {
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
