import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RedisConnections } from '../../redis/redis-connections';
import { HealthRegistry } from './health-registry';

/** Nothing can be accepted or read without Redis. */
@Injectable()
export class RedisHealth implements OnModuleInit {
  constructor(
    private readonly registry: HealthRegistry,
    private readonly connections: RedisConnections,
  ) {}

  onModuleInit(): void {
    this.registry.register(
      'redis',
      async () => {
        await this.connections.commands.ping();
      },
      { critical: true },
    );
  }
}
