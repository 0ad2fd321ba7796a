import { Global, Module } from '@nestjs/common';
import { HealthController } from './health/health.controller';
import { HealthRegistry } from './health/health-registry';
import { RedisHealth } from './health/redis-health';

@Global()
@Module({
  controllers: [HealthController],
  providers: [HealthRegistry, RedisHealth],
  exports: [HealthRegistry],
})
export class ObservabilityModule {}
