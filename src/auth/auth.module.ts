import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ApiKeyGuard } from './api-key.guard';

/** Guards every route of the application it is imported into. */
@Module({ providers: [{ provide: APP_GUARD, useClass: ApiKeyGuard }] })
export class AuthModule {}
