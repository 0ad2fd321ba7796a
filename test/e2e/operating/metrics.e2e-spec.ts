import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { METRICS } from '../../../src/platform/metrics/definitions';
import type { Client } from '../../support/client';
import { waitForEnd } from '../../support/event-log';
import { Service } from '../../support/processes/service';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const QUESTION = 'What is the history of kimchi? MARKER-QUESTION';
const KEY = 'sk-upstream-secret';
const PLACE = /Metrics are at (http:[^\s"]+)/;

/** Metric with its labels, as it is written -> value. */
type Scrape = Map<string, number>;

const scrapeText = async (service: Service): Promise<string> => {
  const reply = await fetch(await service.waitForOutput(PLACE));
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toMatch(/^text\/plain; version=0/);
  return reply.text();
};

const health = async (
  service: Service,
  kind: 'live' | 'ready',
): Promise<{ status: number; body: unknown }> => {
  const place = await service.waitForOutput(PLACE);
  const reply = await fetch(new URL(`/health/${kind}`, place));
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  return { status: reply.status, body: await reply.json() };
};

const scrape = async (service: Service): Promise<Scrape> =>
  new Map(
    (await scrapeText(service))
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('#'))
      .map((line) => {
        const at = line.lastIndexOf(' ');
        return [line.slice(0, at), Number(line.slice(at + 1))];
      }),
  );

/** The sum of all series of the name that have these labels. */
const sum = (
  from: Scrape[],
  name: string,
  labels: Record<string, string> = {},
): number =>
  from
    .flatMap((scraped) => [...scraped])
    .filter(([series]) => series === name || series.startsWith(`${name}{`))
    .filter(([series]) =>
      Object.entries(labels).every(([label, value]) =>
        series.includes(`${label}="${value}"`),
      ),
    )
    .reduce((total, [, value]) => total + value, 0);

describe('the metrics of an installation', () => {
  let stand: Stand;
  let client: Client;
  let taken: Server;
  let port: number;
  /** What must not be in any scrape. */
  const secrets = [KEY, 'MARKER', 'inv_', 'chat_0'];

  const all = (): Promise<Scrape[]> =>
    Promise.all([...stand.apis, ...stand.workers].map(scrape));
  const workers = (): Promise<Scrape[]> =>
    Promise.all(stand.workers.map(scrape));

  beforeAll(async () => {
    taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    ({ port } = taken.address() as AddressInfo);
    stand = await Stand.start({
      searchesSandbox: true,
      workers: 2,
      env: {
        RELAY_METRICS_PORT: `${port}-${port + 40}`,
        RELAY_AGENT_MODELS: 'writer:sandbox-plain',
      },
    });
    client = stand.client();
    secrets.push(new URL(stand.sandbox.url).host, stand.redis.url);
    const chat = await client.post('/api/v1/chat', {
      message: 'Hello MARKER-CHAT',
    });
    expect(chat.body.status).toBe('completed');
    for (const engine of ['hosted', 'agent']) {
      const args = { research_question: QUESTION, engine };
      const { body } = await client.research(args);
      expect(body).toMatchObject({ status: 'completed', engine });
      secrets.push(body.invocation_token, body.output_text.slice(0, 40));
    }
    await stand.fault({ kind: 'status', status: 400, message: 'MARKER-FAULT' });
    const failed = await client.research({ research_question: QUESTION });
    expect(failed.body.status).toBe('failed');
    await stand.clearFaults();
    await stand.configure({ research_ms: 3_600_000 });
    const long = await client.submit({ research_question: QUESTION });
    await until(
      'the run to be running',
      async (saw) => saw(await long.read()).status === 'running',
    );
    await until(
      'the workers to count one active run',
      async (saw) => saw(sum(await workers(), 'sonde_active_runs')) === 1,
    );
    await long.cancel();
    await waitForEnd(long);
    await client.post('/api/v1/chat', { messages: 'MARKER' });
  });
  afterAll(async () => {
    await stand.stop();
    taken.close();
  });

  it('count each run once, by its kind, engine, status and code', async () => {
    const name = 'sonde_runs_ended_total';
    const kind = 'deep_research';
    await until(
      'the workers to count four ended runs',
      async (saw) => saw(sum(await workers(), name, { kind })) === 4,
    );
    const scraped = await all();
    const of = (labels: Record<string, string>): number =>
      sum(scraped, name, { kind, ...labels });
    expect(of({ status: 'completed', engine: 'hosted', code: '' })).toBe(1);
    expect(of({ status: 'completed', engine: 'agent', code: '' })).toBe(1);
    expect(of({ status: 'failed' })).toBe(1);
    expect(of({ status: 'cancelled', code: 'cancelled' })).toBe(1);
    expect(of({})).toBe(4);
    expect(sum(scraped, 'sonde_runs_accepted_total', { kind })).toBe(4);
    expect(sum(scraped, 'sonde_run_wait_seconds_count', { kind })).toBe(4);
    expect(sum(scraped, 'sonde_run_duration_seconds_count', { kind })).toBe(4);
    const direct = { kind: 'chat_direct', status: 'completed' };
    expect(sum(scraped, name, direct)).toBe(1);
    expect(sum(scraped, 'sonde_active_runs')).toBe(0);
  });

  it('count what was bought as the endpoint does', async () => {
    const scraped = await all();
    const { creates } = await stand.stats();
    const settled = 'sonde_purchases_settled_total';
    expect(sum(scraped, settled, { outcome: 'adopted' })).toBe(creates);
    expect(sum(scraped, settled, { outcome: 'refused' })).toBe(1);
    expect(sum(scraped, 'sonde_purchases_sent_total')).toBe(creates + 1);
    expect(sum(scraped, settled, { outcome: 'duplicate' })).toBe(0);
    for (const kind of ['chat', 'deep_research'])
      for (const direction of ['input', 'output'])
        expect(
          sum(scraped, 'sonde_tokens_total', { kind, direction }),
        ).toBeGreaterThan(0);
    expect(sum(scraped, 'sonde_model_answers_total', { code: '' })).toBe(1);
    const calls = 'sonde_upstream_tool_calls_total';
    expect(sum(scraped, calls, { engine: 'hosted' })).toBeGreaterThan(0);
  });

  it('show refusals, followers and the state of the installation', async () => {
    const refused = { code: 'validation_failed' };
    const [api, first, second] = await all();
    expect(sum([api], 'sonde_requests_refused_total', refused)).toBe(1);
    expect(sum([api], 'sonde_followers')).toBe(0);
    for (const one of [api, first, second]) {
      expect(one.get('sonde_redis_up')).toBe(1);
      expect(one.get('sonde_redis_latency_seconds')).toBeGreaterThan(0);
      expect(one.get('sonde_unfinished_runs_limit')).toBe(1024);
      expect(one.get('sonde_process_cpu_seconds_total')).toBeGreaterThan(0);
      expect(sum([one], 'sonde_queue_jobs', { state: 'active' })).toBe(0);
      expect(
        one.get('sonde_event_loop_delay_seconds{percentile="99"}'),
      ).toBeGreaterThanOrEqual(0);
    }
    await stand.configure({ research_ms: 3_600_000 });
    const followed = await client.submit({ research_question: QUESTION });
    const stop = new AbortController();
    const frames = followed.events(undefined, stop.signal);
    await frames.next();
    await until(
      'one follower to be counted',
      async (saw) => saw(sum(await all(), 'sonde_followers')) === 1,
    );
    await until(
      'the API to count one unfinished run',
      async (saw) =>
        saw((await scrape(stand.apis[0])).get('sonde_unfinished_runs')) === 1,
    );
    stop.abort();
    await frames.next().catch(() => undefined);
    await until(
      'no follower to be counted',
      async (saw) => saw(sum(await all(), 'sonde_followers')) === 0,
    );
    await followed.cancel();
    await waitForEnd(followed);
    await until(
      'no active run to be counted',
      async (saw) => saw(sum(await all(), 'sonde_active_runs')) === 0,
    );
  });

  it('have no question, report, key, id or host in them, and no metric without a definition', async () => {
    const texts = await Promise.all(
      [...stand.apis, ...stand.workers].map(scrapeText),
    );
    for (const text of texts) {
      for (const secret of secrets) expect(text).not.toContain(secret);
      const typed = [...text.matchAll(/^# TYPE (\w+) \w+$/gm)];
      expect(typed.map(([, name]) => name)).toEqual(Object.keys(METRICS));
    }
  });

  it('are at a place of each process, the first that is free', async () => {
    const places = await Promise.all(
      [...stand.apis, ...stand.workers].map((one) => one.waitForOutput(PLACE)),
    );
    const ports = places.map((place) => Number(new URL(place).port));
    expect(new Set(ports).size).toBe(3);
    expect(ports.every((one) => one > port && one <= port + 40)).toBe(true);
  });

  it('end a start with one line where their only port is taken', async () => {
    const RELAY_METRICS_PORT = String(port);
    const worker = Service.spawn('worker', {
      ...stand.env,
      RELAY_METRICS_PORT,
    });
    expect(await worker.end()).toBe(1);
    expect(worker.output.trimEnd().split('\n').at(-1)).toBe(
      `RELAY_METRICS_PORT is ${port}, which other processes listen on. Example: ${port}-${port + 15}`,
    );
  });

  it('answer no other path, method or host', async () => {
    const place = new URL(await stand.apis[0].waitForOutput(PLACE));
    const status = (
      path: string,
      method = 'GET',
      headers: Record<string, string> = {},
    ): Promise<number> =>
      new Promise((resolve, reject) => {
        const { hostname, port: at } = place;
        request({ hostname, port: at, path, method, headers }, (reply) => {
          reply.resume();
          resolve(reply.statusCode!);
        })
          .on('error', reject)
          .end();
      });
    expect(await status('/metrics?x=1')).toBe(200);
    expect(await status('/metrics', 'HEAD')).toBe(200);
    expect(await status('/metrics', 'GET', { host: 'localhost:1' })).toBe(200);
    expect(await status('/')).toBe(404);
    expect(await status('/metrics/../api')).toBe(404);
    expect(await status('/metrics', 'POST')).toBe(405);
    expect(await status('/metrics', 'GET', { host: 'evil.example' })).toBe(403);
  });

  it('count a takeover in the worker that continues, and the run once', async () => {
    await stand.configure({ research_ms: 3_600_000 });
    const run = await client.submit({ research_question: QUESTION });
    const holder = await until(
      'a worker to count the run as active',
      async (saw) => {
        const active = await workers();
        const counts = saw(active.map((one) => one.get('sonde_active_runs')));
        const at = counts.findIndex((count) => count === 1);
        return at >= 0 && stand.workers[at];
      },
    );
    const [other] = stand.workers.filter((worker) => worker !== holder);
    const name = 'sonde_takeovers_total';
    const before = sum([await scrape(other)], name);
    const endedBefore = sum([await scrape(other)], 'sonde_runs_ended_total');
    stand.workers = [other];
    await holder.stop('SIGKILL');
    await stand.expireLeases(run);
    await until(
      'the other worker to count the takeover',
      async (saw) => saw(sum([await scrape(other)], name)) === before + 1,
    );
    await run.cancel();
    await waitForEnd(run);
    const cancelled = async () =>
      sum([await scrape(other)], 'sonde_runs_ended_total');
    await until(
      'the other worker to count the end of the run',
      async (saw) => saw(await cancelled()) === endedBefore + 1,
    );
  });

  it('share their place with the health of the process', async () => {
    for (const service of [stand.apis[0], stand.workers[0]]) {
      expect(await health(service, 'live')).toEqual({
        status: 200,
        body: { status: 'ok' },
      });
      expect(await health(service, 'ready')).toEqual({
        status: 200,
        body: {
          status: 'ok',
          checks: {
            redis: { status: 'ok', critical: true },
            storage: { status: 'ok', critical: false },
          },
        },
      });
    }
  });

  it('go on without Redis, and say so', async () => {
    const [worker] = stand.workers;
    await stand.redis.down();
    await until(
      'the worker to report that Redis is down',
      async (saw) => saw((await scrape(worker)).get('sonde_redis_up')) === 0,
    );
    const unready = await until('the worker not to be ready', async (saw) => {
      const seen = saw(await health(worker, 'ready'));
      return seen.status !== 200 && seen;
    });
    expect(unready).toMatchObject({
      status: 503,
      body: { status: 'down', checks: { redis: { status: 'failed' } } },
    });
    expect((await health(worker, 'live')).status).toBe(200);
    const scraped = await scrape(worker);
    expect(scraped.has('sonde_unfinished_runs')).toBe(false);
    expect(sum([scraped], 'sonde_queue_jobs')).toBe(0);
  });
});
