import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type { Client } from '../../support/client';
import { expectProblem } from '../../support/problem';
import type { Service } from '../../support/processes/service';
import { Stand } from '../../support/processes/stand';
import { until } from '../../support/until';

const BOARD = '/admin/queues';
const QUESTION = 'the history of kimchi MARKER-QUESTION';
const UPSTREAM_KEY = 'sk-upstream-secret';

interface Line {
  level: string;
  request_id?: string;
}

/** Every whole log line; fails on a line that is not JSON. */
const linesOf = (service: Service): Line[] =>
  service.output
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);

const healthOf = async (client: Client) => {
  const { status, body } = await client.get('/health/ready');
  return { status, ready: body.status, checks: body.checks };
};

/** The status of a path exactly as written and of a Host as given, neither of which fetch would send. */
function statusOf(
  client: Client,
  path: string,
  headers: Record<string, string> = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(client.url);
    request({ hostname, port, path, headers }, (reply) => {
      reply.resume();
      resolve(reply.statusCode!);
    })
      .on('error', reject)
      .end();
  });
}

describe('for its operators, a service', () => {
  let stand: Stand;
  let client: Client;
  const secrets = [UPSTREAM_KEY, 'MARKER'];

  beforeAll(async () => {
    stand = await Stand.start({ researchMs: 100 });
    client = stand.client();
    const research = await client.research({ research_question: QUESTION });
    secrets.push(
      research.body.invocation_token,
      research.body.output_text.slice(0, 60),
    );
    await stand.fault({ kind: 'status', status: 400, message: 'MARKER-FAULT' });
    const failed = await client.research({ research_question: QUESTION });
    expect(failed.body.status).toBe('failed');
    secrets.push(failed.body.invocation_token);
    const chat = await client.post('/api/v1/chat', {
      message: `Tell me in detail about ${QUESTION}`,
      documents: [{ title: 'MARKER-TITLE', text: 'MARKER-TEXT' }],
    });
    expect(chat.body.tool_called).toBe(true);
    secrets.push(chat.body.content.slice(0, 60));
    for (const { invocation_token } of chat.body.tool_calls)
      secrets.push(invocation_token);
    await client.post(
      '/api/v1/chat',
      { message: 'MARKER-BAD', messages: 'MARKER' },
      { authorization: 'Bearer MARKER-KEY', 'x-request-id': 'bad-request' },
    );
    await client.get('/api/v1/tool-invocations/MARKER?token=MARKER');
  });
  afterAll(() => stand.stop());

  describe('logs', () => {
    it('lines of JSON, with the id of every request', async () => {
      await stand.apis[0].waitForOutput(/bad-request.*\n/);
      const lines = linesOf(stand.apis[0]);
      expect(lines.find((line) => line.request_id === 'bad-request')).toEqual(
        expect.objectContaining({
          level: 'info',
          method: 'POST',
          route: '/api/v1/chat',
          status: 422,
        }),
      );
      expect(linesOf(stand.workers[0]).length).toBeGreaterThan(0);
    });

    it('no key, token, question, document or report', () => {
      for (const service of [...stand.apis, ...stand.workers])
        for (const secret of secrets)
          expect(service.output).not.toContain(secret);
    });
  });

  describe('shows on the dashboard', () => {
    it('the queue and its jobs, to users of this machine', async () => {
      const page = await client.get(BOARD);
      expect(page.status).toBe(200);
      expect(page.headers.get('content-type')).toMatch('text/html');
      const { body } = await client.get(
        `${BOARD}/api/queues?activeQueue=research&status=completed&page=1&jobsPerPage=10`,
      );
      const names = body.queues.map(({ name }: { name: string }) => name);
      expect(names).toEqual([
        'research',
        'tools',
        'chats',
        'alarms',
        'webhooks',
        'response-deletions',
      ]);
      const [queue] = body.queues;
      expect(queue.jobs.length).toBeGreaterThan(0);
      for (const job of queue.jobs) {
        expect(job.name).toBe('deep_research');
        expect(job.data).toEqual({
          invocation_id: expect.stringMatching(/^inv_/),
        });
      }
    });

    it('no question, token or report, and holds none in the queue', async () => {
      const { body } = await client.get(
        `${BOARD}/api/queues?activeQueue=research&status=latest&page=1&jobsPerPage=50`,
      );
      const queue = await stand.redis.dump('*{sonde}*');
      expect(queue).toContain('deep_research');
      for (const shown of [JSON.stringify(body), queue])
        for (const secret of secrets) expect(shown).not.toContain(secret);
    });

    it.each<[number, Record<string, string>]>([
      [421, { host: 'evil.example' }],
      [421, { host: 'localhost.evil.example:80' }],
      [404, { 'x-forwarded-for': '203.0.113.9' }],
      [404, { host: 'localhost', 'x-real-ip': '203.0.113.9' }],
    ])('nothing to requests from elsewhere: %i %j', async (status, headers) => {
      for (const path of [BOARD, `${BOARD}/api/queues`, `${BOARD}/static/x.js`])
        expect(await statusOf(client, path, headers)).toBe(status);
    });

    it('actions to its own pages only', async () => {
      const foreign: [Record<string, string>, string][] = [
        [{ origin: 'https://evil.example' }, 'origin_not_allowed'],
        [{ origin: 'null' }, 'origin_not_allowed'],
        [{ 'sec-fetch-site': 'cross-site' }, 'forbidden'],
      ];
      for (const [headers, code] of foreign)
        expectProblem(
          await client.request('PUT', `${BOARD}/api/queues/research/pause`, {
            headers,
          }),
          { status: 403, code },
        );
    });

    it('no way to add a job without a record', async () => {
      const reply = await client.post(`${BOARD}/api/queues/research/add`, {
        name: 'x',
        data: {},
        options: {},
      });
      expect(reply.status).toBeGreaterThanOrEqual(400);
    });
  });

  it('documents itself at /docs exactly as in the committed contract', async () => {
    const page = await client.get('/docs');
    expect(page.status).toBe(200);
    expect(page.body).toMatch(/swagger-ui/);
    const committed = JSON.parse(
      readFileSync(join(__dirname, '../../../openapi.json'), 'utf8'),
    ) as object;
    expect((await client.get('/openapi.json')).body).toEqual(committed);
  });

  describe('reports its health as', () => {
    it('ok when everything works', async () => {
      expect((await client.get('/health/live')).body).toEqual({ status: 'ok' });
      expect(await healthOf(client)).toMatchObject({
        status: 200,
        ready: 'ok',
        checks: { redis: { status: 'ok', critical: true } },
      });
    });

    it('degraded while the upstream is unavailable', async () => {
      await stand.fault({
        kind: 'status',
        status: 503,
        count: 0,
        match: { path: '/models' },
      });
      const health = await until('the service not to be well', async (saw) => {
        const seen = saw(await healthOf(client));
        return seen.ready !== 'ok' && seen;
      });
      expect(health).toMatchObject({
        status: 200,
        ready: 'degraded',
        checks: { upstream: { status: 'failed', critical: false } },
      });
      await stand.clearFaults();
      await until(
        'the service to be well again',
        async (saw) => saw(await healthOf(client)).ready === 'ok',
      );
    });

    it('degraded while a queue is paused, which it names', async () => {
      const queue = `${BOARD}/api/queues/chats`;
      expect((await client.request('PUT', `${queue}/pause`)).status).toBe(200);
      const health = await until('the service not to be well', async (saw) => {
        const seen = saw(await healthOf(client));
        return seen.ready !== 'ok' && seen;
      });
      expect(health).toMatchObject({
        status: 200,
        ready: 'degraded',
        checks: { queue: { status: 'failed', detail: 'paused: chats' } },
      });
      expect((await client.request('PUT', `${queue}/resume`)).status).toBe(200);
      await until(
        'the service to be well again',
        async (saw) => saw(await healthOf(client)).ready === 'ok',
      );
    });

    it('degraded while there is no worker', async () => {
      expect(await stand.workers.pop()!.stop()).toBe(0);
      const health = await until('the service not to be well', async (saw) => {
        const seen = saw(await healthOf(client));
        return seen.ready !== 'ok' && seen;
      });
      expect(health).toMatchObject({
        status: 200,
        ready: 'degraded',
        checks: { queue: { status: 'failed', critical: false } },
      });
    });

    it('down while Redis is unavailable, but alive', async () => {
      await stand.redis.down();
      const health = await until('the service to be down', async (saw) => {
        const seen = saw(await healthOf(client));
        return seen.ready === 'down' && seen;
      });
      expect(health).toMatchObject({
        status: 503,
        checks: { redis: { status: 'failed', critical: true } },
      });
      expect((await client.get('/health/live')).status).toBe(200);
      await stand.redis.up();
      await until(
        'the service not to be down any more',
        async (saw) => saw(await healthOf(client)).ready !== 'down',
      );
    });
  });
});

describe('the dashboard of a publicly reachable service', () => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await Stand.start({
      workers: 0,
      env: { RELAY_HOST: '0.0.0.0', RELAY_ALLOW_ANONYMOUS: 'true' },
    });
    await stand.addApi({
      RELAY_ADMIN_USER: 'root',
      RELAY_ADMIN_PASSWORD: 'pa:ss wörd',
    });
  });
  afterAll(() => stand.stop());

  const VARIANTS = [
    BOARD,
    `${BOARD}/`,
    `${BOARD}?a=b`,
    `${BOARD}/api/queues`,
    `${BOARD}/api/redis/stats`,
    `${BOARD}/queue/research`,
    `${BOARD}/static/css/main.css`,
    '/admin/%71ueues',
    '/admin/%71ueues/api/queues',
    '/%61dmin/queues/api/queues/',
    `${BOARD}//api/queues`,
    '//admin/queues/api/queues',
    '/admin/./queues/api/queues',
    '/ADMIN/QUEUES/api/queues',
    '/admin/queues;x/api/queues',
  ];

  it.each(VARIANTS)(
    'is disabled without an administrator: %s',
    async (path) => {
      expect(await statusOf(stand.client(0), path)).toBe(404);
    },
  );

  it.each(VARIANTS)(
    'is closed without the right password: %s',
    async (path) => {
      const client = stand.client(1);
      for (const authorization of [
        undefined,
        `Basic ${btoa('root:guess')}`,
        'Bearer x',
      ])
        expect([401, 404]).toContain(
          await statusOf(client, path, authorization ? { authorization } : {}),
        );
    },
  );

  it('opens to its administrator', async () => {
    const client = stand.client(1);
    const refused = await client.get(`${BOARD}/api/queues`);
    expectProblem(refused, { status: 401, code: 'unauthorized' });
    expect(refused.headers.get('www-authenticate')).toMatch(/^Basic /);
    const password = Buffer.from('root:pa:ss wörd').toString('base64');
    const authorization = `Basic ${password}`;
    for (const path of [BOARD, `${BOARD}/api/queues`, '/admin/%71ueues'])
      expect((await client.get(path, { authorization })).status).toBe(200);
  });
});
