import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client, Invocation } from '../support/client';
import { priceFile } from '../support/price-table';
import { expectProblem } from '../support/problem';
import { doctor } from '../support/processes/doctor';
import { keysCommand } from '../support/processes/keys-command';
import { sameDay } from '../support/processes/preload';
import { Stand } from '../support/processes/stand';
import { until } from '../support/until';

const HOUR = 3_600_000;
const QUESTION = { research_question: 'The history of kimchi' };

describe('an installation whose Redis is restored from a backup', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-backup-'));
  const prices = priceFile({
    '*': { inputPerMillion: 10, outputPerMillion: 9 },
  });
  const backup = join(folder, 'sonde.rdb');
  let stand: Stand;
  let rootKey: string;
  let aliceKey: string;
  let admin: Client;
  let alice: Client;

  beforeAll(async () => {
    stand = await Stand.start({
      env: {
        ...sameDay(),
        RELAY_REQUIRE_KEYS: 'true',
        RELAY_PRICES_CONFIG: prices.path,
        RESEARCH_MODEL_LIMITS: '*:2',
      },
    });
    const { REDIS_URL } = stand.env;
    const command = ['create', 'root', '--scopes', 'admin'];
    const keys = { REDIS_URL, RELAY_REQUIRE_KEYS: 'true' };
    const { body: root } = await keysCommand(keys, ...command);
    rootKey = root.key;
    admin = stand.client().as(rootKey);
    const { body } = await admin.post('/admin/api/keys', {
      name: 'alice',
      scopes: ['chat', 'research', 'read'],
      budget: { month_usd: 5 },
    });
    aliceKey = body.key;
    signIn();
  });
  afterAll(async () => {
    await stand.stop();
    prices.remove();
    rmSync(folder, { recursive: true });
  });

  const signIn = (): void => {
    admin = stand.client().as(rootKey);
    alice = stand.client().as(aliceKey);
  };
  const creates = async (run: Invocation): Promise<number> =>
    (await stand.stats()).creates_by_invocation[run.id] ?? 0;
  const bought = (run: Invocation) =>
    until('the run to be bought', async (saw) => {
      const { upstream_response_id } = saw(await run.read());
      return upstream_response_id;
    });
  const usage = async () => (await alice.get('/api/v1/usage')).body;

  it('has its records, keys and budgets, goes on with what ran, and buys nothing twice', async () => {
    await alice.post('/api/v1/chat', { message: 'Hello!' });
    const ended = await alice.submit(QUESTION);
    const report = await ended.wait();
    expect(report.status).toBe('completed');
    await stand.configure({ research_ms: HOUR });
    const runs = await alice.submit(QUESTION);
    const leaves = await alice.submit(QUESTION);
    const response = await bought(runs);
    await bought(leaves);
    const waits = await alice.submit(QUESTION);
    const spent = await until('what was spent to be counted', async (saw) => {
      const { cost_usd, budget } = saw(await usage());
      return cost_usd > 0 && { cost_usd, budget };
    });

    stand.redis.backUp(backup);

    const later = await alice.submit(QUESTION);
    await leaves.cancel();
    await bought(waits);
    // The machine is lost.
    const services = [...stand.apis, ...stand.workers];
    await Promise.all(services.map((service) => service.stop('SIGKILL')));
    stand.apis = [];
    stand.workers = [];
    await stand.redis.down();

    await stand.redis.restore(backup);
    await stand.addApi();
    signIn();
    const [old, going] = [ended, runs].map((run) => run.through(alice));
    // What waited then may have been bought since: only the endpoint knows.
    const { body: queued } = await admin.get('/admin/api/runs?status=queued');
    expect(queued.data.map(({ id }: { id: string }) => id)).toEqual([waits.id]);
    await admin.post(`/admin/api/runs/${waits.id}/cancel`, {});
    expectProblem(await alice.get(`/api/v1/tool-invocations/${later.id}`), {
      status: 404,
      code: 'invocation_not_found',
    });
    expect(await old.read()).toEqual(report);
    expect(await usage()).toMatchObject(spent);

    await stand.expireLeases();
    await stand.addWorker();
    const one = `/admin/api/runs/${runs.id}`;
    const held = await until('a worker to have the run', async (saw) => {
      const { body } = saw(await admin.get(one));
      return body.claims === 2 && body.worker !== null && body;
    });
    expect(held).toMatchObject({
      status: 'running',
      upstream_response_id: response,
    });
    expect((await doctor(stand.env)).lines).toContain('0 findings, 0 fixed');
    // The endpoint is asked to end the very same response.
    await going.cancel();
    expect((await going.wait()).status).toBe('cancelled');
    const { requests } = await stand.stats();
    const cancels = requests
      .filter(
        ({ method, path }) => method === 'POST' && path.includes('cancel'),
      )
      .map(({ path }) => path);
    expect(cancels).toContain(`/responses/${response}/cancel`);
    for (const run of [ended, runs, leaves, waits])
      expect(await creates(run)).toBe(1);
    expect((await waits.through(alice).read()).status).toBe('cancelled');
  });
});
