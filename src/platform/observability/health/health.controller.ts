import { Controller, Get, Res } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CheckResult, Liveness, Readiness } from './health.dto';
import { HealthRegistry } from './health-registry';

@ApiTags('health')
@ApiExtraModels(CheckResult)
@Controller('health')
export class HealthController {
  constructor(private readonly registry: HealthRegistry) {}

  /** The process runs. Checks nothing else, so that a Redis outage never restarts it. */
  @Get('live')
  live(): Liveness {
    return { status: 'ok' };
  }

  /** Whether the process can serve requests. */
  @Get('ready')
  @ApiServiceUnavailableResponse({
    type: Readiness,
    description: 'A critical check fails.',
  })
  async ready(
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readiness> {
    const readiness = await this.registry.ready();
    if (readiness.status === 'down') reply.status(503);
    return readiness;
  }
}
