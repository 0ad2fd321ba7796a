import { Controller, Get, Param, Query } from '@nestjs/common';
import {
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { RequiresScope } from '../../../platform/auth/requires-scope';
import { AppConfig } from '../../../config/config';
import { KeyAdmin } from '../key-admin';
import { KeyUsageListDto, UsageDto, UsageQueryDto } from './key-usage.dto';
import { UsageReports } from './usage';

/** What any key has used, with a key that has the scope `admin`. */
@ApiTags('keys')
@Controller('admin/api')
export class AdminUsageController {
  constructor(
    private readonly admin: KeyAdmin,
    private readonly reports: UsageReports,
    private readonly config: AppConfig,
  ) {}

  @Get('usage')
  @RequiresScope('admin')
  @ApiOperation({ summary: 'What every key has spent today and this month' })
  @ApiOkResponse({ type: KeyUsageListDto })
  async list(): Promise<KeyUsageListDto> {
    const stored = await this.admin.list();
    const keys = [
      ...stored.map(({ id, name }) => ({ key_id: id, name })),
      ...this.configured.map((name) => ({ key_id: `@${name}`, name })),
    ];
    const budgets = keys.map(({ key_id }) => this.reports.budgetOf(key_id));
    const all = await Promise.all(budgets);
    return { data: keys.map((key, at) => ({ ...key, budget: all[at] })) };
  }

  @Get('keys/:key_id/usage')
  @RequiresScope('admin')
  @ApiParam({ name: 'key_id', schema: { type: 'string' } })
  @ApiOperation({
    summary:
      'What a key has used by day, kind and model; `@name` is a configured key',
  })
  @ApiOkResponse({ type: UsageDto })
  async usage(
    @Param('key_id') id: string,
    @Query() query: UsageQueryDto,
  ): Promise<UsageDto> {
    const isConfigured = this.configured.some((name) => id === `@${name}`);
    if (!isConfigured) await this.admin.get(id);
    return this.reports.of(id, query);
  }

  private get configured(): string[] {
    return [...this.config.auth.apiKeys.keys()];
  }
}
