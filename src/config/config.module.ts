import { type DynamicModule, Global, Module } from '@nestjs/common';
import { AppConfig } from './config';

/** Provides the configuration everywhere, so that no other room reads the environment. */
@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: AppConfig): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: AppConfig, useValue: config }],
      exports: [AppConfig],
    };
  }
}
