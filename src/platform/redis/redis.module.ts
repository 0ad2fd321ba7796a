import { type DynamicModule, Global, Module } from '@nestjs/common';
import { AppConfig } from '../../config/config';
import { OptionalRedis } from './optional-redis';
import { RedisConnections, type OutageMode } from './redis-connections';

/** Opens the connections of this process. `config.redis` is always set here. */
@Global()
@Module({})
export class RedisModule {
  static forRoot(outageMode: OutageMode): DynamicModule {
    return {
      module: RedisModule,
      providers: [
        {
          provide: RedisConnections,
          inject: [AppConfig],
          useFactory: async (config: AppConfig) => {
            const connections = new RedisConnections(config.redis!, outageMode);
            // What is made of them has to know what they may do.
            await connections.onModuleInit();
            return connections;
          },
        },
        OptionalRedis,
      ],
      exports: [RedisConnections, OptionalRedis],
    };
  }
}
