import { NestFactory } from '@nestjs/core';
import { TestRedis } from '../../../test/support/redis/redis';
import { ConfigModule } from '../../config/config.module';
import { loadConfig } from '../../config/load-config';
import { RedisModule } from '../../platform/redis/redis.module';
import { PageReader } from './page-reader';
import { PagesModule } from './pages.module';

it('gives a worker its reader, which closes with the worker', async () => {
  const redis = await TestRedis.start();
  const config = loadConfig({ REDIS_URL: redis.url });
  const app = await NestFactory.createApplicationContext(
    {
      module: PagesModule,
      imports: [ConfigModule.forRoot(config), RedisModule.forRoot('wait')],
    },
    { logger: false },
  );
  const read = app
    .get(PageReader, { strict: false })
    .read('http://127.0.0.1/', new AbortController().signal);
  await expect(read).rejects.toMatchObject({ fault: 'address_refused' });
  await app.close();
  await redis.stop();
});
