import { Controller, Get, Header, Headers, Req } from '@nestjs/common';
import {
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { RequiresScope } from '../../platform/auth/requires-scope';
import { SharedReportDto, toSharedReport } from './share.dto';
import { SharedReports } from './shared-reports';

/** The token is in a header, so that no log, cache or referrer has it. */
@ApiTags('tool invocations')
@Controller('api/v1/shared')
export class SharedController {
  constructor(private readonly shared: SharedReports) {}

  @Get()
  @RequiresScope('read')
  @Header('Cache-Control', 'no-store')
  @Header('X-Robots-Tag', 'noindex, nofollow, noarchive')
  @Header('Referrer-Policy', 'no-referrer')
  @ApiHeader({ name: 'X-Share-Token', required: true })
  @ApiOperation({
    operationId: 'Shared_get',
    summary: 'Read a report that is shared by a link, without a key',
  })
  @ApiOkResponse({ type: SharedReportDto })
  async get(
    @Headers('x-share-token') token: string | undefined,
    @Req() { ip }: FastifyRequest,
  ): Promise<SharedReportDto> {
    const { record, share } = await this.shared.open(token, ip);
    return toSharedReport(record, share);
  }
}
