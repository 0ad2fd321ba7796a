import {
  Body,
  Controller,
  Get,
  Logger,
  Param,
  Post,
  Query,
  Res,
} from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Caller, type CallerIdentity } from '../../../platform/auth/caller';
import { RequiresScope } from '../../../platform/auth/requires-scope';
import { AppConfig } from '../../../config/config';
import { RunDeletion } from '../../../runs/ending/run-deletion';
import { isRunId } from '../../../runs/http/owned-runs';
import { pageEnd } from '../../../runs/http/run-list.dto';
import { isFinal } from '../../../runs/record/run';
import { notFound } from '../../../runs/record/run-id';
import type { RunRecord } from '../../../runs/record/run-record';
import { RunKinds } from '../../../runs/queue/run-kinds';
import { RunReader } from '../../../runs/store/run-reader';
import { KeyAdmin } from '../key-admin';
import {
  AdminRunDetailDto,
  OPERATED_FIELDS,
  toAdminRunDetail,
} from './admin-run.dto';
import {
  AdminRunListDto,
  AdminRunsQueryDto,
  CancelRunDto,
  type KeyRunsDto,
  KeyRunsListDto,
  toAdminRun,
} from './admin-runs.dto';
import { CancelReasonStore } from './cancel-reason.store';
import { AllRunsListing } from './all-runs-listing';

/** Indexes that one listing merges. */
const MAX_NAMES = 200;

/** The runs of all keys, with a key that has the scope `admin`: what they are, never what is in them. */
@ApiTags('operation')
@Controller('admin/api/runs')
export class AdminRunsController {
  private readonly log = new Logger('Runs');

  constructor(
    private readonly listing: AllRunsListing,
    private readonly reader: RunReader,
    private readonly deletion: RunDeletion,
    private readonly admin: KeyAdmin,
    private readonly config: AppConfig,
    private readonly reasons: CancelReasonStore,
    private readonly kinds: RunKinds,
  ) {}

  @Get()
  @RequiresScope('admin')
  @ApiOperation({
    summary: 'Runs and chats of all keys, without their contents',
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

  @Get(':run_id')
  @RequiresScope('admin')
  @ApiParam({ name: 'run_id', schema: { type: 'string' } })
  @ApiOperation({
    summary:
      'Where one run or chat is, and which worker has it, without its contents',
  })
  @ApiOkResponse({ type: AdminRunDetailDto })
  async get(@Param('run_id') id: string): Promise<AdminRunDetailDto> {
    return this.detail(await this.read(id));
  }

  @Post(':run_id/cancel')
  @RequiresScope('admin')
  @ApiParam({ name: 'run_id', schema: { type: 'string' } })
  @ApiOperation({
    summary: 'Stop a run or chat of any key, the upstream work included',
  })
  @ApiBody({
    type: CancelRunDto,
    required: false,
    examples: {
      reason: {
        summary: 'With a reason, which the record shows to its caller',
        value: { reason: 'The endpoint is being replaced.' },
      },
    },
  })
  @ApiAcceptedResponse({ type: AdminRunDetailDto })
  @ApiOkResponse({
    type: AdminRunDetailDto,
    description: 'It had ended already.',
  })
  async cancel(
    @Param('run_id') id: string,
    @Body() { reason }: CancelRunDto,
    @Caller() { name: by, account: by_account }: CallerIdentity,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AdminRunDetailDto> {
    const record = await this.read(id);
    const hadEnded = isFinal(record.status);
    reply.code(hadEnded ? 200 : 202);
    if (hadEnded) return this.detail(record);
    const { caller: key } = record;
    const msg = 'Run cancelled by an administrator';
    this.log.log({ msg, id, key, by, by_account });
    if (reason) await this.reasons.note(id, reason);
    await this.deletion.cancel(record);
    return this.detail(await this.read(id));
  }

  /** @throws AppError `invocation_not_found` or `chat_not_found`. */
  private async read(id: string): Promise<RunRecord> {
    const record = isRunId(id) ? await this.reader.read(id) : undefined;
    if (!record) throw notFound(id);
    return record;
  }

  private async detail(record: RunRecord): Promise<AdminRunDetailDto> {
    const { id, tool } = record;
    const [fields, last, log] = await Promise.all([
      this.reader.readSome(id, ...OPERATED_FIELDS),
      this.reader.readLast(id),
      this.kinds.dispatcherOf(tool).readLog(id),
    ]);
    return toAdminRunDetail(record, fields, last, log, this.admin.now());
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
