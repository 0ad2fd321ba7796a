import { Controller, Headers, HttpCode, Param, Post } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiHeader,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Caller, type CallerIdentity } from '../auth/caller';
import { AppError } from '../errors';
import { isFinal } from '../tool-invocations/invocation';
import {
  InvocationDto,
  toInvocationDto,
} from '../tool-invocations/invocation.dto';
import { ToolInvocationsService } from '../tool-invocations/tool-invocations.service';
import { WebhookOutbox } from './webhook.outbox';

@ApiTags('tool invocations')
@ApiHeader({
  name: 'X-Invocation-Token',
  required: false,
  description: 'Or the API key that submitted it.',
})
@Controller('api/v1/tool-invocations/:id/webhook')
export class WebhookController {
  constructor(
    private readonly invocations: ToolInvocationsService,
    private readonly outbox: WebhookOutbox,
  ) {}

  @Post('redeliver')
  @HttpCode(202)
  @ApiOperation({ summary: 'Announce the end to the webhook again, now' })
  @ApiAcceptedResponse({ type: InvocationDto })
  async redeliver(
    @Param('id') id: string,
    @Headers('x-invocation-token') token: string | undefined,
    @Caller() caller: CallerIdentity,
  ): Promise<InvocationDto> {
    const record = await this.invocations.open(id, caller, token);
    if (record.webhook === undefined) throw new AppError('webhook_not_set');
    if (!isFinal(record.status)) throw new AppError('invocation_not_ended');
    await this.outbox.redeliver(id);
    return toInvocationDto(await this.invocations.read(id));
  }
}
