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
import { KeepRawBody } from '../../../http/body/json-body';
import { HostedWebhookService } from './hosted-webhook.service';
import { HandledEventsStore } from './handled-events.store';
import { HostedWebhookSignature } from './hosted-webhook.signature';

/** An event carries an id and nothing else. */
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
 * Takes the events of the model endpoint; no part of what clients can count on. Whatever is not answered with 2xx is
 * sent again, so an event is marked as handled only after it was.
 */
@ApiExcludeController()
@Controller('webhooks/openai')
export class HostedWebhookController {
  constructor(
    private readonly signature: HostedWebhookSignature,
    private readonly deliveries: HandledEventsStore,
    private readonly news: HostedWebhookService,
  ) {}

  @Post()
  @HttpCode(200)
  @KeepRawBody(MAX_BYTES)
  async receive(
    @Req() request: RawBodyRequest<FastifyRequest>,
  ): Promise<object> {
    this.signature.verify(request.headers, request.rawBody ?? Buffer.alloc(0));
    const id = String(request.headers['webhook-id']);
    if (await this.deliveries.isHandled(id)) return {};
    const event = endOfResponse.safeParse(request.body);
    if (event.success) await this.news.handle(event.data.data.id);
    await this.deliveries.markHandled(id);
    return {};
  }
}
