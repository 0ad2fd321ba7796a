import { createHash } from 'node:crypto';
import { type Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { Webhook } from 'standardwebhooks';
import { Invocation, Client, type Reply } from '../../support/client';
import { expectProblem } from '../../support/problem';
import { type Received, Receiver } from '../../support/receiver';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const RESEARCH = '/api/v1/tool-invocations';
const PASSWORD = 'a password of the operators';
const BOARD = '/admin/queues/api/queues';
const ALICE = 'the-key-of-alice';
const BOB = 'the-key-of-bob';
const OLD = `whsec_${'o'.repeat(32)}`;
const NEW = `whsec_${'n'.repeat(32)}`;
const OTHERS = `whsec_${'b'.repeat(32)}`;
const TOKEN = 'MARKER-TOKEN';
const UNREACHED = ['delayed', 'failed'];
/** Asks for the next attempt later than any test lasts. */
const DOWN = { status: 503, headers: { 'retry-after': '3600' } };

const sha256 = (text: string): string =>
  createHash('sha256').update(text).digest('hex');

/** As a genuine receiver verifies it. */
const verified = (secret: string, { body, headers }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

describe('webhooks of a service', () => {
  let receiver: Receiver;
  let stand: Stand;
  let operator: Client;
  let alice: Client;
  let bob: Client;
  let redis: Redis;
  let queue: Queue;
  let research: Queue;

  beforeAll(async () => {
    receiver = await Receiver.start();
    stand = await Stand.start({
      researchMs: 100,
      env: {
        RELAY_API_KEYS: `alice:${sha256(ALICE)},bob:${sha256(BOB)}`,
        RELAY_WEBHOOK_SECRETS: `alice:${OLD},alice:${NEW},*:${OTHERS}`,
        RELAY_WEBHOOK_URLS: `alice=${receiver.url}/alice?token=${TOKEN}`,
        RELAY_WEBHOOK_ALLOW_PRIVATE: 'true',
        // An attempt that a shutdown shall interrupt is still in progress then.
        RELAY_WEBHOOK_TIMEOUT_SECONDS: '60',
        RELAY_ADMIN_USER: 'ops',
        RELAY_ADMIN_PASSWORD: PASSWORD,
      },
    });
    operator = new Client(stand.client().url, {
      authorization: `Basic ${Buffer.from(`ops:${PASSWORD}`).toString('base64')}`,
    });
    alice = stand.client().as(ALICE);
    bob = stand.client().as(BOB);
    redis = stand.redis.connect();
    const options = { connection: redis, prefix: '{sonde}' };
    queue = new Queue('webhooks', options);
    research = new Queue('research', options);
  });
  afterEach(() => {
    receiver.answer();
    return stand.reset();
  });
  afterAll(async () => {
    await Promise.all([queue.close(), research.close()]);
    redis.disconnect();
    await stand.stop();
    await receiver.stop();
  });

  const ask = (
    client: Client,
    webhook: unknown,
    args: object = {},
  ): Promise<Reply> =>
    client.post(RESEARCH, {
      tool_name: 'deep_research',
      arguments: {
        research_question: 'the history of kimchi MARKER-QUESTION',
        background: true,
        ...args,
      },
      webhook,
    });
  const submit = async (client = bob, path = '/hook'): Promise<Invocation> => {
    const { status, body } = await ask(client, { url: receiver.url + path });
    expect(status).toBe(202);
    return new Invocation(client, body.invocation_id, body.invocation_token);
  };
  const hookOf = async (invocation: Invocation) =>
    (await invocation.read()).webhook;
  /** Waits until the record reports it. */
  const reaches = (invocation: Invocation, status: string) =>
    until(`the webhook to be ${status}`, async (saw) => {
      const hook = saw(await hookOf(invocation));
      return hook.status === status && hook;
    });
  /** Waits until an attempt has failed and was rescheduled, or was the last. */
  const unreached = ({ id }: Invocation): Promise<Job> =>
    until('an attempt at the webhook to have failed', async (saw) => {
      const state = saw(await queue.getJobState(id));
      return UNREACHED.includes(state) && (await queue.getJob(id));
    });

  it('report a completed run once, signed', async () => {
    const invocation = await submit();
    const { webhook } = await invocation.wait();
    expect(webhook.url).toBe(`${receiver.url}/hook`);
    expect(await reaches(invocation, 'delivered')).toMatchObject({
      attempts: 1,
    });
    const { completed_at } = await invocation.read();
    const [received, ...more] = receiver.of(invocation.id);
    expect(more).toEqual([]);
    expect(received.path).toBe('/hook');
    expect(verified(OTHERS, received)).toEqual({
      type: 'invocation.completed',
      timestamp: completed_at,
      data: {
        invocation_id: invocation.id,
        tool_name: 'deep_research',
        status: 'completed',
        metadata: null,
        error: null,
      },
    });
    expect(received.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'sonde',
    });
  });

  it('report a failed run, by its code alone', async () => {
    await stand.fault({ kind: 'status', status: 400, message: 'MARKER-FAULT' });
    const invocation = await submit();
    await reaches(invocation, 'delivered');
    const [received] = receiver.of(invocation.id);
    expect(verified(OTHERS, received)).toMatchObject({
      type: 'invocation.failed',
      data: { error: { code: 'upstream_rejected', retryable: false } },
    });
    expect(received.body).not.toContain('MARKER');
  });

  it('report a run that was cancelled before it began', async () => {
    await research.pause();
    const invocation = await submit();
    expect((await invocation.cancel()).body.status).toBe('cancelled');
    await reaches(invocation, 'delivered');
    await research.resume();
    const [received] = receiver.of(invocation.id);
    expect(verified(OTHERS, received)).toMatchObject({
      type: 'invocation.cancelled',
      data: { status: 'cancelled', error: { code: 'cancelled' } },
    });
  });

  it('are retried after a failure, under the same id and newly signed', async () => {
    receiver.answer(DOWN);
    const invocation = await submit();
    const job = await unreached(invocation);
    expect(job.failedReason).toBe('webhook_status_503');
    expect(await hookOf(invocation)).toMatchObject({
      status: 'pending',
      attempts: 1,
    });
    await job.promote();
    expect(await reaches(invocation, 'delivered')).toMatchObject({
      attempts: 2,
    });
    const tries = receiver.of(invocation.id);
    expect(tries).toHaveLength(2);
    for (const received of tries) verified(OTHERS, received);
  });

  it('are rescheduled for as long as the receiver asks', async () => {
    receiver.answer(DOWN);
    expect((await unreached(await submit())).delay).toBe(3_600_000);
  });

  it('do not follow a redirect', async () => {
    const location = `${receiver.url}/elsewhere`;
    receiver.answer({ status: 307, headers: { location } });
    const { failedReason } = await unreached(await submit());
    expect(failedReason).toBe('webhook_status_307');
    expect(receiver.received.map(({ path }) => path)).not.toContain(
      '/elsewhere',
    );
  });

  it('stop at a 410, until an operator retries them on the dashboard', async () => {
    receiver.answer(410);
    const invocation = await submit();
    await reaches(invocation, 'failed');
    await unreached(invocation);
    const { body } = await operator.get(
      `${BOARD}?activeQueue=webhooks&status=failed&page=1&jobsPerPage=10`,
    );
    const shown = body.queues.find(
      ({ name }: { name: string }) => name === 'webhooks',
    );
    expect(shown.jobs).toEqual([
      expect.objectContaining({
        id: invocation.id,
        name: 'webhook',
        data: { invocation_id: invocation.id },
        failedReason: 'webhook_status_410',
      }),
    ]);
    const retried = await operator.request(
      'PUT',
      `${BOARD}/webhooks/${invocation.id}/retry`,
    );
    expect(retried.status).toBeLessThan(300);
    expect(await reaches(invocation, 'delivered')).toMatchObject({
      attempts: 2,
    });
  });

  it('stop when the record would expire before the next attempt', async () => {
    receiver.answer(DOWN, 500);
    const invocation = await submit();
    const job = await unreached(invocation);
    await redis.pexpire(`sonde:{${invocation.id}}:record`, 60_000);
    await job.promote();
    expect(await reaches(invocation, 'failed')).toMatchObject({ attempts: 2 });
  });

  it('are not posted again for a second delivery of the job', async () => {
    const invocation = await submit();
    await reaches(invocation, 'delivered');
    await until(
      'the delivered job to be removed',
      async (saw) => saw(await queue.remove(invocation.id)) === 1,
    );
    const data = { invocation_id: invocation.id };
    await queue.add('webhook', data, { jobId: invocation.id });
    await until(
      'the second job to be completed',
      async (saw) =>
        saw(await queue.getJobState(invocation.id)) === 'completed',
    );
    expect(receiver.of(invocation.id)).toHaveLength(1);
  });

  it('are not sent for deleted runs, of which nothing remains', async () => {
    receiver.answer(DOWN);
    const invocation = await submit();
    await unreached(invocation);
    expect((await invocation.remove()).status).toBe(204);
    expect(await redis.keys(`{sonde}:webhooks:${invocation.id}*`)).toEqual([]);
    expect(await stand.redis.hasForgotten(invocation.id)).toBe(true);
    expect(receiver.of(invocation.id)).toHaveLength(1);
  });

  it('of an API key receive all its ends, those of chats too', async () => {
    const invocation = new Invocation(
      alice,
      (await ask(alice, undefined)).body.invocation_id,
      '',
    );
    const { url } = await reaches(invocation, 'delivered');
    expect(url).toBe(`${receiver.url}/alice?…`);
    expect(receiver.of(invocation.id)[0].path).toBe(`/alice?token=${TOKEN}`);
    const chat = await alice.post('/api/v1/chat', {
      message: 'Tell me in detail about the history of kimchi',
    });
    const [{ invocation_id }] = chat.body.tool_calls;
    await reaches(new Invocation(alice, invocation_id, ''), 'delivered');
    expect(receiver.of(invocation_id)).toHaveLength(1);
    const other = await submit(alice, '/other');
    await reaches(other, 'delivered');
    expect(receiver.of(other.id)[0].path).toBe('/other');
  });

  it('are signed with both secrets during a rotation', async () => {
    const invocation = await submit(alice);
    await reaches(invocation, 'delivered');
    const [received] = receiver.of(invocation.id);
    for (const secret of [OLD, NEW]) verified(secret, received);
    expect(() => verified(OTHERS, received)).toThrow();
  });

  describe('redelivery', () => {
    const again = ({ path, headers }: Invocation, client = stand.client()) =>
      client.post(`${path}/webhook/redeliver`, undefined, headers);

    it('repeats a delivered webhook', async () => {
      const invocation = await submit();
      await reaches(invocation, 'delivered');
      await until(
        'the redelivery to be accepted',
        async (saw) => saw(await again(invocation)).status === 202,
      );
      await until(
        'the second post to arrive',
        (saw) => saw(receiver.of(invocation.id)).length === 2,
      );
      expect(await reaches(invocation, 'delivered')).toMatchObject({
        attempts: 2,
      });
      const [first, second] = receiver.of(invocation.id);
      expect(second.body).toBe(first.body);
    });

    it('repeats a rescheduled or abandoned webhook, after all earlier attempts', async () => {
      receiver.answer(DOWN, 410, DOWN);
      const invocation = await submit();
      await unreached(invocation);
      const { status, body } = await again(invocation);
      expect(status).toBe(202);
      expect(body).toMatchObject({ invocation_id: invocation.id });
      await reaches(invocation, 'failed');
      await unreached(invocation);
      expect((await again(invocation)).status).toBe(202);
      await until(
        'the third post to arrive',
        (saw) => saw(receiver.of(invocation.id)).length === 3,
      );
      expect((await unreached(invocation)).attemptsMade).toBe(1);
    });

    it('is denied to anyone who may not read the record', async () => {
      const invocation = await submit();
      const stranger = new Invocation(bob, invocation.id, 'ivt_wrong');
      expectProblem(await again(stranger), {
        status: 403,
        code: 'invalid_invocation_token',
      });
      expectProblem(await again(new Invocation(bob, 'inv_none', ''), bob), {
        status: 404,
        code: 'invocation_not_found',
      });
    });

    it('is rejected for a run that has not ended, or has no webhook', async () => {
      await research.pause();
      const waiting = await submit();
      expectProblem(await again(waiting), {
        status: 409,
        code: 'invocation_not_ended',
      });
      await waiting.remove();
      await research.resume();
      const { body } = await ask(bob, undefined);
      const silent = new Invocation(bob, body.invocation_id, '');
      expect((await silent.wait()).webhook).toBeNull();
      expectProblem(await again(silent, bob), {
        status: 409,
        code: 'webhook_not_set',
      });
    });
  });

  describe('validation', () => {
    const refused = (...paths: string[]) => ({
      status: 422,
      code: 'validation_failed',
      paths,
    });

    it.each([
      ['webhook', 'https://hooks.example.com'],
      ['webhook', []],
      ['webhook.url', {}],
      ['webhook.url', { url: 7 }],
      ['webhook.url', { url: '' }],
      ['webhook.url', { url: 'hooks.example.com' }],
      ['webhook.url', { url: 'ftp://hooks.example.com' }],
      ['webhook.url', { url: 'https://me:pw@hooks.example.com' }],
      ['webhook.url', { url: 'https://hooks.example.com/#a' }],
    ])('rejects as %s: %j', async (path, webhook) => {
      expectProblem(await ask(bob, webhook), refused(path));
    });

    it('rejects a URL that is too long', async () => {
      const url = `https://hooks.example.com/${'a'.repeat(2048)}`;
      expectProblem(await ask(bob, { url }), refused('webhook.url'));
    });

    it('rejects an unknown field', async () => {
      const webhook = { url: receiver.url, secret: 'x' };
      expectProblem(await ask(bob, webhook), refused('webhook.secret'));
    });

    it('reports invalid arguments in the same response', async () => {
      expectProblem(
        await ask(bob, { url: 'ftp://x' }, { research_question: '' }),
        refused('arguments.research_question', 'webhook.url'),
      );
    });

    it('rejects addresses that are not public unless they are allowed', async () => {
      const { url } = await stand.addApi({
        RELAY_WEBHOOK_ALLOW_PRIVATE: 'false',
        RELAY_WEBHOOK_URLS: '',
      });
      const client = stand.client(stand.apis.length - 1).as(BOB);
      expect(client.url).toBe(url);
      for (const address of [
        receiver.url,
        receiver.url.replace('http:', 'https:'),
        'https://localhost/',
        'https://169.254.169.254/latest/',
        'https://[::ffff:10.0.0.1]/',
      ])
        expectProblem(
          await ask(client, { url: address }),
          refused('webhook.url'),
        );
    });

    it('rejects any webhook where none is configured', async () => {
      await stand.addApi({ RELAY_WEBHOOK_SECRETS: '', RELAY_WEBHOOK_URLS: '' });
      const client = stand.client(stand.apis.length - 1).as(BOB);
      const reply = await ask(client, { url: 'https://hooks.example.com' });
      expectProblem(reply, refused('webhook'));
      expect(reply.body.errors[0].message).toBe('webhooks are not configured');
    });
  });

  it('a connection to a private address is refused even if the submission was accepted', async () => {
    const careful = { RELAY_WEBHOOK_ALLOW_PRIVATE: 'false' };
    await stand.addWorker({ ...careful, RELAY_WEBHOOK_URLS: '' });
    await stand.workers.shift()!.stop();
    const invocation = await submit();
    expect((await unreached(invocation)).failedReason).toBe(
      'webhook_refused_address',
    );
    expect(receiver.of(invocation.id)).toEqual([]);
    await stand.addWorker();
    await stand.workers.shift()!.stop();
  });

  it('a delivery that a shutdown interrupts continues at another worker', async () => {
    receiver.answer('never');
    const invocation = await submit();
    await until(
      'the first post to arrive',
      (saw) => saw(receiver.of(invocation.id)).length === 1,
    );
    const shuttingDown = stand.workers.shift()!;
    const code = await shuttingDown.stop();
    const left = await hookOf(invocation);
    await stand.addWorker();
    expect([code, left]).toMatchObject([0, { attempts: 0 }]);
    expect(await reaches(invocation, 'delivered')).toMatchObject({
      attempts: 1,
    });
    expect(receiver.of(invocation.id)).toHaveLength(2);
  });

  it('the queue, the dashboard and the log contain no secret, no URL and no question', async () => {
    receiver.answer(DOWN);
    await unreached(await submit(bob, `/hook?token=${TOKEN}`));
    // The port alone may be among the digits of a time.
    const { host } = new URL(receiver.url);
    const secrets = [OLD, NEW, OTHERS, TOKEN, 'MARKER', host];
    const shown = await operator.get(
      `${BOARD}?activeQueue=webhooks&status=latest&page=1&jobsPerPage=50`,
    );
    expect(shown.body.queues).toHaveLength(6);
    const queued = await stand.redis.dump('{sonde}*');
    expect(queued).toContain('webhook_status_503');
    const outputs = [...stand.apis, ...stand.workers].map(
      ({ output }) => output,
    );
    for (const text of [JSON.stringify(shown.body), queued, ...outputs])
      for (const secret of secrets) expect(text).not.toContain(secret);
    const records = await stand.redis.dump();
    for (const secret of [OLD, NEW, OTHERS])
      expect(records).not.toContain(secret);
  });
});
