import type { Invocation } from '../support/client';
import { preload } from '../support/processes/preload';
import { Stand } from '../support/processes/stand';
import { expectCompletedRun } from '../support/completed-run';
import { until } from '../support/until';
import { waitForEnd } from '../support/event-log';

const BLOCK_MS = 8_000;

/** Each stops the renewal of leases and locks for longer than both last, then lets it continue. */
const pauses = {
  'is stopped': {
    env: {},
    begin: 'SIGSTOP',
    end: 'SIGCONT',
  },
  'has a blocked event loop': {
    env: preload('blocked-loop', { BLOCK_MS: String(BLOCK_MS) }),
    begin: 'SIGUSR2',
    end: undefined,
  },
} as const;

describe.each(Object.entries(pauses))(
  'a worker that %s past its lease',
  (_, { env, begin, end }) => {
    let stand: Stand;

    beforeEach(async () => {
      stand = await Stand.start({ workers: 0 });
      await Promise.all([stand.addWorker(env), stand.addWorker(env)]);
    });
    afterEach(() => stand.stop());

    const claims = async ({ id }: Invocation): Promise<number> =>
      Number(await stand.redis.call('HGET', `sonde:{${id}}:record`, 'fence'));

    /** Pauses the worker that owns the run, and waits until another owns it. Returns a function that resumes the first. */
    async function pause(invocation: Invocation): Promise<() => void> {
      const holder = await stand.holderOf(invocation);
      expect(await claims(invocation)).toBe(1);
      holder.signal(begin);
      await stand.expireLeases(invocation);
      await until(
        'the second claim',
        async (saw) => saw(await claims(invocation)) > 1,
      );
      return () => end && holder.signal(end);
    }

    /** Resolves when the upstream's run has reached event `n`. */
    async function reached(invocation: Invocation, n: number): Promise<void> {
      const { upstream_response_id } = await invocation.read();
      const { body } = await fetch(
        `${stand.sandbox.url}/v1/responses/${upstream_response_id}?stream=true&starting_after=${n}`,
      );
      const reader = body!.getReader();
      await reader.read();
      await reader.cancel();
    }

    it('writes nothing more to a run that another worker has taken over', async () => {
      // Long enough for it to resume before the end of the text.
      await stand.fault({ kind: 'slow', ms: 12_000 });
      // The other worker receives nothing from within the text on, so that further text could only come from the first.
      const match = { method: 'GET', stream: true };
      await stand.fault({ kind: 'silence', after_events: 55, match });
      const invocation = await stand.client().submit();
      for await (const { event } of invocation.events())
        if (event === 'progress') break;
      const back = await pause(invocation);
      await reached(invocation, 70);
      back();
      await until(
        'nothing to be in flight at the endpoint',
        async (saw) => saw(await stand.stats()).in_flight === 0,
      );
      await stand.clearFaults();
      await expectCompletedRun(stand, invocation);
      expect(await claims(invocation)).toBe(2);
    });

    it('purchases nothing again, and cancels a purchase that completed too late', async () => {
      const match = { method: 'POST', path: '/responses' };
      await stand.fault({ kind: 'hang', after_create: true, match });
      await stand.fault({ kind: 'slow', ms: 60_000 });
      const invocation = await stand.client().submit();
      const { id } = invocation;
      const creates = async (): Promise<number> =>
        (await stand.stats()).creates_by_invocation[id];
      await until('a purchase', async (saw) => saw(await creates()) === 1);
      const back = await pause(invocation);
      back();
      expect(await waitForEnd(invocation)).toMatchObject({
        status: 'failed',
        error: { code: 'ambiguous_submit' },
      });
      await stand.clearFaults();
      await until(
        'a cancellation at the endpoint',
        async (saw) => saw(await stand.stats()).cancels === 1,
      );
      await until(
        'nothing to be in flight at the endpoint',
        async (saw) => saw(await stand.stats()).in_flight === 0,
      );
      expect(await creates()).toBe(1);
    });
  },
);

describe('a worker that wakes with a purchase for a run that another worker owns', () => {
  let stand: Stand;

  beforeAll(async () => {
    stand = await Stand.start({
      env: {
        // No webhook is sent here, but the other worker waits for one.
        OPENAI_WEBHOOK_SECRET:
          'whsec_d2FpdHMgZm9yIGFuIGV2ZW50IHRoYXQgbmV2ZXIgY29tZXM=',
      },
    });
  });
  afterAll(() => stand.stop());

  it('passes its response id to the one that waits for it', async () => {
    const match = { method: 'POST', path: '/responses' };
    await stand.fault({ kind: 'hang', after_create: true, match });
    const [first] = stand.workers;
    const invocation = await stand.client().submit();
    const { id } = invocation;
    const key = `sonde:{${id}}:record`;
    await until(
      'a purchase',
      async (saw) => saw(await stand.stats()).creates_by_invocation[id] === 1,
    );
    first.signal('SIGSTOP');
    await stand.addWorker();
    await stand.expireLeases(invocation);
    await until(
      'the second claim',
      async (saw) =>
        Number(saw(await stand.redis.call('HGET', key, 'fence'))) > 1,
    );
    await stand.clearFaults();
    first.signal('SIGCONT');
    await expectCompletedRun(stand, invocation);
    expect(await stand.stats()).toMatchObject({ creates: 1, cancels: 0 });
  });
});
