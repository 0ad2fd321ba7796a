import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Caller, type CallerIdentity } from '../../../platform/auth/caller';
import { RequiresScope } from '../../../platform/auth/requires-scope';
import { accountOf } from '../../spend/spend-keys';
import { UsageDto, UsageQueryDto } from './key-usage.dto';
import { UsageReports } from './usage';

/** What the caller's own key has used. */
@ApiTags('usage')
@Controller('api/v1/usage')
export class UsageController {
  constructor(private readonly reports: UsageReports) {}

  @Get()
  @RequiresScope('read', 'always')
  @ApiOperation({
    summary:
      'What this API key has used by day, kind and model, and its budget',
  })
  @ApiOkResponse({ type: UsageDto })
  usage(
    @Query() query: UsageQueryDto,
    @Caller() caller: CallerIdentity,
  ): Promise<UsageDto> {
    return this.reports.of(accountOf(caller), query);
  }
}
