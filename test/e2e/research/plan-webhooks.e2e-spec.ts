import { Webhook } from 'standardwebhooks';
import type { Client } from '../../support/client';
import { Stand } from '../../support/processes/stand';
import { Receiver } from '../../support/receiver';
import { until } from '../../support/until';

const SECRET = `whsec_${'o'.repeat(32)}`;

describe('the webhook of research whose plan is reviewed', () => {
  let receiver: Receiver;
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    receiver = await Receiver.start();
    stand = await Stand.start({
      searchesSandbox: true,
      env: {
        LITELLM_MODEL: 'sandbox-plain',
        RELAY_WEBHOOK_SECRETS: `*:${SECRET}`,
        RELAY_WEBHOOK_ALLOW_PRIVATE: 'true',
      },
    });
    client = stand.client();
  });
  afterAll(async () => {
    await stand.stop();
    await receiver.stop();
  });

  const submit = () =>
    client.submit(
      { plan: 'review', depth: 'quick' },
      { webhook: { url: receiver.url }, metadata: { customer: '42' } },
    );
  const announced = (id: string) =>
    receiver.received.filter(({ body }) => body.includes(id));

  it('announces that a decision is awaited, signed and once, and then the end', async () => {
    const run = await submit();
    const { status } = await run.wait();
    expect(status).toBe('requires_action');
    await until('the announcement', async () => announced(run.id)[0]);
    const [{ headers, body }] = announced(run.id);
    expect(headers['webhook-id']).toMatch(`msg_${run.id}_`);
    const signed = headers as Record<string, string>;
    expect(new Webhook(SECRET).verify(body, signed)).toEqual({
      type: 'invocation.requires_action',
      timestamp: expect.any(String),
      data: {
        invocation_id: run.id,
        tool_name: 'deep_research',
        status: 'requires_action',
        metadata: { customer: '42' },
        error: null,
      },
    });
    expect((await run.read()).webhook).toMatchObject({
      status: 'pending',
      attempts: 0,
    });
    await client.post(`${run.path}/plan`, { approve: true }, run.headers);
    await until('the end to be announced', async () => receiver.of(run.id)[0]);
    expect(JSON.parse(receiver.of(run.id)[0].body)).toMatchObject({
      type: 'invocation.completed',
    });
    expect(announced(run.id)).toHaveLength(2);
  });

  it('announces no decision that has been made meanwhile', async () => {
    receiver.answer({ status: 503, headers: { 'retry-after': '3600' } });
    const run = await submit();
    await run.wait();
    await until('the first attempt', async () => announced(run.id)[0]);
    await client.post(`${run.path}/plan`, { approve: false }, run.headers);
    await until('the end to be announced', async () => receiver.of(run.id)[0]);
    expect(JSON.parse(receiver.of(run.id)[0].body)).toMatchObject({
      type: 'invocation.cancelled',
    });
  });
});
