import { type INestApplicationContext, Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TestRedis } from '../../../test/support/redis/redis';
import { until } from '../../../test/support/until';
import type { Readiness } from '../../platform/observability/health/health.dto';
import { ConfigModule } from '../../config/config.module';
import { loadConfig } from '../../config/load-config';
import { RedisModule } from '../../platform/redis/redis.module';
import { RunStoreModule } from '../../runs/runs.module';
import { type RunningMetrics, startMetrics } from './process-metrics';

describe('the health of a process', () => {
  let redis: TestRedis;
  let part: INestApplicationContext;
  let metrics: RunningMetrics;
  let place: string;
  /** In the order in which they are registered; a process closes the last one first. */
  const closes: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    redis = await TestRedis.start();
    const config = loadConfig({
      REDIS_URL: redis.url,
      RELAY_METRICS_PORT: '0',
    });
    const log = jest.spyOn(Logger.prototype, 'log').mockReturnValue();
    metrics = await startMetrics(config, (close) => closes.push(close));
    place = /http:\S+/.exec(String(log.mock.lastCall?.[0]))![0];
    log.mockRestore();
    part = await NestFactory.createApplicationContext(
      {
        module: class {},
        imports: [
          ConfigModule.forRoot(config),
          RedisModule.forRoot('wait'),
          RunStoreModule,
        ],
      },
      { logger: false },
    );
  });
  afterAll(async () => {
    for (let close = closes.pop(); close; close = closes.pop()) await close();
    await part.close();
    await redis.stop();
  });

  const ask = async (
    kind: string,
  ): Promise<[status: number, Partial<Readiness>]> => {
    const reply = await fetch(new URL(`/health/${kind}`, place));
    return [reply.status, (await reply.json()) as Readiness];
  };
  const failing = (name: string, detail: string) => [
    503,
    {
      status: 'down',
      checks: { [name]: { status: 'failed', critical: true, detail } },
    },
  ];
  const LIVE = [200, { status: 'ok' }];

  it('is ready from its start to its shutdown, and alive all the time', async () => {
    expect(await ask('ready')).toEqual(failing('process', 'starting'));
    expect(await ask('live')).toEqual(LIVE);
    metrics.watch(part);
    const [status, ready] = await ask('ready');
    expect(ready).toMatchObject({ checks: { redis: { status: 'ok' } } });
    expect(status).toBe(200);
    // What is registered last is closed first, before any part of the process.
    await closes.pop()!();
    expect(await ask('ready')).toEqual(failing('process', 'draining'));
    expect(await ask('live')).toEqual(LIVE);
    metrics.watch(part);
    await redis.down();
    await until('the check of Redis to fail', async (saw) => {
      const [of, { checks }] = saw(await ask('ready'));
      return of === 503 && checks?.redis.status === 'failed';
    });
    expect(await ask('live')).toEqual(LIVE);
    await redis.up();
  });
});
