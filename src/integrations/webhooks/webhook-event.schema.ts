import { STATUSES } from '../../runs/record/run';

const ANNOUNCED = STATUSES.filter(
  (status) => status !== 'queued' && status !== 'running',
);

/** What receivers get, for the API document. */
export const WEBHOOK_EVENT_SCHEMA = {
  type: 'object',
  required: ['type', 'timestamp', 'data'],
  properties: {
    type: {
      type: 'string',
      enum: ANNOUNCED.map((status) => `invocation.${status}`),
    },
    timestamp: { type: 'string', format: 'date-time' },
    data: {
      type: 'object',
      required: ['invocation_id', 'tool_name', 'status', 'metadata', 'error'],
      properties: {
        invocation_id: { type: 'string' },
        tool_name: { type: 'string' },
        status: { type: 'string', enum: ANNOUNCED },
        metadata: {
          type: ['object', 'null'],
          additionalProperties: { type: 'string' },
        },
        error: {
          type: ['object', 'null'],
          required: ['code', 'retryable'],
          properties: {
            code: { type: 'string' },
            retryable: { type: 'boolean' },
          },
        },
      },
    },
  },
};

const SIGNED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

/** The member `webhooks` of the API document. */
export const WEBHOOKS = Object.fromEntries(
  ANNOUNCED.map((status) => [
    `invocation.${status}`,
    {
      post: {
        operationId: `Webhook_${status}`,
        summary:
          status === 'requires_action'
            ? 'A run waits for a decision'
            : `A run has ended: ${status}`,
        description:
          'At least once, signed as https://www.standardwebhooks.com has it, to the `webhook` of a submission or of its key.',
        // It is the receiver that checks the signature.
        security: [],
        parameters: SIGNED.map((name) => ({
          name,
          in: 'header',
          required: true,
          schema: { type: 'string' },
        })),
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/WebhookEvent' },
            },
          },
        },
        responses: {
          '2XX': { description: 'It is delivered.' },
          410: { description: 'It is to be delivered no more.' },
          default: { description: 'It is delivered again later.' },
        },
      },
    },
  ]),
);
