import type { Client, Frame, Invocation } from '../support/client';
import { TcpProxy } from '../support/processes/tcp-proxy';
import { Stand } from '../support/processes/stand';
import { expectCompletedRun } from '../support/completed-run';
import { until } from '../support/until';

/** An active run, past its purchase. */
async function running(client: Client): Promise<Invocation> {
  const invocation = await client.submit();
  for await (const { event } of invocation.events())
    if (event === 'progress') break;
  return invocation;
}

const breaks = ['cut', 'stall'] as const;

describe('the connection between a worker and Redis', () => {
  let stand: Stand;
  let wire: TcpProxy;

  beforeEach(async () => {
    stand = await Stand.start({ workers: 0, researchMs: 3_000 });
    wire = await TcpProxy.to({ path: stand.redis.socket });
    await stand.addWorker({ REDIS_URL: `redis://127.0.0.1:${wire.port}` });
  });
  afterEach(async () => {
    await stand.stop();
    await wire.close();
  });

  it.each(breaks)(
    '%s: the run continues when the connection is restored',
    async (how) => {
      const invocation = await running(stand.client());
      wire[how]();
      await stand.expireLeases(invocation);
      await until(
        'nothing to be in flight at the endpoint',
        async (saw) => saw(await stand.stats()).in_flight === 0,
      );
      await wire.heal();
      await expectCompletedRun(stand, invocation);
      await expectCompletedRun(stand, await stand.client().submit());
    },
  );

  it.each(breaks)('%s: another worker continues meanwhile', async (how) => {
    const invocation = await running(stand.client());
    wire[how]();
    await stand.addWorker();
    await stand.expireLeases(invocation);
    await expectCompletedRun(stand, invocation);
    await wire.heal();
    await expectCompletedRun(stand, await stand.client().submit());
  });
});

describe('the connection between an API process and Redis', () => {
  let stand: Stand;
  let wire: TcpProxy;

  beforeEach(async () => {
    stand = await Stand.start({ apis: 0, researchMs: 3_000 });
    wire = await TcpProxy.to({ path: stand.redis.socket });
    await stand.addApi({ REDIS_URL: `redis://127.0.0.1:${wire.port}` });
  });
  afterEach(async () => {
    await stand.stop();
    await wire.close();
  });

  it.each(breaks)(
    '%s: followers lose nothing, new requests are rejected',
    async (how) => {
      const client = stand.client();
      const invocation = await client.submit();
      const frames: Frame[] = [];
      const follower = (async () => {
        for await (const frame of invocation.follow()) frames.push(frame);
      })();
      await until('four events', (saw) => saw(frames.length) > 3);
      wire[how]();
      const refused = await client.research({ background: true });
      expect(refused).toMatchObject({
        status: 503,
        body: { code: 'queue_unavailable' },
      });
      await until(
        'nothing to be in flight at the endpoint',
        async (saw) => saw(await stand.stats()).in_flight === 0,
      );
      await wire.heal();
      await follower;
      await expectCompletedRun(stand, invocation);
      const next = await until('a submission to be accepted', () =>
        client.submit().catch(() => undefined),
      );
      await expectCompletedRun(stand, next);
      expect((await stand.stats()).creates).toBe(2);
    },
  );
});

describe('the connection between a worker and the upstream', () => {
  let stand: Stand;
  let wire: TcpProxy;

  beforeEach(async () => {
    stand = await Stand.start({ workers: 0, researchMs: 3_000 });
    wire = await TcpProxy.to({ port: Number(new URL(stand.sandbox.url).port) });
    await stand.addWorker({
      LITELLM_BASE_URL: `http://127.0.0.1:${wire.port}`,
    });
  });
  afterEach(async () => {
    await stand.stop();
    await wire.close();
  });

  it('cut: the run is followed again, not purchased again', async () => {
    const invocation = await running(stand.client());
    wire.cut();
    await until(
      'nothing to be in flight at the endpoint',
      async (saw) => saw(await stand.stats()).in_flight === 0,
    );
    await wire.heal();
    await expectCompletedRun(stand, invocation);
  });

  it('stall: the run is polled over another connection', async () => {
    const invocation = await running(stand.client());
    wire.stall();
    await until(
      'nothing to be in flight at the endpoint',
      async (saw) => saw(await stand.stats()).in_flight === 0,
    );
    await wire.heal();
    await expectCompletedRun(stand, invocation);
  });

  it('not yet available: the run is purchased once it is', async () => {
    wire.cut();
    const invocation = await stand.client().submit();
    // The intent to purchase is withdrawn when it is certain that nothing was purchased.
    const key = `sonde:{${invocation.id}}:record`;
    await until(
      'the intent to purchase to be withdrawn',
      async (saw) => saw(await stand.redis.call('HGET', key, 'attempt')) === '',
    );
    await wire.heal();
    await expectCompletedRun(stand, invocation);
  });
});
