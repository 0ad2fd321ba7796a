import { opened, type Client, type Invocation } from '../support/client';
import { expectCompletedRun } from '../support/completed-run';
import { waitForEnd } from '../support/event-log';
import { Stand } from '../support/processes/stand';
import { TcpProxy } from '../support/processes/tcp-proxy';
import { testTools, Toolbox } from '../support/processes/toolbox';
import { until } from '../support/until';

const NEIGHBOURS = 199;
/** Suspects make room for others after the time of two leases. */
const LEASE_SECONDS = '10';

describe('a run that crashes every worker that carries it', () => {
  let stand: Stand;
  let client: Client;

  beforeAll(async () => {
    stand = await Stand.start({
      researchMs: 1_000,
      toolbox: new Toolbox(testTools('poison.tool.ts')),
      env: { RESEARCH_LEASE_SECONDS: LEASE_SECONDS },
    });
    client = stand.client();
  });
  afterAll(() => stand.stop());

  const fieldOf = (field: string) => (id: string) =>
    stand.redis.call('HGET', `sonde:{${id}}:record`, field);

  /** Submits research whose response stops half-way, until faults are cleared. */
  async function pausedNeighbour(): Promise<Invocation> {
    await stand.fault({ kind: 'pause', fraction: 0.5 });
    const [run] = await neighbours(1, 1_000);
    return run;
  }

  /** Submits research whose response goes on at the endpoint for so long. */
  async function neighbours(count: number, ms: number): Promise<Invocation[]> {
    await stand.configure({ research_ms: ms });
    const runs: Invocation[] = [];
    for (let left = count; left > 0; left -= 1)
      runs.push(await client.submit());
    await until('every response to be on record', async (saw) => {
      const ids = runs.map(({ id }) => fieldOf('upstream_id')(id));
      const known = (await Promise.all(ids)).filter(Boolean).length;
      return saw(known) === count;
    });
    return runs;
  }

  beforeEach(() => stand.reset());

  it(`ends alone: ${NEIGHBOURS} others that were lost with it complete, each bought once`, async () => {
    const others = await neighbours(NEIGHBOURS, 60_000);
    const { body } = await client.post('/api/v1/tool-invocations', {
      tool_name: 'poison',
      arguments: { background: true },
    });
    const { invocation_id, invocation_token } = body;
    const poison = client.invocation(invocation_id, invocation_token);
    const end = waitForEnd(poison);
    let ended = false;
    const over = end.finally(() => (ended = true));
    let deaths = 0;
    while (!ended) {
      const [worker] = stand.workers;
      await Promise.race([worker.end(), over]);
      if (ended) break;
      deaths += 1;
      stand.workers.pop();
      await stand.expireLeases();
      await stand.addWorker();
    }
    expect(await end).toMatchObject({
      status: 'failed',
      error: { code: 'worker_crashed_repeatedly' },
    });
    expect(deaths).toBeLessThan(20);
    for (const other of others) await expectCompletedRun(stand, other);
    expect(await stand.stats()).toMatchObject({
      creates: NEIGHBOURS,
      cancels: 0,
    });
  });

  it('is not one that a worker hands over when it is stopped', async () => {
    await Promise.all(Array.from({ length: 3 }, () => stand.addWorker()));
    const other = await pausedNeighbour();
    // With a reader it is continued at once, and not at its next poll.
    const followed = await opened(other.events());
    for (let stops = 0; stops < 3; stops += 1) {
      const fence = String(await fieldOf('fence')(other.id));
      const holder = await stand.holderOf(other);
      stand.workers.splice(stand.workers.indexOf(holder), 1);
      await holder.stop();
      await until(
        'the next claim',
        async (saw) => saw(await fieldOf('fence')(other.id)) !== fence,
      );
    }
    expect(await fieldOf('crashes_in_all')(other.id)).toBeNull();
    await stand.clearFaults();
    await expectCompletedRun(stand, other);
    await followed.all;
  });

  it('is not one whose worker was without Redis, and came back', async () => {
    const [before] = stand.workers.splice(0);
    await before.stop();
    const wire = await TcpProxy.to({ path: stand.redis.socket });
    await stand.addWorker({
      REDIS_URL: `redis://127.0.0.1:${wire.port}`,
      // One that stood still for half a lease counts as crashed, whatever it was without.
      RESEARCH_LEASE_SECONDS: '30',
    });
    const other = await pausedNeighbour();
    wire.cut();
    await stand.addWorker();
    await stand.expireLeases(other);
    await until(
      'the crash to be counted',
      async (saw) => saw(await fieldOf('crashes_in_all')(other.id)) === '1',
    );
    await wire.heal();
    await until(
      'the crash not to be counted any more',
      async (saw) => saw(await fieldOf('crashes_in_all')(other.id)) === '0',
    );
    await stand.clearFaults();
    await expectCompletedRun(stand, other);
    await wire.close();
  });

  it('is not one that makes progress between any two crashes', async () => {
    // Its text comes by streams alone: the first ends soon after its beginning, and each adds a few events.
    await stand.fault({ kind: 'pause', fraction: 0.99 });
    await stand.fault({ kind: 'silence', after_events: 48 });
    const [invocation] = await neighbours(1, 1_000);
    const { id } = invocation;
    await stand.fault({ kind: 'silence', after_events: 3, count: 100 });
    for await (const { event } of invocation.events())
      if (event === 'output_text') break;
    // With a reader a worker opens a stream.
    const followed = await opened(invocation.events());
    for (let crashes = 1; crashes <= 7; crashes += 1) {
      await stand.killWorkers();
      await stand.addWorker();
      await until(
        'a takeover',
        async (saw) =>
          Number(saw(await fieldOf('crashes_in_all')(id))) === crashes,
      );
      await until(
        `progress after crash ${crashes}`,
        async (saw) => saw(await fieldOf('crashes')(id)) === '0',
      );
    }
    await stand.clearFaults();
    await expectCompletedRun(stand, invocation);
    await followed.all;
  });
});
