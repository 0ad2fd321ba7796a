import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequiresScope } from '../../../platform/auth/requires-scope';
import { AppConfig } from '../../../config/config';
import { pageEnd } from '../../../runs/http/run-list.dto';
import type { RunRecord } from '../../../runs/record/run-record';
import { KeyAdmin } from '../key-admin';
import {
  AdminRunListDto,
  AdminRunsQueryDto,
  type KeyRunsDto,
  KeyRunsListDto,
  toAdminRun,
} from './admin-runs.dto';
import { AllRunsListing } from './all-runs-listing';

/** Indexes that one listing merges. */
const MAX_NAMES = 200;

/** The runs of all keys, with a key that has the scope `admin`: what they are, never what is in them. */
@ApiTags('operation')
@Controller('admin/api/runs')
export class AdminRunsController {
  constructor(
    private readonly listing: AllRunsListing,
    private readonly admin: KeyAdmin,
    private readonly config: AppConfig,
  ) {}

  @Get()
  @RequiresScope('admin')
  @ApiOperation({
    summary: 'Runs and chats of all keys, newest first, without their contents',
  })
  @ApiOkResponse({ type: AdminRunListDto })
  async list(@Query() query: AdminRunsQueryDto): Promise<AdminRunListDto> {
    const { key, limit, cursor } = query;
    const callers = key === undefined ? await this.callers() : [key];
    const page = await this.listing.page(callers, query, limit, cursor);
    return {
      data: page.records.map(toAdminRun),
      ...pageEnd(page.nextCursor),
    };
  }

  @Get('unfinished')
  @RequiresScope('admin')
  @ApiOperation({ summary: 'How many runs of each key wait or go on' })
  @ApiOkResponse({ type: KeyRunsListDto })
  async unfinished(): Promise<KeyRunsListDto> {
    const { records, omitted } = await this.listing.unfinished();
    return { data: byKey(records), omitted };
  }

  /** Also what was begun without a key, and with keys that are revoked. */
  private async callers(): Promise<(string | undefined)[]> {
    const stored = await this.admin.list();
    const names = new Set([
      ...this.config.auth.apiKeys.keys(),
      ...stored.map(({ name }) => name),
    ]);
    return [undefined, ...[...names].slice(0, MAX_NAMES)];
  }
}

function byKey(records: readonly RunRecord[]): KeyRunsDto[] {
  const counts = new Map<string | null, KeyRunsDto>();
  for (const { caller, status } of records) {
    const key = caller ?? null;
    const count = counts.get(key) ?? {
      key,
      queued: 0,
      running: 0,
      requires_action: 0,
    };
    if (status === 'queued') count.queued += 1;
    else if (status === 'running') count.running += 1;
    else count.requires_action += 1;
    counts.set(key, count);
  }
  const sum = (one: KeyRunsDto): number =>
    one.queued + one.running + one.requires_action;
  return [...counts.values()].sort((a, b) => sum(b) - sum(a));
}
