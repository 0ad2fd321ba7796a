import { Controller, HttpCode, Post } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiHeader,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { RequiresScope } from '../../platform/auth/requires-scope';
import { AppError } from '../../platform/errors';
import { isFinal } from '../../runs/record/run';
import { InvocationDto, toInvocationDto } from '../../runs/http/run.dto';
import type { RunRecord } from '../../runs/record/run-record';
import { Run } from '../../runs/http/run.guard';
import { RunsService } from '../../runs/runs.service';
import { WebhookOutbox } from './webhook-outbox';

@ApiTags('tool invocations')
@ApiHeader({
  name: 'X-Invocation-Token',
  required: false,
  description: 'Or the API key that submitted it.',
})
@ApiParam({ name: 'id', schema: { type: 'string' } })
@Controller('api/v1/tool-invocations/:id/webhook')
export class WebhookController {
  constructor(
    private readonly invocations: RunsService,
    private readonly outbox: WebhookOutbox,
  ) {}

  @Post('redeliver')
  @RequiresScope('tools')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Deliver the webhook of the ended invocation again, now',
  })
  @ApiAcceptedResponse({ type: InvocationDto })
  async redeliver(@Run() record: RunRecord): Promise<InvocationDto> {
    if (record.webhook === undefined) throw new AppError('webhook_not_set');
    if (!isFinal(record.status)) throw new AppError('invocation_not_ended');
    await this.outbox.redeliver(record.id);
    return toInvocationDto(await this.invocations.read(record.id));
  }
}
