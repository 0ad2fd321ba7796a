import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type INestApplicationContext, Logger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TestRedis } from '../../test/support/redis/redis';
import { SearchServer } from '../../test/support/search/search-server';
import { ConfigModule } from '../config/config.module';
import { loadConfig } from '../config/load-config';
import { HealthRegistry } from '../platform/observability/health/health-registry';
import { RedisModule } from '../platform/redis/redis.module';
import { SearchChain } from '../sources/search/search-chain';
import { SearchModule } from '../sources/search/search.module';
import { SearchHealth } from './search-health';

describe(SearchHealth.name, () => {
  let redis: TestRedis;
  let server: SearchServer;
  let app: INestApplicationContext | undefined;
  const folder = mkdtempSync(join(tmpdir(), 'sonde-health-'));

  beforeAll(async () => {
    redis = await TestRedis.start();
    server = await SearchServer.start();
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  });
  afterEach(() => app?.close());
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await server.stop();
    await redis.stop();
  });

  async function start(
    env: NodeJS.ProcessEnv,
  ): Promise<INestApplicationContext> {
    const config = loadConfig({ REDIS_URL: redis.url, ...env });
    class Application {}
    Module({
      imports: [
        ConfigModule.forRoot(config),
        RedisModule.forRoot('fail-fast'),
        SearchModule,
      ],
      providers: [HealthRegistry, SearchHealth],
    })(Application);
    app = await NestFactory.createApplicationContext(Application, {
      logger: false,
    });
    return app;
  }

  const checks = async (of: INestApplicationContext) =>
    (await of.get(HealthRegistry).ready()).checks;

  it('is silent where nothing can be searched', async () => {
    expect(await checks(await start({}))).toEqual({});
  });

  it('names the providers, and the faults for which one is not used', async () => {
    const running = await start({
      RELAY_SEARCH: `searxng:${server.url}`,
      RELAY_DOCUMENTS_DIR: folder,
    });
    server.answer({ status: 401 });
    const query = { text: 'comet', scope: 'public' as const, limit: 1 };
    const signal = new AbortController().signal;
    const chain = running.get(SearchChain, { strict: false });
    await expect(chain.search(query, signal)).rejects.toThrow('unauthorized');
    expect(await checks(running)).toEqual({
      search: {
        status: 'failed',
        critical: false,
        detail: 'searxng unauthorized',
      },
    });
  });

  it('names those of each scope while all are used', async () => {
    const running = await start({
      RELAY_SEARCH: 'tavily:key-of-the-test',
      RELAY_DOCUMENTS_DIR: folder,
    });
    expect(await checks(running)).toEqual({
      search: {
        status: 'ok',
        critical: false,
        detail: 'tavily (public), documents (private)',
      },
    });
  });
});
