import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import { STATUSES, type Status } from '../../runs/run';
import { InvocationDto } from '../../runs/http/run.dto';

/** Only chats wait for humans, and they are not listed here. */
const LISTED = STATUSES.filter((status) => status !== 'requires_action');

export class ListInvocationsQueryDto {
  /** Only invocations of this status. */
  @IsOptional()
  @IsIn(LISTED)
  status?: Exclude<Status, 'requires_action'>;

  /** Only invocations of this tool. */
  @IsOptional()
  @Matches(/^[a-zA-Z0-9_-]{1,64}$/, { message: 'must be the name of a tool' })
  tool_name?: string;

  /** How many at the most. */
  @ApiProperty({ type: 'integer' })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 20;

  /** `next_cursor` of the page before. */
  @IsOptional()
  @Matches(/^inv_[0-9a-f]{32}$/, { message: 'must be a next_cursor' })
  cursor?: string;
}

export class InvocationListDto {
  data: InvocationDto[];

  has_more: boolean;

  /** Pass it as `cursor` to get the next page. */
  next_cursor: string | null;
}
