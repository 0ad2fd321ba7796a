import { ApiProperty, getSchemaPath } from '@nestjs/swagger';

export class Liveness {
  status: 'ok';
}

export class CheckResult {
  status: 'ok' | 'failed';
  /** Whether its failure alone makes the process unable to serve. */
  critical: boolean;
  detail?: string;
}

export class Readiness {
  /** `degraded`: it serves requests, but a non-critical check fails. */
  @ApiProperty({ enum: ['ok', 'degraded', 'down'] })
  status: 'ok' | 'degraded' | 'down';

  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(CheckResult) },
  })
  checks: Record<string, CheckResult>;
}
