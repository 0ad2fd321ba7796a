import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { z } from 'zod';
import { CHAT_EVENT_SCHEMAS } from '../chat/stream/chat-event.schema';
import { buildOpenApi } from '../platform/http/openapi/openapi';
import { researchArguments } from '../research/arguments/research-arguments';
import {
  WEBHOOK_EVENT_SCHEMA,
  WEBHOOKS,
} from '../integrations/webhooks/webhook-event.schema';
import {
  INVOCATION_EVENT_SCHEMAS,
  ref,
  type Schema,
} from '../runs/http/events/run-event.schema';

/** The mode is set by arguments that every tool accepts. */
const modes = {
  background: z
    .boolean()
    .default(false)
    .describe('Return at once; read the record later.'),
  stream: z
    .boolean()
    .default(false)
    .describe('Return at once and stream the events.'),
};

/** Some properties of an object that has others. */
const open = (properties: Record<string, Schema>): Schema => ({
  properties,
  additionalProperties: true,
});

/**
 * The HTTP contract: the routes of the controllers, and what they leave open: arguments of tools, and events.
 * @param server its URL for callers.
 */
export function buildOpenApiDocument(
  app: INestApplication,
  server = '/',
): OpenAPIObject {
  const argumentsSchema = z.toJSONSchema(researchArguments.extend(modes), {
    io: 'input',
    target: 'draft-2020-12',
  });
  const document = buildOpenApi(app, server, {
    DeepResearchArguments: argumentsSchema,
    // Generators make nothing usable of a union with a free-form object, and pass over a condition.
    InvokeToolDto: {
      if: open({ tool_name: { const: 'deep_research' } }),
      // oxlint-disable-next-line unicorn/no-thenable -- The keyword of JSON Schema.
      then: open({ arguments: ref('DeepResearchArguments') }),
    },
    ...INVOCATION_EVENT_SCHEMAS,
    ...CHAT_EVENT_SCHEMAS,
    WebhookEvent: WEBHOOK_EVENT_SCHEMA,
  });
  return Object.assign(document, { webhooks: WEBHOOKS });
}
