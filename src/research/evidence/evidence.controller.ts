import { Get, Param } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOperation, ApiParam } from '@nestjs/swagger';
import { RequiresScope } from '../../platform/auth/requires-scope';
import { AppError } from '../../platform/errors';
import { Run } from '../../runs/http/run.guard';
import { InvocationController } from '../../runs/http/run-routes';
import type { RunRecord } from '../../runs/record/run-record';
import { EvidenceDto, ReadSourceDto, ReadSourceListDto } from './evidence.dto';
import { EvidenceStore } from './evidence.store';

/** What research has read, below the path of its record. */
@InvocationController()
export class EvidenceController {
  constructor(private readonly store: EvidenceStore) {}

  @Get('sources')
  @RequiresScope('read')
  @ApiOperation({
    operationId: 'Invocation_sources',
    summary: 'What research has read, with its quotes',
  })
  async sources(@Run() record: RunRecord): Promise<ReadSourceListDto> {
    return { data: await this.store.sources(record) };
  }

  @Get('sources/:number')
  @RequiresScope('read')
  @ApiParam({ name: 'number', schema: { type: 'integer', minimum: 1 } })
  @ApiOperation({
    operationId: 'Invocation_source',
    summary: 'One source, by its number',
  })
  @ApiNotFoundResponse({ description: 'There is no source of this number.' })
  async source(
    @Run() record: RunRecord,
    @Param('number') number: string,
  ): Promise<ReadSourceDto> {
    const sources = await this.store.sources(record);
    const source = sources.find((one) => String(one.number) === number);
    if (!source) throw new AppError('source_not_found');
    return source;
  }

  @Get('evidence')
  @RequiresScope('read')
  @ApiOperation({
    operationId: 'Invocation_evidence',
    summary: 'Plan, notes and verdicts of a run of the research agent',
  })
  @ApiNotFoundResponse({
    description:
      'The run was not carried out by the agent, or has not read anything yet.',
  })
  evidence(@Run() record: RunRecord): Promise<EvidenceDto> {
    return this.store.evidence(record);
  }
}
