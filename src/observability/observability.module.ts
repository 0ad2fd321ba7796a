import { Global, Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { HealthRegistry } from './health.registry';
import { RedisHealth } from './redis.health';

@Global()
@Module({
  controllers: [HealthController],
  providers: [HealthRegistry, RedisHealth],
  exports: [HealthRegistry],
})
export class ObservabilityModule {}
