import { Webhook } from 'standardwebhooks';
import { messageOf, signedHeaders } from './webhook-message';
import type { EndedInvocation } from './webhook.store';

const SECRET = `whsec_${'c'.repeat(32)}`;
const NEXT = `whsec_${'d'.repeat(32)}`;

const ended: EndedInvocation = {
  id: 'inv_1',
  tool: 'deep_research',
  status: 'failed',
  metadata: { customer: '42' },
  error: { code: 'upstream_failed', message: 'Some text.', retryable: true },
  completedMs: 0,
  waitingSinceMs: null,
  webhook: 'https://hooks.example.com/?token=x',
  webhookDelivery: { status: 'pending', attempts: 0 },
  isResponse: false,
  expiresInMs: 1_000,
};

describe('the message of a webhook', () => {
  it('contains which invocation ended and how, but no question or result', () => {
    const { id, body } = messageOf(ended);
    expect(id).toBe('msg_inv_1');
    expect(JSON.parse(body)).toEqual({
      type: 'invocation.failed',
      timestamp: '1970-01-01T00:00:00.000Z',
      data: {
        invocation_id: 'inv_1',
        tool_name: 'deep_research',
        status: 'failed',
        metadata: { customer: '42' },
        error: { code: 'upstream_failed', retryable: true },
      },
    });
  });

  it.each(['completed', 'incomplete', 'failed', 'cancelled'] as const)(
    'has the form of OpenAI for a response that is %s',
    (status) => {
      const { id, body } = messageOf({
        ...ended,
        status,
        isResponse: true,
        completedMs: 1_999,
      });
      expect(id).toBe('msg_inv_1');
      expect(JSON.parse(body)).toEqual({
        object: 'event',
        id: 'evt_1',
        type: `response.${status}`,
        created_at: 1,
        data: { id: 'resp_1' },
      });
    },
  );

  it('says that a run waits for a decision, and has an id of its own', () => {
    const { id, body } = messageOf({
      ...ended,
      status: 'requires_action',
      error: null,
      completedMs: null,
      waitingSinceMs: 1_000,
    });
    expect(id).toBe('msg_inv_1_1000');
    expect(JSON.parse(body)).toMatchObject({
      type: 'invocation.requires_action',
      timestamp: '1970-01-01T00:00:01.000Z',
      data: { invocation_id: 'inv_1', status: 'requires_action' },
    });
  });

  it('contains no error where none occurred', () => {
    const { body } = messageOf({ ...ended, status: 'completed', error: null });
    expect(JSON.parse(body)).toMatchObject({
      type: 'invocation.completed',
      data: { error: null },
    });
  });

  it('is verified by every secret that signs it, and by no other', () => {
    const message = messageOf(ended);
    const headers = signedHeaders(message, [SECRET, NEXT]);
    for (const secret of [SECRET, NEXT])
      expect(new Webhook(secret).verify(message.body, headers)).toEqual(
        JSON.parse(message.body),
      );
    const other = new Webhook(`whsec_${'e'.repeat(32)}`);
    expect(() => other.verify(message.body, headers)).toThrow();
    expect(() => new Webhook(SECRET).verify('{}', headers)).toThrow();
  });

  it('keeps its id over all attempts, but not its signature', () => {
    const message = messageOf(ended);
    const first = signedHeaders(message, [SECRET], new Date(1_000));
    const second = signedHeaders(messageOf(ended), [SECRET], new Date(2_000));
    expect(second['webhook-id']).toBe(first['webhook-id']);
    expect(second['webhook-timestamp']).toBe('2');
    expect(second['webhook-signature']).not.toBe(first['webhook-signature']);
  });
});
