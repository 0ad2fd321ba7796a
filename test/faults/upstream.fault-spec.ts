import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Stand } from '../support/processes/stand';
import { expectCompletedRun } from '../support/completed-run';
import { until } from '../support/until';
import { waitForEnd } from '../support/event-log';

const CREATE = { method: 'POST', path: '/responses' };

describe('an upstream that asks to wait', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({ workers: 2 });
  });
  afterEach(() => stand.reset());
  afterAll(() => stand.stop());

  const tries = async () =>
    (await stand.stats()).requests
      .filter(({ method, path }) => method === 'POST' && path === '/responses')
      .map(({ at, status }) => ({ at: Date.parse(at), status }));

  it('for two seconds receives the next request after them', async () => {
    await stand.fault({
      kind: 'status',
      status: 429,
      retry_after: 2,
      match: CREATE,
    });
    await expectCompletedRun(stand, await stand.client().submit());
    const [first, second, ...more] = await tries();
    expect([first.status, second.status, more]).toEqual([429, 200, []]);
    // A timer of Node may be a millisecond early.
    expect(second.at - first.at).toBeGreaterThanOrEqual(1_999);
  });

  // The last case, since every later request would have to wait as well.
  it('for more than a minute receives no request before, and the run can still be cancelled', async () => {
    await stand.fault({
      kind: 'status',
      status: 429,
      // Longer than a busy machine takes for all that follows.
      retry_after: 600,
      match: CREATE,
    });
    const patient = await stand.client().submit();
    await until(
      'the first try',
      async (saw) => saw(await tries()).length === 1,
    );
    const others = [
      await stand.client().submit(),
      await stand.client().submit(),
    ];
    // Requests that purchase nothing are not delayed, so that there is time to poll again.
    for (let i = 0; i < 20; i += 1)
      await stand.client().post('/api/v1/chat', { message: 'hello' });
    for (const one of [patient, ...others]) {
      expect((await one.read()).status).toBe('running');
      await one.cancel();
      expect((await waitForEnd(one)).status).toBe('cancelled');
    }
    expect(await stand.stats()).toMatchObject({ creates: 0, turns: 20 });
  });
});

describe('an upstream that drips', () => {
  let stand: Stand;
  let drip: Awaited<ReturnType<typeof drippingProxy>>;

  beforeAll(async () => {
    stand = await Stand.start({ workers: 0 });
    drip = await drippingProxy(stand.sandbox.url);
    await stand.addWorker({ LITELLM_BASE_URL: drip.url });
  });
  afterAll(async () => {
    await stand.stop();
    await drip.close();
  });

  it('a few bytes at a time, split anywhere, is parsed completely', async () => {
    const invocation = await stand.client().submit();
    await expectCompletedRun(stand, invocation);
    expect(drip.pieces()).toBeGreaterThan(1_000);
  });
});

/** Forwards everything, but replies in pieces of 1 to 13 bytes, so that every frame and character is split. */
async function drippingProxy(origin: string) {
  let pieces = 0;
  async function drip(
    reply: AsyncIterable<Buffer>,
    res: ServerResponse,
  ): Promise<void> {
    for await (const chunk of reply)
      for (let from = 0; from < chunk.length; pieces += 1) {
        const size = 1 + (pieces % 13);
        res.write(chunk.subarray(from, from + size));
        from += size;
        // Sends the written bytes as a packet of their own.
        await sleep(0);
      }
    res.end();
  }
  const server = createServer((req, res) => {
    const { method, headers, url = '' } = req;
    const onward = request(origin + url, { method, headers }, (reply) => {
      res.writeHead(reply.statusCode!, reply.headers);
      res.socket?.setNoDelay();
      void drip(reply, res);
    });
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pieces: () => pieces,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
