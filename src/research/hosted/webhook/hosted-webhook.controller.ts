import {
  Controller,
  HttpCode,
  Post,
  type RawBodyRequest,
  Req,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { KeepRawBody } from '../../../platform/http/body/json-body';
import { HostedWebhookService } from './hosted-webhook.service';
import { HandledEventsStore } from './handled-events.store';
import { HostedWebhookSignature } from './hosted-webhook-signature';

/** An event consists of little more than an id. */
const MAX_BYTES = 64 * 1024;

const endOfResponse = z.object({
  type: z.enum([
    'response.completed',
    'response.failed',
    'response.cancelled',
    'response.incomplete',
  ]),
  data: z.object({ id: z.string().min(1) }),
});

/**
 * Receives the events of the model endpoint; not a part of the API for clients. The sender repeats an event until it gets
 * a 2xx, so an event is marked as handled only afterwards.
 */
@ApiExcludeController()
@Controller('webhooks/openai')
export class HostedWebhookController {
  constructor(
    private readonly signature: HostedWebhookSignature,
    private readonly handledEvents: HandledEventsStore,
    private readonly webhooks: HostedWebhookService,
  ) {}

  @Post()
  @HttpCode(200)
  @KeepRawBody(MAX_BYTES)
  async receive(
    @Req() request: RawBodyRequest<FastifyRequest>,
  ): Promise<object> {
    this.signature.verify(request.headers, request.rawBody ?? Buffer.alloc(0));
    const id = String(request.headers['webhook-id']);
    if (await this.handledEvents.isHandled(id)) return {};
    const event = endOfResponse.safeParse(request.body);
    if (event.success) await this.webhooks.handle(event.data.data.id);
    await this.handledEvents.markHandled(id);
    return {};
  }
}
