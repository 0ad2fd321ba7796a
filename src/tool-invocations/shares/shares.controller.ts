import { Body, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
} from '@nestjs/swagger';
import { RequiresScope } from '../../platform/auth/requires-scope';
import { Run } from '../../runs/http/run.guard';
import { InvocationController } from '../../runs/http/run-routes';
import type { RunRecord } from '../../runs/record/run-record';
import {
  CreatedShareDto,
  CreateShareDto,
  ShareListDto,
  toShareDto,
} from './share.dto';
import { SharedReports } from './shared-reports';

@InvocationController()
export class SharesController {
  constructor(private readonly shared: SharedReports) {}

  @Post('share')
  @RequiresScope('tools')
  @ApiOperation({
    operationId: 'Invocation_share',
    summary: 'Make a link that opens the report, for anyone who has it',
    description:
      'At most ten at a time (409 `share_limit_reached`). The console opens it at `#/shared/<share_token>`.',
  })
  @ApiBody({
    type: CreateShareDto,
    required: false,
    examples: { 'for a week': { value: { expires_in_seconds: 604_800 } } },
  })
  @ApiCreatedResponse({ type: CreatedShareDto })
  async share(
    @Run() record: RunRecord,
    @Body() { expires_in_seconds }: CreateShareDto,
  ): Promise<CreatedShareDto> {
    const { share, token } = await this.shared.create(
      record,
      expires_in_seconds * 1_000,
    );
    return Object.assign(toShareDto(share), { share_token: token });
  }

  @Get('share')
  @RequiresScope('read')
  @ApiOperation({
    operationId: 'Invocation_shares',
    summary: 'The links that open the report',
  })
  @ApiOkResponse({ type: ShareListDto })
  async shares(@Run() record: RunRecord): Promise<ShareListDto> {
    return { data: (await this.shared.of(record)).map(toShareDto) };
  }

  @Delete('share')
  @RequiresScope('tools')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'Invocation_unshareAll',
    summary: 'Revoke all links that open the report',
  })
  async revokeAll(@Run() record: RunRecord): Promise<void> {
    await this.shared.revokeAll(record);
  }

  @Delete('share/:share_id')
  @RequiresScope('tools')
  @HttpCode(204)
  @ApiParam({ name: 'share_id', schema: { type: 'string' } })
  @ApiOperation({
    operationId: 'Invocation_unshare',
    summary: 'Revoke a link that opens the report',
  })
  async revoke(
    @Run() record: RunRecord,
    @Param('share_id') share: string,
  ): Promise<void> {
    await this.shared.revoke(record, share);
  }
}
