import { type ClientRequest, request } from 'node:http';
import { type Invocation } from '../support/client';
import { preload } from '../support/processes/preload';
import { Stand } from '../support/processes/stand';
import { expectCompletedRun } from '../support/completed-run';
import { until } from '../support/until';

const CLIENTS = 1_000;
const RUNS = 10;
/** A thousand connected followers cost several times as much. */
const LEFT_BYTES = 5_000_000;

describe(`${CLIENTS} followers that disconnect in the middle of a stream`, () => {
  let stand: Stand;
  let reports = 0;

  beforeAll(async () => {
    stand = await Stand.start({ apis: 0 });
    await stand.addApi(preload('heap-report', { NODE_OPTIONS: '--expose-gc' }));
  });
  afterAll(() => stand.stop());

  /** Bytes in use by the API, after a full collection. */
  async function heap(): Promise<number> {
    const [api] = stand.apis;
    reports += 1;
    api.signal('SIGUSR2');
    return Number(
      await api.waitForOutput(new RegExp(`^heap ${reports}: (\\d+)$`, 'm')),
    );
  }

  const subscriptions = async (): Promise<string[]> =>
    (await stand.redis.call('PUBSUB', 'CHANNELS', 'sonde:{*')) as string[];

  const connections = async (): Promise<number> =>
    String(await stand.redis.call('CLIENT', 'LIST'))
      .trim()
      .split('\n').length;

  /** Resolves with the first event. */
  const follow = ({ path, headers }: Invocation): Promise<ClientRequest> =>
    new Promise((resolve, reject) => {
      const sent = request(
        `${stand.client().url}${path}/events`,
        { headers, agent: false },
        (reply) => reply.once('data', () => resolve(sent)),
      );
      sent.on('error', reject).end();
    });

  /** A thousand clients connect, read the beginning of active runs, and disconnect. Returns the memory in use before and after. */
  async function connectAndDisconnect() {
    await stand.fault({ kind: 'pause', fraction: 0.5, count: RUNS });
    const invocations = await Promise.all(
      Array.from({ length: RUNS }, () => stand.client().submit()),
    );
    const followers: ClientRequest[] = [];
    for (let i = 0; i < CLIENTS; i += 100)
      followers.push(
        ...(await Promise.all(
          Array.from({ length: 100 }, (_, j) =>
            follow(invocations[(i + j) % RUNS]),
          ),
        )),
      );
    expect(await subscriptions()).toHaveLength(RUNS);
    const during = await heap();
    for (const follower of followers)
      follower.on('error', () => undefined).destroy();
    await until(
      'the end of all subscriptions',
      async (saw) => saw(await subscriptions()).length === 0,
    );
    const after = await heap();
    await stand.clearFaults();
    return { invocations, during, after };
  }

  it('leave the runs unaffected, and no subscription, connection or memory behind', async () => {
    const warm = await connectAndDisconnect();
    const open = await connections();
    const first = await connectAndDisconnect();
    const second = await connectAndDisconnect();
    // Redis also lists those that are being closed.
    await until(
      'as many connections as before',
      async (saw) => saw(await connections()) === open,
    );
    expect(first.during - first.after).toBeGreaterThan(LEFT_BYTES);
    expect(second.after - first.after).toBeLessThan(LEFT_BYTES);
    for (const { invocations } of [warm, first, second])
      for (const invocation of invocations)
        await expectCompletedRun(stand, invocation);
  });
});
