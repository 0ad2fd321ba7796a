import { type DynamicModule, Module } from '@nestjs/common';
import type { AppConfig } from '../../config/config';
import { ConfigModule } from '../../config/config.module';
import { KeysModule } from '../../tenants/keys/keys.module';
import { RedisModule } from '../../platform/redis/redis.module';

/** What the administration of keys at the command line needs. */
@Module({})
export class KeysCommandModule {
  static forRoot(config: AppConfig): DynamicModule {
    return {
      module: KeysCommandModule,
      imports: [
        ConfigModule.forRoot(config),
        RedisModule.forRoot('fail-fast'),
        KeysModule.forCommands(),
      ],
    };
  }
}
