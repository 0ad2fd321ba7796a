import { IsIn, IsOptional, Matches } from 'class-validator';
import { STATUSES, type Status } from '../../runs/record/run';
import { InvocationDto } from '../../runs/http/run.dto';
import { ReadsOtherForms } from '../../platform/http/validation/own-form';
import { withMetadata } from '../../runs/http/metadata';
import { RunListDto, RunListQueryDto } from '../../runs/http/run-list.dto';

@ReadsOtherForms(withMetadata)
export class ListInvocationsQueryDto extends RunListQueryDto {
  /** Only invocations of this status. */
  @IsOptional()
  @IsIn(STATUSES)
  status?: Status;

  /** Only invocations of this tool. */
  @IsOptional()
  @Matches(/^[a-zA-Z0-9_-]{1,64}$/, { message: 'must be the name of a tool' })
  tool_name?: string;

  /** `next_cursor` of the page before. */
  @IsOptional()
  @Matches(/^inv_[0-9a-f]{32}$/, { message: 'must be a next_cursor' })
  cursor?: string;
}

export class InvocationListDto extends RunListDto {
  data: InvocationDto[];
}
