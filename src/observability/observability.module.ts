import { Global, Module } from '@nestjs/common';
import { FrontPageController } from './front-page.controller';
import { HealthController } from './health/health.controller';
import { HealthRegistry } from './health/health.registry';
import { RedisHealth } from './health/redis.health';

@Global()
@Module({
  controllers: [FrontPageController, HealthController],
  providers: [HealthRegistry, RedisHealth],
  exports: [HealthRegistry],
})
export class ObservabilityModule {}
