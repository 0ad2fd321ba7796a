import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';

export class PurgePageQueryDto {
  /** The address of the page, http or https. Fragments and tracking parameters are ignored in runs. */
  @ApiProperty({ format: 'uri' })
  @IsString()
  @MaxLength(4_096)
  url: string;

  /** `next_cursor` of the reply before. */
  @IsOptional()
  @Matches(/^inv_[0-9a-f]{32}$/, { message: 'must be a next_cursor' })
  cursor?: string;
}

/** What a request to purge a page has removed. */
export class PurgedPageDto {
  url: string;

  /** Whether the cache of public pages had it. */
  cached: boolean;

  /** Runs that had something of it; 0 when it is repeated. */
  @ApiProperty({ type: 'integer' })
  runs_purged: number;

  /** Runs that have not ended. What they keep of the page is removed at their end. */
  @ApiProperty({ type: 'integer' })
  runs_pending: number;

  /** There are older runs: repeat the request with `next_cursor` as its `cursor`. */
  has_more: boolean;

  next_cursor: string | null;
}
