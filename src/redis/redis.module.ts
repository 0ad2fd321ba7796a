import { type DynamicModule, Global, Module } from '@nestjs/common';
import { AppConfig } from '../config/config';
import { RedisConnections, type RedisPatience } from './redis-connections';

/** Opens this process's connections. `config.redis` is set by the time a process gets here. */
@Global()
@Module({})
export class RedisModule {
  static forRoot(patience: RedisPatience): DynamicModule {
    return {
      module: RedisModule,
      providers: [
        {
          provide: RedisConnections,
          inject: [AppConfig],
          useFactory: (config: AppConfig) =>
            new RedisConnections(config.redis!, patience),
        },
      ],
      exports: [RedisConnections],
    };
  }
}
