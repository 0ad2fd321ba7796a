import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { BullModule, getQueueToken } from '@nestjs/bullmq';
import { Logger, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Queue, Worker } from 'bullmq';
import { until } from '../../../../test/support/until';
import { ConfigModule } from '../../../config/config.module';
import { loadConfig } from '../../../config/load-config';
import { createHttpApp } from '../../http/http-app';
import { HttpModule } from '../../http/http.module';
import {
  type EmbeddedRedis,
  startEmbeddedRedis,
} from '../../redis/embedded-redis';
import { RedisConnections } from '../../redis/redis-connections';
import { RedisModule } from '../../redis/redis.module';
import { BoardModule } from './board.module';

/** Spellings of the same path that a check of URLs would miss. */
const PATHS = [
  '/admin/queues',
  '/admin/queues/',
  '/admin/queues/api/queues',
  '/admin/%71ueues/api/queues',
  '/admin/queues/%61pi/queues?activeQueue=runs',
  '/%61dmin/queues/queue/runs',
  '/admin/queues/static/favicon.ico',
  '/admin/queues/queue/runs',
];

function connectionOf({ target }: EmbeddedRedis): string {
  if (target.kind !== 'socket') throw new Error('It has no socket');
  return target.path;
}

interface Reply {
  status: number;
  body: string;
  headers: IncomingMessage['headers'];
}

describe(BoardModule.name, () => {
  let dataDir: string;
  let redis: EmbeddedRedis;
  let app: NestFastifyApplication;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    dataDir = await mkdtemp(join(tmpdir(), 'sonde-spec-'));
    redis = await startEmbeddedRedis({ dataDir });
  });

  afterAll(async () => {
    await redis.stop();
    await rm(dataDir, { recursive: true });
    if (redis.target.kind === 'socket')
      await rm(dirname(redis.target.path), { recursive: true });
  });

  afterEach(() => app.close());

  async function serve(environment: NodeJS.ProcessEnv): Promise<void> {
    const config = Object.assign({}, loadConfig(environment), {
      redis: redis.target,
    });
    @Module({
      imports: [
        ConfigModule.forRoot(config),
        HttpModule,
        RedisModule.forRoot('fail-fast'),
        BullModule.forRootAsync({
          inject: [RedisConnections],
          useFactory: ({ commands }: RedisConnections) => ({
            connection: commands,
          }),
        }),
        BullModule.registerQueue({ name: 'runs' }, { name: 'letters' }),
        BoardModule.forRoot(['runs', 'letters'], config, ['letters']),
      ],
    })
    class Rooms {}
    const anonymous = !config.auth.required;
    app = await createHttpApp(Rooms, [], { ...config.http, anonymous });
    await app.listen(0, '127.0.0.1');
    await app.get<Queue>(getQueueToken('runs')).waitUntilReady();
  }

  /** Not `fetch`, which normalises paths and sets the Host itself. */
  async function ask(
    path: string,
    headers: Record<string, string> = {},
    method = 'GET',
  ): Promise<Reply> {
    const { port } = new URL(await app.getUrl());
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ host: '127.0.0.1', port, path, method, headers }, resolve)
        .on('error', reject)
        .end();
    });
    return {
      status: response.statusCode!,
      body: await text(response),
      headers: response.headers,
    };
  }

  const basic = (credentials: string): Record<string, string> => ({
    authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
  });

  describe('with an administrator', () => {
    beforeEach(() =>
      serve({
        RELAY_ADMIN_USER: 'ops',
        RELAY_ADMIN_PASSWORD: 'pa:ss',
        RELAY_ALLOWED_HOSTS: 'sonde.example',
      }),
    );

    it.each(PATHS)('requires the password at %s', async (path) => {
      const refused = await ask(path);
      expect(refused.status).toBe(401);
      expect(refused.headers['www-authenticate']).toBe('Basic realm="Sonde"');
      expect((await ask(path, basic('ops:wrong'))).status).toBe(401);
      expect((await ask(path, basic('ops:pa:ss'))).status).toBe(200);
    });

    it('requires it under every allowed host name', async () => {
      const headers = { ...basic('ops:pa:ss'), host: 'sonde.example' };
      expect((await ask('/admin/queues', headers)).status).toBe(200);
      headers.host = 'other.example';
      expect((await ask('/admin/queues', headers)).status).toBe(421);
    });
  });

  describe('without one, on a loopback host', () => {
    beforeEach(() => serve({}));

    it.each(PATHS)('is open at %s, for a loopback name only', async (path) => {
      expect((await ask(path)).status).toBe(200);
      expect((await ask(path, { host: 'localhost:8080' })).status).toBe(200);
      expect((await ask(path, { host: '[::1]:8080' })).status).toBe(200);
      for (const host of ['evil.example', '127.0.0.1.evil.example'])
        expect((await ask(path, { host })).status).toBe(421);
      expect((await ask(path, { host: '10.0.0.7' })).status).toBe(404);
    });

    it.each([
      ['forwarded', 'for=10.0.0.7'],
      ['via', '1.1 proxy'],
      ['x-forwarded-for', '10.0.0.7'],
      ['x-forwarded-host', 'localhost'],
      ['x-forwarded-proto', 'https'],
      ['x-real-ip', '10.0.0.7'],
      ['cf-connecting-ip', '10.0.0.7'],
    ])(
      'does not exist for requests through a proxy, Host forged: %s',
      async (name, value) => {
        const headers = { host: 'localhost', [name]: value };
        expect((await ask('/admin/queues', headers)).status).toBe(404);
      },
    );

    it('refuses changes from another site', async () => {
      const pause = '/admin/queues/api/queues/runs/pause';
      for (const headers of <Record<string, string>[]>[
        { origin: 'http://evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
      ])
        expect((await ask(pause, headers, 'PUT')).status).toBe(403);
      const own = { host: 'localhost:1', origin: 'http://localhost:1' };
      expect((await ask(pause, own, 'PUT')).status).toBe(200);
    });

    it('loads nothing from elsewhere, by its page and by its policy', async () => {
      const { body, headers } = await ask('/admin/queues');
      expect(body).toMatch(/<div id="root">/);
      expect(body).toMatch(/<script defer src="static\/js\//);
      expect(body).not.toMatch(/(href|src)="(https?:)?\/\//);
      // No script is in the page itself: the policy allows files alone.
      expect(
        body.replaceAll(/<script id="__UI_CONFIG__"[^>]*>/g, ''),
      ).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>/);
      const policy = headers['content-security-policy'];
      expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
      expect(policy).not.toMatch(/https?:|unsafe-eval|\*/);
    });

    it('tries the jobs again that do their work again, and refuses it for runs', async () => {
      const [runs, letters] = ['runs', 'letters'].map((name) =>
        app.get<Queue>(getQueueToken(name)),
      );
      const failing = [runs, letters].map(async (queue) => {
        await queue.resume();
        const job = await queue.add('run', {}, { jobId: 'job_1' });
        const worker = new Worker(
          queue.name,
          () => Promise.reject(new Error('upstream_error')),
          { connection: { path: connectionOf(redis) } },
        );
        await until(
          `the job of ${queue.name} to have failed`,
          async (saw) => saw(await queue.getJobState('job_1')) === 'failed',
        );
        await worker.close();
        return job;
      });
      await Promise.all(failing);
      const retry = (queue: string, path: string) =>
        ask(`/admin/queues/api/queues/${queue}/${path}`, {}, 'PUT');
      for (const path of ['job_1/retry', 'retry/failed']) {
        const { status, body } = await retry('runs', path);
        expect([path, status, JSON.parse(body).code]).toEqual([
          path,
          403,
          'forbidden',
        ]);
      }
      expect(await runs.getJobState('job_1')).toBe('failed');
      expect((await retry('letters', 'job_1/retry')).status).toBe(204);
      expect(await letters.getJobState('job_1')).toBe('waiting');
      const { body } = await ask('/admin/queues/api/queues');
      expect(
        (
          JSON.parse(body) as {
            queues: { name: string; allowRetries: boolean }[];
          }
        ).queues.map(({ name, allowRetries }) => [name, allowRetries]),
      ).toEqual([
        ['runs', false],
        ['letters', true],
      ]);
      await Promise.all([runs, letters].map((queue) => queue.drain()));
      await runs.clean(0, 10, 'failed');
    });

    it('shows only the invocation id of a job', async () => {
      const queue = app.get<Queue>(getQueueToken('runs'));
      await queue.add('run', { invocation_id: 'inv_1', question: 'secret' });
      const { body } = await ask('/admin/queues/api/queues?activeQueue=runs');
      expect(body).toContain('inv_1');
      expect(body).not.toContain('secret');
    });

    it('shows of what a job returns only names, codes and numbers', async () => {
      const queue = app.get<Queue>(getQueueToken('runs'));
      const returned: [id: string, value: unknown][] = [
        ['old', 'cancelled'],
        ['new', { status: 'completed', tokens: 7, model: 'o3', report: 'x' }],
        ['odd', { status: 'a secret', tokens: '7', constructor: 'x' }],
        ['text', 'a secret'],
      ];
      const worker = new Worker(
        'runs',
        async ({ id }) => returned.find(([of]) => of === id)?.[1],
        { connection: { path: connectionOf(redis) } },
      );
      await queue.resume();
      for (const [jobId] of returned) await queue.add('run', {}, { jobId });
      // The board reads a job before its state: asked earlier, it may show a
      // completed job as it was before.
      const shown = async (id: string): Promise<unknown> => {
        const reply = await ask(`/admin/queues/api/queues/runs/${id}`);
        const { job } = JSON.parse(reply.body) as {
          job: { returnValue: unknown };
        };
        return [job.returnValue];
      };
      try {
        const all = returned.map(async ([id]) => {
          await until(
            `the job ${id} to be completed`,
            async (saw) => saw(await queue.getJobState(id)) === 'completed',
          );
          return shown(id);
        });
        expect(await Promise.all(all)).toEqual([
          [{ status: 'cancelled' }],
          [{ status: 'completed', tokens: 7, model: 'o3' }],
          [null],
          [null],
        ]);
      } finally {
        await worker.close();
      }
    });

    it('never shows messages of errors', async () => {
      const { status, body } = await ask(
        '/admin/queues/api/queues/none/pause',
        {},
        'PUT',
      );
      expect(status).toBe(404);
      expect(body).not.toMatch(/stack|at Object/);
    });
  });

  it('does not exist without an administrator where API keys are required', async () => {
    await serve({ RELAY_API_KEYS: `alice:${'ab'.repeat(32)}` });
    for (const path of PATHS) expect((await ask(path)).status).toBe(404);
  });

  it('does not exist without an administrator on a public host', async () => {
    await serve({ RELAY_HOST: '0.0.0.0', RELAY_ALLOW_ANONYMOUS: 'true' });
    for (const path of PATHS) expect((await ask(path)).status).toBe(404);
  });
});
