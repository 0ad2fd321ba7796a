import { createHash } from 'node:crypto';
import type OpenAI from 'openai';
import type { UnwrapWebhookEvent } from 'openai/resources/webhooks/webhooks';
import { openAi } from '../../support/openai/openai-client';
import { Stand } from '../../support/processes/stand';
import { Receiver } from '../../support/receiver';
import { until } from '../../support/until';

const HOUR = 3_600_000;
const SECRET = `whsec_${'c'.repeat(32)}`;
const ASK = { model: 'o4-mini-deep-research', input: 'The history of kimchi' };
const sha256 = (text: string): string =>
  createHash('sha256').update(text).digest('hex');

describe('webhooks of responses', () => {
  let receiver: Receiver;
  let stand: Stand;
  let alice: OpenAI;

  beforeAll(async () => {
    receiver = await Receiver.start();
    stand = await Stand.start({
      researchMs: 100,
      env: {
        RELAY_API_KEYS: `alice:${sha256('the-key-of-alice')}`,
        RELAY_WEBHOOK_SECRETS: `alice:${SECRET}`,
        RELAY_WEBHOOK_URLS: `alice=${receiver.url}/alice`,
        RELAY_WEBHOOK_ALLOW_PRIVATE: 'true',
      },
    });
    alice = openAi(stand.apis[0].url, 'the-key-of-alice');
  });
  afterEach(() => stand.configure({ research_ms: 100 }));
  afterAll(async () => {
    await stand.stop();
    await receiver.stop();
  });

  const received = (invocationId: string) =>
    until(
      `a webhook of ${invocationId} to arrive`,
      () => receiver.of(invocationId)[0],
    );
  /** As a receiver reads it that was written for OpenAI. */
  const eventOf = async (id: string): Promise<UnwrapWebhookEvent> => {
    const { body, headers } = await received(id.replace('resp_', 'inv_'));
    const sent = headers as Record<string, string>;
    return alice.webhooks.unwrap(body, sent, SECRET);
  };

  it('are read by the SDK, which finds the response that they name', async () => {
    const { id } = await alice.responses.create({ ...ASK, background: true });
    const event = await eventOf(id);
    expect(event).toEqual({
      object: 'event',
      id: id.replace('resp_', 'evt_'),
      type: 'response.completed',
      created_at: expect.any(Number),
      data: { id },
    });
    const response = await alice.responses.retrieve(id);
    expect(response.status).toBe('completed');
    expect(response.completed_at).toBe(event.created_at);
  });

  it('announce a cancellation', async () => {
    await stand.configure({ research_ms: HOUR });
    const { id } = await alice.responses.create({ ...ASK, background: true });
    await alice.responses.cancel(id);
    expect((await eventOf(id)).type).toBe('response.cancelled');
  });

  it('announce a failure', async () => {
    await stand.fault({ kind: 'failed' });
    const { id } = await alice.responses.create({ ...ASK, background: true });
    expect((await eventOf(id)).type).toBe('response.failed');
  });

  it('have the form of Sonde for runs of the REST API', async () => {
    const client = stand.client().as('the-key-of-alice');
    const { invocation_id: id } = (await client.research({ background: true }))
      .body;
    const { body } = await received(id);
    expect(JSON.parse(body)).toMatchObject({
      type: 'invocation.completed',
      data: { invocation_id: id },
    });
  });
});
