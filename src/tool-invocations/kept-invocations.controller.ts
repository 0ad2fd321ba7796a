import { Delete, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { RequiresScope } from '../platform/auth/requires-scope';
import { KeptRuns } from '../runs/submit/kept-runs';
import { InvocationDto, toInvocationDto } from '../runs/http/run.dto';
import { Run } from '../runs/http/run.guard';
import { InvocationController } from '../runs/http/run-routes';
import type { RunRecord } from '../runs/record/run-record';

@InvocationController()
export class KeptInvocationsController {
  constructor(private readonly kept: KeptRuns) {}

  @Post('keep')
  @HttpCode(200)
  @RequiresScope('tools')
  @ApiOperation({
    operationId: 'Invocation_keep',
    summary: 'Keep the record of an ended invocation until it is let go',
    description:
      '409 `kept_limit_reached` once the key keeps as much as its limits `kept_records` and `kept_bytes` allow, 409 `invocation_not_ended` before the end.',
  })
  @ApiOkResponse({ type: InvocationDto })
  async keep(@Run() record: RunRecord): Promise<InvocationDto> {
    return toInvocationDto(await this.kept.keep(record));
  }

  @Delete('keep')
  @RequiresScope('tools')
  @ApiOperation({
    operationId: 'Invocation_letGo',
    summary: 'Let a kept record go: it expires after the retention from now on',
  })
  @ApiOkResponse({ type: InvocationDto })
  async letGo(@Run() record: RunRecord): Promise<InvocationDto> {
    return toInvocationDto(await this.kept.letGo(record));
  }
}
